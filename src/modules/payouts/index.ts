export { payoutEquations } from './equations.ts';
export { formedPayouts, formPayoutsUntilNow, payoutRuns } from './form-payouts.ts';
export { getPayout } from './operations/get-payout.ts';
export { getPayoutReconciliation } from './operations/get-payout-reconciliation.ts';
export { listPayouts } from './operations/list-payouts.ts';
export { payoutEvents } from './payout.events.ts';
export { payoutLifecycle } from './payout.lifecycle.ts';
export {
  findPayouts,
  findPayoutsByEndToEndId,
  type PayoutRow,
  payoutTotals,
} from './payout.queries.ts';
export { Payout } from './payout.schemas.ts';
export { showPayoutDetail, toPayout } from './payout-detail.ts';
export {
  fileIdOfMessage,
  findPayoutFile,
  findPayoutsByMessage,
  openPayoutFile,
} from './payout-file.queries.ts';
export { failsByScript, listWaitingLines } from './payout-line.queries.ts';
export {
  addPayoutLines,
  findPayoutDateCheck,
  type PayoutDateCheck,
  type PayoutTerms,
  removePayoutLines,
} from './payout-lines.ts';
export { insertHoliday, listAddedHolidays, lockMerchantAccounts } from './payout-run.queries.ts';
export { listForRelease, payoutRelease, releasePayouts } from './release-payouts.ts';
export {
  cancelPayouts,
  confirmPayouts,
  failPayouts,
  nettedPayouts,
  retryPayout,
  returnPayouts,
} from './settle-payouts.ts';
export { writePayoutFiles } from './write-payout-files.ts';
