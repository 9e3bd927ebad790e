export type {
  CheckoutForms,
  CheckoutView,
  CompanyEntry,
  CompanySearch,
  CreditState,
  DeliveryEntry,
  FieldError,
  FoundCompany,
  Opened,
  OrderView,
  Outcome,
  PersonEntry,
  PlatformView,
  Sender,
  Step,
  Submitted,
} from './checkout.view.ts';
export { STEPS } from './checkout.view.ts';
export { createCheckoutForms } from './checkout-forms.ts';
export { forgetOldCheckouts } from './forget-old-checkouts.ts';
export { type InvitingSurroundings, inviteBuyers } from './invite-buyers.ts';
export { revokeLinks } from './link.queries.ts';
export { backUrl, linkUrl, mintLink, pruneEndedLinks } from './link.ts';
export { getRedirectUrl } from './operations/get-redirect-url.ts';
export { queueOutcomeMails } from './outcome-mails.ts';
export type { CheckoutSurroundings } from './surroundings.ts';
export { consentSentence, TERMS_VERSION, type TermsParties, termsParagraphs } from './terms.ts';
