import { randomBytes } from 'node:crypto';
import { futureIssues } from '#kernel/clock-skew';
import { readIban } from '#kernel/iban';
import { transitionOf } from '#kernel/lifecycle';
import { invalidRequest, notFound, refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import { buyerIncomplete, lockBuyer } from '#modules/buyers';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { mandateLifecycle } from '../mandate.lifecycle.ts';
import { findActiveMandates, insertMandate, toAccountColumns, toMandate } from '../mandate.queries.ts';
import { Mandate, MandateCreation, MandateListParams } from '../mandate.schemas.ts';
import { recordMandateTransition } from '../transition-mandate.ts';

export const createMandate = operation({
  id: 'createMandate',
  summary: "Register a buyer's direct debit mandate",
  description:
    'With an active mandate the buyer can order on credit by DEBIT. A buyer has one active mandate: for another account, revoke ' +
    'it first. The IBAN is encrypted and never shown again, except for its last four characters.',
  tag: 'Mandates',
  scope: 'orders:write',
  effect: 'transaction',
  params: MandateListParams,
  body: MandateCreation,
  isVersioned: true,
  status: 201,
  response: Mandate,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'MANDATE_EXISTS',
    'MANDATE_REFERENCE_EXISTS',
    'BUYER_INCOMPLETE',
  ],
  example: {
    params: { external_id: 'brasserie-du-parc' },
    body: { iban: 'FR14 2004 1010 0505 0001 3M02 606', reference: 'BRASSERIE-1' },
  },
  async run(context, { params, body }) {
    const { db, platformId, caller, vault, now } = context;
    assertPlatformWide(caller);
    const { signed_at: signedAt = now, reference = newReference() } = body;
    const issues = futureIssues(signedAt, now, 'body.signed_at');
    if (issues.length > 0) throw invalidRequest(issues);
    const buyer = await lockBuyer(db, platformId, params.external_id);
    if (!buyer) throw notFound();
    const iban = readIban(body.iban) as string;
    const columns = (holder: string) => toAccountColumns(vault, reference, { iban, holder });
    const [active] = await findActiveMandates(db, platformId, [buyer.external_id]);
    if (active)
      throw refusal('MANDATE_EXISTS', 'The buyer has an active mandate', {
        reference: active.reference,
        is_same_account: active.iban_mac.equals(columns('').iban_mac),
      });
    const holder = blankToNull(body.account_holder) ?? buyer.legal_name;
    if (holder === null) throw buyerIncomplete();
    const transition = transitionOf(mandateLifecycle, null, 'create');
    const row = await insertMandate(db, {
      platform_id: platformId,
      reference,
      buyer_external_id: buyer.external_id,
      status: transition.to,
      created_at: now,
      updated_at: now,
      signed_at: signedAt,
      ...columns(holder),
    });
    if (!row)
      throw refusal(
        'MANDATE_REFERENCE_EXISTS',
        'Another mandate of this platform already has this reference',
        {
          reference,
        },
      );
    await recordMandateTransition(context, row, transition);
    return { body: toMandate(row, vault), version: row.version };
  },
});

/** 26 characters, 96 random bits. */
function newReference(): string {
  return `M-${randomBytes(12).toString('hex').toUpperCase()}`;
}
