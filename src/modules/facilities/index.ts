export {
  applyDecision,
  type FacilityDecision,
  openFacility,
  overrideLimit,
  triggerOf,
} from './apply-decision.ts';
export {
  creditRefusal,
  exceeded,
  isFacilityAwaited,
  isLimitTooSmall,
  needsReview,
  roomOf,
  type Standing,
} from './credit.rules.ts';
export {
  findCreditSettings,
  findLimitPolicies,
  findStanding,
  findStandings,
  listCreditSettings,
  type StandingColumns,
  standingColumns,
  toStanding,
} from './credit-settings.queries.ts';
export {
  type ReleaseCause,
  type ReleasedCredit,
  type ReopenedCredit,
  releaseUse,
  reopenUse,
  useReservations,
  useWithoutOrder,
} from './credit-use.ts';
export { hasMandateFor } from './debit-mandate.ts';
export { type AssessedFacility, assessFacility, openAssessedFacility } from './decide-facility.ts';
export { expireFacility, facilityExpiries, facilityRenewals, type RenewalDeps } from './due-facilities.ts';
export { heldMinorOf, type LegalEntity } from './entity-credit.queries.ts';
export { type DecisionReference, facilityEvents } from './facility.events.ts';
export { type FacilityTrigger, facilityLifecycle, RENEWAL_LEAD_DAYS } from './facility.lifecycle.ts';
export {
  type FacilityRow,
  findAwaitedReviewId,
  findFacility,
  findIncreaseDecisionId,
  findLastDecisionId,
  increaseDecisionOf,
  lockFacilities,
  lockFacility,
} from './facility.queries.ts';
export { Facility, type FacilityCreation, type FacilityWithEntity } from './facility.schemas.ts';
export { type NewEntry, type PostedEntry, postEntries, postEntry } from './facility-ledger.queries.ts';
export { facilityTotals } from './facility-view.queries.ts';
export { isFirstOrderOf } from './first-order.queries.ts';
export { facilityTransitionOf, isFreezable } from './freeze.rules.ts';
export { freezeDissolved } from './freeze-dissolved.ts';
export { applyIncrease, assessIncrease } from './increase-limit.ts';
export { judgeFirstOrder, type OrderJudgement, type OrderToJudge } from './judge-first-order.ts';
export type { LedgerEntry } from './ledger-entry.schemas.ts';
export {
  type LimitPolicy,
  type LimitPolicySettings,
  limitPolicyOf,
  settingsIn,
  settingsInForce,
} from './limit-policy.rules.ts';
export {
  limitPolicyChange,
  priceTableChange,
  type SettingChanges,
} from './limit-policy-change.ts';
export { lockEntityOfBuyer } from './lock-entity.ts';
export { createFacility } from './operations/create-facility.ts';
export { freezeFacility, setFreeze } from './operations/freeze-facility.ts';
export { getFacility } from './operations/get-facility.ts';
export { listFacilities } from './operations/list-facilities.ts';
export { listFacilityHistory } from './operations/list-facility-history.ts';
export { listLedger } from './operations/list-ledger.ts';
export { listPaymentTerms } from './operations/list-payment-terms.ts';
export { renewFacility } from './operations/renew-facility.ts';
export { requestIncrease } from './operations/request-increase.ts';
export { unfreezeFacility } from './operations/unfreeze-facility.ts';
export { readPastCredit } from './past-credit.queries.ts';
export { findPayingBehaviour } from './paying-behaviour.queries.ts';
export {
  type PaidInvoice,
  recordClosedOrders,
  recordDefaultChanges,
  recordDefaults,
  recordPaidInvoices,
  reverseSettlements,
} from './paying-facts.queries.ts';
export {
  merchantFeeOf,
  noDearer,
  type OfferedTerm,
  offeredTerms,
  type Purchase,
  paymentsOf,
  type TermAnswer,
  type TermOffer,
  type TermRefusal,
  type TermSettings,
  termAtMost,
  termOf,
  type UnavailableReason,
} from './payment-terms.rules.ts';
export { termConditions } from './payment-terms.schemas.ts';
export type { PriceTable } from './price-table.rules.ts';
export { readPriceTable } from './price-table.schemas.ts';
export { placementRefusal, type TermPlacement } from './term-placement.rules.ts';
export { facilityUnfreezing } from './unfreezing.ts';
