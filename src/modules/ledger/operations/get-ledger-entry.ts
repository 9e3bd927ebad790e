import { closed, externalId } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { PostedLedgerEntry } from '../ledger.schemas.ts';
import { showEntry } from '../shown-entry.ts';
import { findShownEntry } from '../statement.queries.ts';

/** The id of the entry in the examples of openapi.json. */
export const EXAMPLE_ENTRY_ID = '7d1f3c52-9b0e-4f6a-8c2d-5e4b1a907f36';

export const getLedgerEntry = operation({
  id: 'getLedgerEntry',
  summary: 'Retrieve an entry of the ledger',
  description:
    'The documents that it is about, its lines, and its place in the chain of hashes. An entry never changes.',
  tag: 'Ledger',
  scope: 'ledger:read',
  effect: 'read',
  params: closed({
    entry_id: externalId('The id of the entry'),
  }),
  status: 200,
  response: PostedLedgerEntry,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { entry_id: EXAMPLE_ENTRY_ID } },
  async run({ db, platformId, caller }, { params }) {
    assertPlatformWide(caller);
    const entry = await findShownEntry(db, platformId, params.entry_id);
    if (!entry) throw notFound();
    return { body: showEntry(entry) };
  },
});
