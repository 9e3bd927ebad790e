export { mandateLifecycle } from './mandate.lifecycle.ts';
export type { MandateCreation } from './mandate.schemas.ts';
export { createMandate } from './operations/create-mandate.ts';
export { getMandate } from './operations/get-mandate.ts';
export { listMandates } from './operations/list-mandates.ts';
export { revokeMandate } from './operations/revoke-mandate.ts';
