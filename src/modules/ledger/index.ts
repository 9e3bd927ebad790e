export {
  ACCOUNT_CODES,
  ACCOUNTS,
  credit,
  debit,
  type LedgerLine,
  MAIN_BANK_ACCOUNT,
} from './account.rules.ts';
export { asOfSeconds } from './as-of.rules.ts';
export { listBalancesOfParties, listInvoiceBalances } from './balance.queries.ts';
export { CAUSES } from './cause.rules.ts';
export { ledgerClosing } from './closing.ts';
export { ledgerKeyOf } from './entry-chain.rules.ts';
export { checkEquations, type Equation, ledgerEquations } from './equation.ts';
export { findJournalEntry, listEntriesOfInvoice, listEntriesOfPayment } from './journal.queries.ts';
export type { LedgerStatement, PostedLedgerEntry, TrialBalance } from './ledger.schemas.ts';
export { countUnnumberedEntries } from './numbering.queries.ts';
export { numberEntries } from './numbering.ts';
export { EXAMPLE_ENTRY_ID, getLedgerEntry } from './operations/get-ledger-entry.ts';
export { getLedgerStatement } from './operations/get-ledger-statement.ts';
export { getTrialBalance } from './operations/get-trial-balance.ts';
export { post } from './posting.queries.ts';
export type { Posting } from './posting.rules.ts';
export { reversalOf } from './reversal.rules.ts';
export { showEntry } from './shown-entry.ts';
export { listJournal } from './statement.queries.ts';
