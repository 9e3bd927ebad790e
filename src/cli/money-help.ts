/** The help of the commands about incoming and outgoing money and its books. */
import type { CommandHelp } from './command.ts';

/** Effective until, and recorded until: the end of a day, or an instant. */
const AS_OF = '[--at DAY|INSTANT] [--known-at DAY|INSTANT]';

export const PAYMENT_HELP: CommandHelp = {
  summary: 'unapplied cash: what buyers paid beyond their invoices',
  verbs: {
    list: ['[--buyer ID]', 'Lists the payments with unapplied cash, by buyer, the oldest first.'],
    apply: [
      '--payment ID --invoice ID [--amount AMOUNT] --reason TEXT',
      'Settles another invoice of the buyer with it. Without --amount: as much as is unapplied and as the invoice owes.',
    ],
  },
};

export const BANK_HELP: CommandHelp = {
  summary: 'statements and messages of banks about our accounts',
  verbs: {
    account: [
      'add --account ID [--iban IBAN | --sort-code CODE --number NUMBER] [--currency CURRENCY] --reason TEXT',
      'Adds an account whose statements are imported, by default the one that buyers pay to. `bank account list` lists them.',
    ],
    import: [
      'FILE… --reason TEXT',
      'Reads statements (camt.053), notifications (camt.054) and answers to payments (pain.002). Settles what names its invoices, confirms and fails payouts, and queues the rest.',
    ],
    statements: ['[--account ID] [--limit N]', 'Lists what was imported, with balances, the latest first.'],
    queue: [
      '[--limit N]',
      'Shows the money that waits to be matched and what it could be for, and answers of banks that need a person. The access is logged.',
    ],
    match: [
      'TRANSACTION --invoice ID[=AMOUNT]…|--payout ID|--charge|--reverses TRANSACTION --reason TEXT',
      'Records what queued money is for: invoices, a payout, a charge of the bank, or a payment that it reverses.',
    ],
    unmatch: ['TRANSACTION --reason TEXT', 'Undoes a match. The money is in the queue again.'],
    resolve: ['ANSWER --reason TEXT', 'Records what an answer of the bank in the queue meant.'],
  },
};

export const PAYOUT_HELP: CommandHelp = {
  summary: 'what merchants are paid',
  verbs: {
    list: ['[--status SCHEDULED,…] [--merchant ID]', 'Lists them, those of the last day first.'],
    show: ['ID', 'Shows what a payout is made of.'],
    waiting: ['', 'Lists what is in no payout yet: its day has not come, or no account is verified.'],
    release: ['ID… --reason TEXT', 'Proposes to instruct the bank, for a second operator to approve.'],
    file: [
      '[ID --out FILE]',
      'Writes the files of all released payouts for the bank; with an ID, writes the bytes of one file again. The access is logged.',
    ],
    confirm: ['ID --reason TEXT', 'Records that the bank has paid it.'],
    fail: ['ID --reason TEXT', 'Records that the bank has rejected it.'],
    return: ['ID --reason TEXT', 'Records that the money came back.'],
    retry: ['ID --reason TEXT', 'Schedules a failed payout again, to the current account of the merchant.'],
    cancel: [
      'ID --reason TEXT',
      'Cancels a scheduled payout. What it would have paid waits for the next one.',
    ],
    holiday: [
      '[--currency CURRENCY --day DAY --reason TEXT]',
      'Adds a day on which banks are closed; without options lists the days that were added.',
    ],
  },
};

export const SERVICE_HELP: CommandHelp = {
  summary: 'services on invoices: financing, insurance, collection',
  verbs: {
    list: ['[--status IN_REVIEW,…] [--invoice ID]', 'Lists them, with their unmet requirements.'],
    decide: [
      '--service ID --trigger accept|reject|… --reason TEXT',
      'Records what an insurer or a collector decided, or refuses a service.',
    ],
    'write-off': [
      '--service ID --reason TEXT',
      'Proposes to write a default off, for a second operator to approve.',
    ],
  },
};

export const SERVICE_FEE_HELP: CommandHelp = {
  summary: 'fees of services on invoices, and their taxes',
  verbs: {
    show: ['[--at DAY]', 'Prints the fees in force as a file that `set` takes.'],
    history: ['', 'Lists every version with who set it, who approved it, and why.'],
    set: ['FILE --reason TEXT', 'Proposes these fees, for a second operator to approve.'],
  },
};

export const LEDGER_HELP: CommandHelp = {
  summary: 'the double-entry books',
  verbs: {
    'trial-balance': [
      `${AS_OF} [--currency CURRENCY]`,
      'Prints the balance of every account, and the sums of both sides.',
    ],
    statement: [
      `--account ACCOUNT [--party ID] [--currency CURRENCY] [--from DAY|INSTANT] ${AS_OF} [--limit LINES] [--after POSITION]`,
      'Lists what changed an account, with the running balance.',
    ],
    entry: ['ID', 'Shows an entry with its lines and its hash.'],
    verify: [AS_OF, 'Checks every equation of the books, and reports each difference.'],
    close: [
      '--until DAY --reason TEXT',
      'Proposes to close the books until the end of a day, for a second operator to approve.',
    ],
    export: [
      `${AS_OF} [--currency CURRENCY]`,
      'Prints the journal as CSV, a row for each line of an entry; with --json a line for each entry.',
    ],
  },
};

export const PAYEE_HELP: CommandHelp = {
  summary: 'bank accounts that payouts go to',
  verbs: {
    list: ['[--status UNVERIFIED,…] [--merchant ID]', 'Lists them, with masked account numbers.'],
    show: ['ID', 'Shows the whole account and which other merchants have it. The access is logged.'],
    verify: [
      '--instruction ID --version N --name-check MATCH|CLOSE_MATCH|NOT_AVAILABLE --reason EVIDENCE',
      'Proposes to verify the account as it was shown, for a second operator to approve.',
    ],
    reject: ['--instruction ID --reason TEXT', 'Refuses the account, or revokes its verification.'],
  },
};
