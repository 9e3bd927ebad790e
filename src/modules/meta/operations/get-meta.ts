import { VERSION } from '#infra/version';
import { operation } from '#operation/operation';
import { Meta } from '../meta.schemas.ts';

export const getMeta = operation({
  id: 'getMeta',
  summary: 'Retrieve version, environment and time',
  description: 'Any valid key may call it, to check the key, the address and the clock.',
  tag: 'Meta',
  scope: 'any',
  effect: 'read',
  status: 200,
  response: Meta,
  problems: [],
  example: {},
  async run({ isSandbox, now }) {
    const environment = isSandbox ? ('sandbox' as const) : ('production' as const);
    return { body: { version: VERSION, environment, time: now } };
  },
});
