export { acceptLockedDispute, endLockedDispute } from './decide-dispute.ts';
export { disputeEvents } from './dispute.events.ts';
export { disputeLifecycle } from './dispute.lifecycle.ts';
export {
  type DisputeRow,
  disputedAmounts,
  disputedAt,
  findDispute,
  isDisputeCredited,
  listDisputesByStatus,
  listDisputesOfInvoice,
} from './dispute.queries.ts';
export { DISPUTE_FILES_MAX, DISPUTE_REASONS, DISPUTE_WORDS_MAX, type Dispute } from './dispute.schemas.ts';
export { type DisputeDays, findDisputeDays } from './dispute-days.ts';
export { toDispute } from './dispute-view.ts';
export { acceptDispute } from './operations/accept-dispute.ts';
export { createDispute } from './operations/create-dispute.ts';
export { getDispute } from './operations/get-dispute.ts';
export { listDisputes } from './operations/list-disputes.ts';
export { rejectDispute } from './operations/reject-dispute.ts';
export { withdrawDispute } from './operations/withdraw-dispute.ts';
