export { credit, debit, type LedgerLine } from './account.rules.ts';
export { findJournalEntry, listEntriesOfInvoice, listEntriesOfPayment } from './journal.queries.ts';
export { post } from './posting.queries.ts';
export type { Posting } from './posting.rules.ts';
export { reversalOf } from './reversal.rules.ts';
