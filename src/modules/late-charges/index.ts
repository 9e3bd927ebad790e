export { type ChargeFault, chargeInvoice } from './charge-invoice.ts';
export { type LatePaymentLaw, type ReferenceRates, readReferenceRates } from './late-payment-law.schemas.ts';
export { LAW_COUNTRIES, latePaymentLawOf } from './late-payment-laws.ts';
export { findReferenceRates, listReferenceRateVersions } from './reference-rate.queries.ts';
export { referenceRateUpdate } from './reference-rate-update.ts';
