export { createPayoutInstruction } from './operations/create-payout-instruction.ts';
export { deletePayoutInstruction } from './operations/delete-payout-instruction.ts';
export { getPayoutInstruction } from './operations/get-payout-instruction.ts';
export { listPayoutInstructions } from './operations/list-payout-instructions.ts';
export { replacePayoutInstruction } from './operations/replace-payout-instruction.ts';
export { maskAccount, type PayoutDetails, type PayoutType } from './payout-account.rules.ts';
export { payoutInstructionEvents } from './payout-instruction.events.ts';
export { payoutInstructionLifecycle } from './payout-instruction.lifecycle.ts';
export {
  countPayoutsUnderWay,
  findPayoutInstruction,
  findVerifiedPayees,
  listMerchantsWithAccount,
  listPayableMerchants,
  lockInstructionsOfPayouts,
  lockPayableInstructions,
  openPayoutDetails,
  type PayableInstruction,
  payableAccounts,
  payoutInstructionTotals,
  toPayoutInstruction,
} from './payout-instruction.queries.ts';
export { PayoutInstruction, type PayoutInstructionCreation } from './payout-instruction.schemas.ts';
export { changePayoutInstruction, NAME_CHECKS, type NameCheck } from './transition-payout-instruction.ts';
export { payeeVerification } from './verification.ts';
