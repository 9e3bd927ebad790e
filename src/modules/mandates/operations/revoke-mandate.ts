import { notFound } from '#kernel/problem';
import { lockBuyer } from '#modules/buyers';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { findMandate, toMandate } from '../mandate.queries.ts';
import { Mandate, MandateParams } from '../mandate.schemas.ts';
import { revoke } from '../transition-mandate.ts';

export const revokeMandate = operation({
  id: 'revokeMandate',
  summary: 'Revoke a mandate',
  description:
    'New orders by DEBIT are refused immediately; existing orders continue. A revoked mandate stays revoked.',
  tag: 'Mandates',
  scope: 'orders:write',
  effect: 'transaction',
  params: MandateParams,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Mandate,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'INVALID_STATUS_TRANSITION'],
  example: { params: { external_id: 'cafe-morgenrot', reference: 'MORGENROT-1' } },
  async run(context, { params }) {
    const { db, platformId, caller, vault, assertVersion } = context;
    assertPlatformWide(caller);
    // The lock of the buyer also locks its mandates.
    await lockBuyer(db, platformId, params.external_id);
    const mandate = await findMandate(db, platformId, params.external_id, params.reference);
    if (!mandate) throw notFound();
    assertVersion(mandate.version);
    const revoked = await revoke(context, mandate);
    return { body: toMandate(revoked, vault), version: revoked.version };
  },
});
