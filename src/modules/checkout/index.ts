export { CODE_DIGITS } from './access/code.rules.ts';
export { createCheckoutForms } from './forms/checkout-forms.ts';
export { revokeLinks } from './links/link.queries.ts';
export { createLink, linkUrl, pruneEndedLinks } from './links/link.ts';
export { answerReviews } from './mails/answer-reviews.ts';
export { inviteBuyers } from './mails/invite-buyers.ts';
export { queueOutcomeMails } from './mails/outcome-mails.ts';
export { getRedirectUrl } from './operations/get-redirect-url.ts';
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
export { consentSentence, termsParagraphs } from './state/terms.ts';
