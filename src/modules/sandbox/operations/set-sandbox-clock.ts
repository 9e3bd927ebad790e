import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { makeDueUntil, setClockAhead } from '../advance-clock.ts';
import { ClockAdvance, ClockSetting } from '../clock.schemas.ts';

export const setSandboxClock = operation({
  id: 'setSandboxClock',
  summary: "Advance the platform's clock",
  description:
    'Sets it to an instant or forward by a number of seconds, never back. Everything that falls due until then happens before the ' +
    'response, each transition as of its own instant; the response lists them in order.',
  tag: 'Sandbox',
  scope: 'admin',
  effect: 'transaction',
  isSandboxOnly: true,
  body: ClockSetting,
  status: 200,
  response: ClockAdvance,
  problems: ['MERCHANT_NOT_ALLOWED', 'CLOCK_BACKWARDS'],
  example: { body: { advance_seconds: 1_209_600 } },
  async run(context, { body }) {
    assertPlatformWide(context.caller);
    const nowAfter = (previous: number) => body.now ?? previous + (body.advance_seconds ?? 0);
    const path = body.now === undefined ? 'body.advance_seconds' : 'body.now';
    return { body: await setClockAhead(context, { nowAfter, path }) };
  },
  async finish(context, _, answered) {
    return { body: await makeDueUntil(context, answered) };
  },
});
