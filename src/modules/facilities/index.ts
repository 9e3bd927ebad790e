export { creditRefusal, exceeded, needsReview, type Standing } from './credit.rules.ts';
export { findStanding } from './credit-settings.queries.ts';
export { facilityLifecycle } from './facility.lifecycle.ts';
export { lockFacility } from './facility.queries.ts';
export { type NewEntry, type PostedEntry, postEntries, postEntry } from './facility-ledger.queries.ts';
export type { LimitPolicy } from './limit-policy.rules.ts';
export { type Purchase, type TermOffer, termOf } from './payment-terms.rules.ts';
