export { type ApplicationFault, applyPayment } from './apply-payment.ts';
export { addDisputeFiles, lockVisibleInvoice } from './change-files.ts';
export { creditNoteEvents } from './credit-note.events.ts';
export { creditNoteTotals } from './credit-note.queries.ts';
export { type CreditedAmount, creditableOf } from './credit-note.rules.ts';
export {
  type CREDIT_REASONS,
  type CreditNote,
  CreditNoteAmountInput,
  type CreditNoteCreation,
} from './credit-note.schemas.ts';
export { type CreditUsingInvoice, listCreditUsingInvoices } from './credit-using-invoice.queries.ts';
export { invoiceDefaults } from './default-invoices.ts';
export { disputedOf, unpausedOf, withoutDisputed } from './disputed-amount.rules.ts';
export { dueAmountOf, transferAmountOf } from './due-amount.rules.ts';
export { dueInvoices } from './due-invoices.ts';
export { changeDunnings, type DunningChange } from './dunning/change-dunnings.ts';
export { dunningEvents } from './dunning/dunning.events.ts';
export { dunningLifecycle } from './dunning/dunning.lifecycle.ts';
export {
  DUNNING_KINDS,
  DUNNING_PAUSES,
  type DunningKind,
  type DunningPause,
} from './dunning/dunning.schemas.ts';
export { DUNNING_LEAD_DAYS, DUNNING_LEAD_SECONDS } from './dunning/first-look.rules.ts';
export { reminderPremise, withdrawReminders } from './dunning/follow-dunnings.ts';
export {
  listTakenSteps,
  type TakenStep,
  writeNextLooks,
} from './dunning/invoice-dunning.queries.ts';
export { type RemindedParty, setReminded } from './dunning/reminded-party.queries.ts';
export { epcQrOf } from './epc-qr.rules.ts';
export { invoiceEquations } from './equations.ts';
export { invoiceEvents } from './invoice.events.ts';
export { invoiceLifecycle } from './invoice.lifecycle.ts';
export { findInvoice, findInvoices, type InvoiceRow, lockInvoices } from './invoice.queries.ts';
export { Invoice, InvoiceParams } from './invoice.schemas.ts';
export { addFinancedCredit } from './invoice-changes.queries.ts';
export { invoiceFileEvents } from './invoice-file.events.ts';
export {
  findInvoiceFile,
  type LastFile,
  listLastFiles,
  openFileName,
  sealFileName,
} from './invoice-file.queries.ts';
export type { InvoiceFile } from './invoice-file.schemas.ts';
export { invoiceTotals } from './invoice-list.queries.ts';
export { issueCreditNote } from './issue-credit-note.ts';
export { type ClaimedCharge, claimLateCharges } from './late-charges/claim-late-charges.ts';
export { lateChargeEvents } from './late-charges/late-charge.events.ts';
export { lateChargeLifecycle } from './late-charges/late-charge.lifecycle.ts';
export {
  findLateCharge,
  findLateCharges,
  type LateChargeRow,
  listLateCharges,
  listLateChargesOfInvoice,
  listOpenLateCharges,
  listUnsentReminderCharges,
} from './late-charges/late-charge.queries.ts';
export type { LateCharge, LateChargeKind } from './late-charges/late-charge.schemas.ts';
export { toLateCharge } from './late-charges/late-charge-view.ts';
export { type AmountChange, findOwedParts, type OwedPart } from './late-charges/owed-parts.ts';
export { waiveLateCharge } from './late-charges/settle-late-charges.ts';
export {
  findNamedInvoices,
  listOwedBeside,
  listOwedInvoicesOf,
  type PayableInvoice,
} from './named-invoice.queries.ts';
export type { OwedSum } from './open-items.queries.ts';
export { closeOrder } from './operations/close-order.ts';
export { createCreditNote } from './operations/create-credit-note.ts';
export { createInvoice } from './operations/create-invoice.ts';
export { createInvoiceFile } from './operations/create-invoice-file.ts';
export { createInvoicePayment } from './operations/create-invoice-payment.ts';
export { deleteInvoiceFile } from './operations/delete-invoice-file.ts';
export { getCreditNote } from './operations/get-credit-note.ts';
export { getInvoice } from './operations/get-invoice.ts';
export { getInvoiceFile } from './operations/get-invoice-file.ts';
export { getInvoicePaymentDetails } from './operations/get-invoice-payment-details.ts';
export { listCreditNotes } from './operations/list-credit-notes.ts';
export { listInvoiceCharges } from './operations/list-invoice-charges.ts';
export { listInvoiceFiles } from './operations/list-invoice-files.ts';
export { listInvoiceHistory } from './operations/list-invoice-history.ts';
export { listInvoicePayments } from './operations/list-invoice-payments.ts';
export { listInvoices } from './operations/list-invoices.ts';
export { payInvoice } from './operations/pay-invoice.ts';
export { refundInvoice } from './operations/refund-invoice.ts';
export { replaceInvoice } from './operations/replace-invoice.ts';
export { reverseInvoicePayment } from './operations/reverse-invoice-payment.ts';
export {
  countOwedEntries,
  listOwedBalances,
  listOwedEntries,
  OWED_ENTRY_KINDS,
  type OwedBalance,
  type OwedEntryRow,
  type OwedPeriod,
  type OwedScope,
} from './owed-entry.queries.ts';
export { paymentEvents } from './payment.events.ts';
export { findPayment, type PaymentRow } from './payment.queries.ts';
export { InvoicePayment, type PaymentCreation } from './payment.schemas.ts';
export type { PaymentDetails } from './payment-details.schemas.ts';
export { paymentDetailsOf } from './payment-details.ts';
export { findLastPayment, listUnappliedPayments } from './payment-list.queries.ts';
export { isPaymentReference } from './payment-reference.rules.ts';
export { showPayments } from './payment-view.ts';
export { readOpenItems } from './read-open-items.ts';
export { recordDisputed } from './record-disputed.ts';
export { lockInvoiceToSettle, type MoneyReceived, recordPayment, recordPayments } from './record-payment.ts';
export { recordWriteOff } from './record-write-off.ts';
export { reversePayment } from './reverse-payment.ts';
export { scriptedPayments } from './scripted-payments.ts';
export { lockToSettle } from './settle-invoices.ts';
export { isBuyerSettled } from './settled-buyer.queries.ts';
export { outstandingOf } from './settlement.rules.ts';
export { statedDifferences } from './stated-invoice.rules.ts';
export { invoiceGuardRefusal, invoiceTransitionOf } from './transition-invoice.ts';
export { listUnappliedCash } from './unapplied-cash.queries.ts';
export { findVisibleInvoice } from './visible-invoice.ts';
