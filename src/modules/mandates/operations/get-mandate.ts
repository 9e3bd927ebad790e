import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { findMandate, toMandate } from '../mandate.queries.ts';
import { Mandate, MandateParams } from '../mandate.schemas.ts';

export const getMandate = operation({
  id: 'getMandate',
  summary: 'Retrieve a mandate',
  tag: 'Mandates',
  scope: 'read',
  effect: 'read',
  params: MandateParams,
  isVersioned: true,
  status: 200,
  response: Mandate,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { external_id: 'cafe-morgenrot', reference: 'MORGENROT-1' } },
  async run({ db, platformId, caller, vault }, { params }) {
    assertPlatformWide(caller);
    const row = await findMandate(db, platformId, params.external_id, params.reference);
    if (!row) throw notFound();
    return { body: toMandate(row, vault), version: row.version };
  },
});
