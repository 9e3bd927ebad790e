export {
  type Assessment,
  type AssessmentDeps,
  assess,
} from './assess.ts';
export { type Application, minorUnitsOf } from './assessment.rules.ts';
export type { CurrencyFigures, PastAuthorization, PastCredit, PastLoss } from './backtest.rules.ts';
export { type ComparedPolicy, type Comparison, compareOnPast, type ReadPastCredit } from './backtest.ts';
export {
  activePolicy,
  findPolicyVersion,
  insertActivation,
  insertPolicy,
  listPolicies,
  type PolicyRow,
} from './credit-policy.queries.ts';
export {
  type DecisionRow,
  findDecision,
  findDecisions,
  listDecisionsOfBuyer,
} from './decision.queries.ts';
export { defaultPolicy } from './policy/default-policy.ts';
export { sha256Of } from './policy/evaluate-policy.ts';
export { PolicyFailed } from './policy/policy-failed.ts';
export { printNodes, printPolicy } from './policy/print-policy.ts';
export { describeFinding, validatePolicy } from './policy/validate-policy.ts';
export {
  type CreditOutcome,
  OUTCOMES,
  PRICE_CLASSES,
  type PriceClass,
  RISK_BANDS,
  type RiskBand,
  SUBJECTS,
  type Subject,
} from './policy.schemas.ts';
export { BUYER_REASON_CODES, type BuyerReasonCode, REASON_CODES, type ReasonCode } from './reason.codes.ts';
export { type Recorded, recordDecision } from './record-decision.ts';
export {
  type DecidedReview,
  openReview,
  openReviewOfRejection,
  type ReviewInput,
  type ReviewOpening,
  recordApproval,
  recordOverrideProposal,
  recordOverrideRefusal,
  recordReviewDecision,
  withdrawReview,
  withdrawReviewsOfOrders,
} from './review.commands.ts';
export { type ReviewStatus, type ReviewTrigger, reviewLifecycle } from './review.lifecycle.ts';
export {
  findDueScriptedReviews,
  findPlatformsWithScriptedReviews,
  findReview,
  listReviewRows,
  listReviewTransitions,
  lockReview,
  type ReviewFilter,
  type ReviewRow,
  type ReviewTransitionRow,
} from './review.queries.ts';
export {
  createRiskSource,
  type OpenRiskSource,
  type RiskDeps,
  type RiskSourceSettings,
} from './risk/http-risk-source.ts';
export { localRiskSource, RiskSourceFailed } from './risk/risk-source.ts';
export { SCRIPTS, type Script, scriptOf } from './sandbox-script.rules.ts';
export { recordSimulation, type Simulation } from './simulated-decision.ts';
