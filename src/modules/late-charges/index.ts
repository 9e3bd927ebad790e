export { type ChargeFault, type ChargeRequest, chargeInvoice } from './charge-invoice.ts';
export {
  insertLateInterestAgreement,
  type LateInterestAgreement,
  listLateInterestAgreements,
} from './late-interest-agreement.queries.ts';
export {
  type LatePaymentLaw,
  type PublicHoliday,
  type ReferenceRates,
  readReferenceRates,
} from './late-payment-law.schemas.ts';
export { LAW_COUNTRIES, latePaymentLawOf } from './late-payment-laws.ts';
export { findReferenceRates, listReferenceRateVersions } from './reference-rate.queries.ts';
export { referenceRateUpdate } from './reference-rate-update.ts';
export { statedLateCharges } from './stated-late-charges.ts';
