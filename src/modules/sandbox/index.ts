export { getSandboxClock } from './operations/get-sandbox-clock.ts';
export { setSandboxClock } from './operations/set-sandbox-clock.ts';
export { simulateBankEntry } from './operations/simulate-bank-entry.ts';
export { simulateFacility } from './operations/simulate-facility.ts';
export { simulateInvoice } from './operations/simulate-invoice.ts';
export { simulateOrder } from './operations/simulate-order.ts';
export { simulatePayout } from './operations/simulate-payout.ts';
export { simulatePayoutInstruction } from './operations/simulate-payout-instruction.ts';
