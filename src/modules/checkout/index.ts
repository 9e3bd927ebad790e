export { createApplicationLimits } from './access/application-limits.ts';
export {
  CODE_ATTEMPTS_MAX,
  CODE_DIGITS,
  CODE_MINUTES,
  CODES_AN_HOUR,
  createCode,
  HOUR_SECONDS,
  isGood,
  isSameMac,
  macOfCode,
  macOfEmail,
  readCode,
  waitSecondsOf,
} from './access/code.rules.ts';
export { createCheckoutForms } from './forms/checkout-forms.ts';
export { AlreadyRequested, requestReviewOfRefusal } from './forms/request-review-of-refusal.ts';
export { revokeLinks } from './links/link.queries.ts';
export { createLink, linkUrl, pruneEndedLinks } from './links/link.ts';
export { answerReviews } from './mails/answer-reviews.ts';
export { inviteBuyers } from './mails/invite-buyers.ts';
export { orderNotifier } from './mails/outcome-mails.ts';
export { getRedirectUrl } from './operations/get-redirect-url.ts';
export { platformView } from './state/build-view.ts';
export { pruneCheckouts } from './state/checkout.queries.ts';
export type {
  CheckoutForms,
  CheckoutOutcome,
  CheckoutStep,
  CheckoutView,
  CompanyEntry,
  CompanySearch,
  DeliveryEntry,
  FieldError,
  FormResult,
  FormSender,
  FoundCompany,
  OrderView,
  PersonEntry,
  PlatformView,
  Refusal,
  TransferDue,
  TypedInvoice,
} from './state/checkout.view.ts';
export { STEPS } from './state/checkout.view.ts';
export { findRefusal, type KnownRefusal } from './state/refusal.queries.ts';
export { createSession, sessionHash } from './state/snapshot.ts';
export { consentSentence, termsParagraphs } from './state/terms.ts';
