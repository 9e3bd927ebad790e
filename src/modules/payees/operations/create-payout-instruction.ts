import { transitionOf } from '#kernel/lifecycle';
import { invalidRequest, refusal } from '#kernel/problem';
import { findMerchantStatus, findSoleMerchant, unknownMerchant } from '#modules/merchants';
import { findPlatform } from '#modules/platforms';
import { assertMerchantAllowed } from '#operation/caller';
import { type Context, operation } from '#operation/operation';
import { COOL_OFF_SECONDS, detailIssues, readDetails } from '../payout-account.rules.ts';
import { payoutInstructionLifecycle } from '../payout-instruction.lifecycle.ts';
import {
  hasPayoutInstruction,
  insertPayoutInstruction,
  toPayoutColumns,
  toPayoutInstruction,
} from '../payout-instruction.queries.ts';
import { PayoutInstruction, PayoutInstructionCreation } from '../payout-instruction.schemas.ts';
import { recordPayoutInstructionTransition } from '../transition-payout-instruction.ts';

export const createPayoutInstruction = operation({
  id: 'createPayoutInstruction',
  summary: 'Register a bank account for payouts',
  description:
    'The account to which a merchant is paid. It is verified outside the API; payouts go to it after that. The details are encrypted. ' +
    'An additional account of the merchant gets no payouts for a day.',
  tag: 'Payouts',
  scope: 'payouts:write',
  effect: 'transaction',
  body: PayoutInstructionCreation,
  isVersioned: true,
  status: 201,
  response: PayoutInstruction,
  problems: ['EXTERNAL_ID_ALREADY_EXISTS', 'MERCHANT_NOT_ALLOWED', 'REFERENCED_ENTITY_NOT_FOUND'],
  example: {
    body: {
      external_id: 'example-account',
      merchant_external_id: 'roastery-north',
      type: 'SEPA',
      beneficiary_name: 'Nordlicht Kaffeerösterei GmbH',
      iban: 'DE89 3704 0044 0532 0130 00',
      bic: 'COBADEFFXXX',
    },
  },
  async run(context, { body }) {
    const { db, platformId, vault, now } = context;
    const merchant = await merchantOf(context, body.merchant_external_id);
    const details = readDetails(body.type, body);
    const issues = detailIssues(body.type, details);
    if (issues.length > 0) throw invalidRequest(issues);
    const isFurther = await hasPayoutInstruction(db, platformId, merchant);
    const transition = transitionOf(payoutInstructionLifecycle, null, 'create');
    const row = await insertPayoutInstruction(db, {
      platform_id: platformId,
      external_id: body.external_id,
      merchant_external_id: merchant,
      type: body.type,
      status: transition.to,
      created_at: now,
      updated_at: now,
      payable_from: isFurther ? now + COOL_OFF_SECONDS : now,
      ...toPayoutColumns(vault, body.external_id, details),
    });
    if (!row)
      throw refusal(
        'EXTERNAL_ID_ALREADY_EXISTS',
        'A payout instruction, possibly a deleted one, already has this external_id',
      );
    await recordPayoutInstructionTransition(context, row, 'create', null);
    return { body: toPayoutInstruction(row, vault), version: row.version };
  },
});

/** The merchant that the request names, or the merchant of a single-merchant platform. Throws 400, 403 and 422. */
async function merchantOf(context: Context, named: string | undefined): Promise<string> {
  const { db, platformId, caller } = context;
  if (named !== undefined) {
    assertMerchantAllowed(caller, named);
    const status = await findMerchantStatus(db, { platformId, externalId: named });
    if (status === undefined) throw unknownMerchant('body.merchant_external_id', named);
    return named;
  }
  if (caller.merchantExternalId !== null) return caller.merchantExternalId;
  if ((await findPlatform(db, platformId))?.is_single_merchant)
    return (await findSoleMerchant(context)).external_id;
  throw invalidRequest([
    {
      code: 'REQUIRED',
      path: 'body.merchant_external_id',
      message: 'is required on a platform with several merchants',
    },
  ]);
}
