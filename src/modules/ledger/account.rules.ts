/** The accounts of the ledger. A check in the database has the same list. */

export type PartyKind = 'buyer' | 'merchant' | 'bank account' | 'tax category';

interface Account {
  /** The side on which the balance is positive. */
  normal: 'debit' | 'credit';
  /** The kind of party that has such an account; null for a single account of the platform. */
  party: PartyKind | null;
  meaning: string;
}

export const ACCOUNTS = {
  bank: { normal: 'debit', party: 'bank account', meaning: 'Money on a bank account of the platform' },
  buyer_receivable: {
    normal: 'debit',
    party: 'buyer',
    meaning: 'What a buyer owes for financed invoices',
  },
  term_fee_receivable: {
    normal: 'debit',
    party: 'buyer',
    meaning: 'What a buyer owes for the fee of payment terms, with its tax',
  },
  late_charge_receivable: {
    normal: 'debit',
    party: 'buyer',
    meaning: 'What a buyer owes the platform for paying late: interest and compensation',
  },
  unapplied_cash: {
    normal: 'credit',
    party: 'buyer',
    meaning: 'Money of a buyer that is not applied to an invoice',
  },
  merchant_payable: {
    normal: 'credit',
    party: 'merchant',
    meaning: 'Money that buyers paid for unfinanced invoices of a merchant',
  },
  merchant_setoff: {
    normal: 'debit',
    party: 'merchant',
    meaning: 'What a merchant owes, to be deducted from its next payout',
  },
  payout_clearing: {
    normal: 'credit',
    party: null,
    meaning: 'Advances that are accepted or scheduled, and not paid out yet',
  },
  suspense: { normal: 'credit', party: null, meaning: 'Money whose payer or purpose is not known yet' },
  fee_income: { normal: 'credit', party: null, meaning: 'Fees of invoice services, without tax' },
  term_fee_income: { normal: 'credit', party: null, meaning: 'Fees of payment terms, without tax' },
  late_charge_income: {
    normal: 'credit',
    party: null,
    meaning: 'Interest and compensation for late payment',
  },
  fee_tax: { normal: 'credit', party: 'tax category', meaning: 'Tax on fees, by category' },
  bank_charges: { normal: 'debit', party: null, meaning: 'Charges of banks, and small differences' },
  loss: { normal: 'debit', party: null, meaning: 'Defaults that were written off' },
  recovery: { normal: 'credit', party: null, meaning: 'What came in after a write-off' },
} as const satisfies Record<string, Account>;

export type AccountCode = keyof typeof ACCOUNTS;
export const ACCOUNT_CODES = Object.keys(ACCOUNTS) as AccountCode[];

/** The party of `bank` for the account that buyers usually pay to, and for money that no bank has reported yet. */
export const MAIN_BANK_ACCOUNT = 'main';

/** The accounts whose totals are kept per party, because they have few parties. */
export const TOTALLED_BY_PARTY = ACCOUNT_CODES.filter((code) => {
  const { party }: Account = ACCOUNTS[code];
  return party === 'bank account' || party === 'tax category';
});

/** The accounts of merchants whose open balances are kept. */
export const OPEN_ACCOUNTS = ['merchant_payable', 'merchant_setoff'] as const satisfies AccountCode[];
export type OpenAccount = (typeof OPEN_ACCOUNTS)[number];
/** The account whose open balances are kept per invoice, because payouts pay it by invoice. */
export const OPEN_BY_INVOICE = 'merchant_payable' satisfies OpenAccount;

/** The party of an account as an argument; no argument for an account without one. */
type PartyOf<Code extends AccountCode> = (typeof ACCOUNTS)[Code]['party'] extends null ? [] : [party: string];

/** One line of an entry. */
export interface LedgerLine {
  account: AccountCode;
  /** The party of the account; empty if the account has none. */
  party: string;
  /** Minor units of the entry's currency: positive for a debit, negative for a credit. */
  amountMinor: number;
}

/** `debit('buyer_receivable', 11_900, 'cafe-morgenrot')` */
export function debit<Code extends AccountCode>(
  account: Code,
  amountMinor: number,
  ...[party = '']: PartyOf<Code>
): LedgerLine {
  return { account, party, amountMinor };
}

/** `credit('fee_income', 250)` */
export function credit<Code extends AccountCode>(
  account: Code,
  amountMinor: number,
  ...[party = '']: PartyOf<Code>
): LedgerLine {
  return { account, party, amountMinor: -amountMinor };
}
