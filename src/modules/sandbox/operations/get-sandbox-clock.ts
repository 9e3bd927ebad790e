import { operation } from '#operation/operation';
import { SandboxClock } from '../clock.schemas.ts';

export const getSandboxClock = operation({
  id: 'getSandboxClock',
  summary: "Read the platform's clock",
  description:
    'Every date of the platform comes from this clock. Webhook deliveries and API keys use real time.',
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
