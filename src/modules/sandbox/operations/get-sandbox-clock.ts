import { operation } from '#operation/operation';
import { SandboxClock } from '../clock.schemas.ts';

export const getSandboxClock = operation({
  id: 'getSandboxClock',
  summary: "Read the platform's clock",
  description:
    'Everything that has a date reads it from this clock; deliveries and API keys go on in real time.',
  tag: 'Sandbox',
  scope: 'read',
  effect: 'read',
  isSandboxOnly: true,
  status: 200,
  response: SandboxClock,
  problems: [],
  example: {},
  async run({ now }) {
    return { body: { now } };
  },
});
