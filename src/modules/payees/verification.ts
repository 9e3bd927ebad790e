/** Two operators verify the owner of a payout instruction's account, on evidence from outside the API. */
import { transitionOf } from '#kernel/lifecycle';
import { StartRefused } from '#kernel/start-refused';
import { type ChangeKind, mayAct } from '#modules/operators';
import { maskAccount } from './payout-account.rules.ts';
import { payoutInstructionLifecycle } from './payout-instruction.lifecycle.ts';
import {
  listMerchantsWithAccount,
  lockPayoutInstruction,
  openPayoutDetails,
} from './payout-instruction.queries.ts';
import { changePayoutInstruction, type NameCheck } from './transition-payout-instruction.ts';

export interface PayeeVerification {
  payout_instruction: string;
  /** The version of the details that the operator has seen. */
  version: number;
  name_check: NameCheck;
}

export const payeeVerification: ChangeKind<PayeeVerification> = {
  name: 'PAYEE_VERIFICATION',
  role: 'FINANCE',
  mayApprove: (role) => mayAct(role, 'FINANCE'),
  /** Throws StartRefused for an unknown, verified or rejected instruction, or one that was replaced after the operator saw it. */
  async plan(context, { payout_instruction: externalId, version, name_check: nameCheck }) {
    const { db, platformId, vault } = context;
    const instruction = await lockPayoutInstruction(db, { platformId, externalId });
    if (!instruction) throw new StartRefused(`There is no payout instruction ${externalId}.`);
    const { status } = instruction;
    if (status !== 'UNVERIFIED')
      throw new StartRefused(
        `The payout instruction ${externalId} is ${status}: only an UNVERIFIED one can be verified.`,
      );
    if (instruction.version !== version)
      throw new StartRefused(
        `The payout instruction ${externalId} was replaced: check its new details with tradeline payee show.`,
      );
    return {
      subject: `payout instruction ${externalId}`,
      before: { status },
      after: {
        status: transitionOf(payoutInstructionLifecycle, status, 'verify').to,
        merchant: instruction.merchant_external_id,
        account: maskAccount(openPayoutDetails(vault, instruction)),
        merchants_with_the_same_account: await listMerchantsWithAccount(db, instruction),
        name_check: nameCheck,
      },
      takesTwo: true,
      async apply({ actor, approvedBy, reason }) {
        const grounds = { reason, nameCheck, ...(approvedBy !== null && { approvedBy }) };
        await changePayoutInstruction({ ...context, actor }, externalId, 'verify', grounds);
      },
    };
  },
};
