import { readFileSync } from 'node:fs';
import { operation } from '#operation/operation';
import { Meta } from '../meta.schemas.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { version: string };

export const getMeta = operation({
  id: 'getMeta',
  summary: 'Retrieve version, environment and time',
  description: 'Any valid key may call it: to check a key, an address and a clock.',
  tag: 'Meta',
  scope: 'any',
  effect: 'read',
  status: 200,
  response: Meta,
  problems: [],
  example: {},
  async run({ isSandbox, now }) {
    const environment = isSandbox ? ('sandbox' as const) : ('production' as const);
    return { body: { version, environment, time: now } };
  },
});
