/** The help of the commands about money that comes in. */
interface Help {
  summary: string;
  verbs: Record<string, [usage: string, meaning: string]>;
}

export const PAYMENT_HELP: Help = {
  summary: 'money of buyers that no invoice took',
  verbs: {
    list: ['[--buyer ID]', 'Lists the payments with unapplied cash, by buyer, the oldest first.'],
    apply: [
      '--payment ID --invoice ID [--amount AMOUNT] --reason TEXT',
      'Settles another invoice of the buyer with it. Without --amount: as much as there is, and as the invoice owes.',
    ],
  },
};

export const BANK_HELP: Help = {
  summary: 'what banks say about our accounts',
  verbs: {
    account: [
      'add --account ID [--iban IBAN | --sort-code CODE --number NUMBER] [--currency CURRENCY] --reason TEXT',
      'Adds an account whose statements are imported, by default the one that buyers pay to. `bank account list` lists them.',
    ],
    import: [
      'FILE… --reason TEXT',
      'Reads statements (camt.053) and notifications (camt.054), settles what names its invoices, and queues the rest.',
    ],
    statements: ['[--account ID] [--limit N]', 'Lists what was imported, with balances, the latest first.'],
    queue: [
      '[--limit N]',
      'Shows the money that waits to be matched, and what it could be for. The look is logged.',
    ],
    match: [
      'TRANSACTION --invoice ID[=AMOUNT]…|--charge|--reverses TRANSACTION --reason TEXT',
      'Says what queued money is for: invoices, a charge of the bank, or a payment that it takes back.',
    ],
    unmatch: ['TRANSACTION --reason TEXT', 'Takes a match back. The money is in the queue again.'],
  },
};
