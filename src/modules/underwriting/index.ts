export type { ApplyingPerson, ShownProof } from './applicant.ts';
export { type Assessment, assess } from './assess.ts';
export { type Application, isElsewhere, minorUnitsOf, wholeUnitsOf } from './assessment.rules.ts';
export type { CurrencyFigures, PolicyFigures } from './backtest.rules.ts';
export { type ComparedPolicy, type Comparison, compareOnPast } from './backtest.ts';
export { pruneApplications } from './credit-application.queries.ts';
export {
  activePolicy,
  findActivePolicy,
  findPolicyVersion,
  insertActivation,
  insertPolicy,
  listPolicies,
  listPolicyActivations,
  type PolicyActivationRow,
  type PolicyRow,
} from './credit-policy.queries.ts';
export {
  type DecisionRow,
  type DecisionSource,
  findDecision,
  insertDecisions,
  WITHOUT_POLICY,
} from './decision.queries.ts';
export {
  BuyerReasonSchema,
  type Decision,
  DecisionIdSchema,
  EXAMPLE_DECISION_ID,
  RiskBandSchema,
} from './decision.schemas.ts';
export type { EntityBuyer } from './entity-buyer.ts';
export { exportDecision } from './export-decision.ts';
export { lockInsolvency, lockStandingInsolvency } from './insolvency.queries.ts';
export { isByPolicy, judgeAgain, type SecondVerdict } from './judge-again.ts';
export {
  lockReviewsOfServices,
  openReview,
  withdrawReviewsOfOrders,
  withdrawReviewsOfServices,
} from './open-review.ts';
export { evaluateWhatIf } from './operations/evaluate-what-if.ts';
export { getDecision } from './operations/get-decision.ts';
export { listDecisions } from './operations/list-decisions.ts';
export type {
  DefaultChangeKind,
  PastAuthorization,
  PastCredit,
  PastDefault,
} from './past-credit.rules.ts';
export {
  type DefaultPeriod,
  NO_BEHAVIOUR,
  type PaidPeriod,
  type PayingBehaviour,
  type PayingPeriod,
} from './paying-behaviour.rules.ts';
export { defaultPolicy } from './policy/default-policy.ts';
export { sha256Of } from './policy/evaluate-policy.ts';
export { PolicyFailed } from './policy/policy-failed.ts';
export { printNodes, printPolicy } from './policy/print-policy.ts';
export { describeFinding, validatePolicy } from './policy/validate-policy.ts';
export {
  PolicyInputs,
  PRICE_CLASSES,
  type PriceClass,
  REVIEW_SUBJECTS,
  RISK_BANDS,
  type RiskBand,
  type Subject,
} from './policy.schemas.ts';
export { policyActivation } from './policy-activation.ts';
export { type BuyerReasonCode, REASON_CODES, type ReasonCode } from './reason.codes.ts';
export { textOfReason } from './reason.texts.ts';
export { recordDecision } from './record-decision.ts';
export { type ReviewTrigger, reviewLifecycle } from './review.lifecycle.ts';
export {
  findDueScriptedReviews,
  findPlatformsWithScriptedReviews,
  findReview,
  listReviewRows,
  listReviewTransitions,
  listUndecidedReviews,
  lockReview,
  type ReviewRow,
  type ReviewTransition,
  reviewTotals,
  transitionReview,
} from './review.queries.ts';
export { createRiskSource } from './risk/http-risk-source.ts';
export { localRiskSource, RiskSourceFailed } from './risk/risk-source.ts';
export { reviewEndOf, SCRIPTS, type Script, scriptOf } from './sandbox-script.rules.ts';
export { HORIZONS_MONTHS, type Vintage } from './vintage.rules.ts';
export { takeWaitingReviews } from './waiting-review.queries.ts';
export type { WhatIfComparison, WhatIfVerdict } from './what-if.schemas.ts';
