import { operation } from '#http/operation';
import { notFound } from '#kernel/problem';
import { findPlatform } from '../platform.queries.ts';
import { Platform } from '../platform.schemas.ts';

export const getPlatform = operation({
  id: 'getPlatform',
  summary: 'Retrieve the platform of the API key',
  tag: 'Platform',
  scope: 'read',
  effect: 'read',
  isVersioned: true,
  status: 200,
  response: Platform,
  problems: ['NOT_FOUND'],
  example: {},
  async run({ db, platformId }) {
    const row = await findPlatform(db, platformId);
    if (!row) throw notFound();
    return { body: row as unknown as Platform, version: row.version };
  },
});
