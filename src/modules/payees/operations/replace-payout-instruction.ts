import { invalidRequest, notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { assertReadOnlyFields } from '#operation/read-only';
import { COOL_OFF_SECONDS, detailIssues, readDetails } from '../payout-account.rules.ts';
import {
  lockPayoutInstruction,
  toPayoutColumns,
  toPayoutInstruction,
} from '../payout-instruction.queries.ts';
import {
  PayoutInstruction,
  PayoutInstructionParams,
  PayoutInstructionReplacement,
} from '../payout-instruction.schemas.ts';
import { transitionPayoutInstruction } from '../transition-payout-instruction.ts';

export const replacePayoutInstruction = operation({
  id: 'replacePayoutInstruction',
  summary: 'Replace the bank account of a payout instruction',
  description:
    'Resets the verification, even if the details are equal, and stops payouts to it for at least a day: call it only if the ' +
    'account really changes. Read-only fields are accepted with their stored values.',
  tag: 'Payouts',
  scope: 'payouts:write',
  effect: 'transaction',
  params: PayoutInstructionParams,
  body: PayoutInstructionReplacement,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: PayoutInstruction,
  problems: ['NOT_FOUND'],
  example: {
    params: { external_id: 'nordlicht-account' },
    body: {
      type: 'SEPA',
      beneficiary_name: 'Nordlicht Kaffeerösterei GmbH',
      iban: 'DE02 1203 0000 0000 2020 51',
      bic: 'BYLADEM1001',
    },
  },
  async run(context, { params, body }) {
    const { db, platformId, caller, vault, now, assertVersion } = context;
    const { external_id: externalId } = params;
    const row = await lockPayoutInstruction(db, { platformId, externalId });
    if (!row) throw notFound();
    assertVisible(row, caller);
    assertVersion(row.version);
    assertReadOnlyFields(PayoutInstructionReplacement, body, toPayoutInstruction(row, vault));
    const details = readDetails(body.type, body);
    const issues = detailIssues(body.type, details);
    if (issues.length > 0) throw invalidRequest(issues);
    const replaced = await transitionPayoutInstruction(context, row, 'replace', {
      type: body.type,
      payable_from: now + COOL_OFF_SECONDS,
      ...toPayoutColumns(vault, externalId, details),
    });
    return { body: toPayoutInstruction(replaced, vault), version: replaced.version };
  },
});
