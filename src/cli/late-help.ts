/** The help of the commands about late payment and disputes. */
import type { CommandHelp } from './command.ts';

export const LATE_PAYMENT_HELP: CommandHelp = {
  summary: 'the law of late payment, its reference rates, and what buyers agreed to',
  verbs: {
    show: [
      '[COUNTRY]',
      'Lists the reference rates and until when they are known; with a country its law, with the source of each value.',
    ],
    history: ['', 'Lists every update of the reference rates with who made it, who approved it, and why.'],
    update: ['FILE --reason TEXT', 'Proposes reference rates, for a second operator to approve.'],
    agree: [
      '--buyer ID --rate PERCENT --on DAY --source TEXT --reason TEXT',
      'Records that a buyer agreed to a rate above the law, for invoices from a day on, and in which document.',
    ],
    agreements: ['[--buyer ID]', 'Lists the rates to which buyers agreed, the latest first.'],
  },
};

export const CHARGE_HELP: CommandHelp = {
  summary: 'what buyers owe for paying late',
  verbs: {
    list: [
      '[--status OPEN,…] [--invoice ID] [--buyer ID]',
      'Lists late charges: the latest first, or all of an invoice.',
    ],
    claim: [
      '--invoice ID [--kind INTEREST,COMPENSATION,REMINDER] [--reminded-on DAY] --reason TEXT',
      'Claims interest until yesterday and the compensation, by the law of the merchant, and prints the computation.',
    ],
    waive: ['CHARGE --reason TEXT', 'Gives up what is owed of a late charge.'],
  },
};

export const DISPUTE_HELP: CommandHelp = {
  summary: 'what buyers contest of what they owe',
  verbs: {
    list: ['[--status OPEN,…] [--invoice ID]', 'Lists disputes: the latest first, or all of an invoice.'],
    show: ['DISPUTE', 'Shows a dispute with the words of the buyer and of the decision.'],
    accept: [
      'DISPUTE [--amount GROSS] [--credit-note ID] [--comment TEXT] --reason TEXT',
      'Credits what is disputed, or a part of it. The buyer can read the comment; the reason is for the audit log.',
    ],
    reject: [
      'DISPUTE [--comment TEXT] --reason TEXT',
      'Rejects a dispute: the amount counts again from today on.',
    ],
    withdraw: [
      'DISPUTE [--comment TEXT] --reason TEXT',
      'Records that the buyer withdraws a dispute: the amount counts again from today on.',
    ],
  },
};

export const STATEMENT_HELP: CommandHelp = {
  summary: 'what a buyer owes, and why',
  verbs: {
    show: [
      'BUYER [--from DAY|INSTANT] [--at DAY|INSTANT]',
      'Shows the statement of account, by default from the first day of the month until now.',
    ],
    print: [
      'BUYER [--from DAY|INSTANT] [--at DAY|INSTANT] --out FILE',
      "Writes it as a PDF in the buyer's language.",
    ],
  },
};

export const DUNNING_HELP: CommandHelp = {
  summary: 'who is reminded of what, and when',
  verbs: {
    plan: [
      '[--merchant ID] [--buyer ID]',
      'Shows the plan of reminders in force: of the platform, a merchant or a buyer.',
    ],
    history: ['', 'Lists every version of the plans with who made it, who approved it, and why.'],
    propose: [
      '[FILE] [--merchant ID] [--buyer ID] [--end] --reason TEXT',
      'Proposes a plan, for a second operator to approve: that of a file, or the default. --end ends it.',
    ],
    list: [
      '[--paused-by OPERATOR] [--kind HAND_OVER]',
      'Lists invoices whose reminders are under way, the longest unchanged first.',
    ],
    show: ['INVOICE', 'Shows what was sent, what comes next, and what stops it.'],
    promise: [
      '--invoice ID [--amount AMOUNT] --until DAY --reason TEXT',
      'Records that the buyer promised to pay: unless it has paid, reminders continue on the day after.',
    ],
    stop: [
      '--invoice ID|--buyer ID|--merchant ID [--until DAY] --reason TEXT',
      'Sends no reminders until the end of a day, or until resume.',
    ],
    freeze: [
      '[--invoice ID|--buyer ID|--merchant ID] --reason TEXT',
      'Freezes the plan, of the platform without an option, until resume.',
    ],
    insolvency: [
      '--buyer ID --reason TEXT',
      'Stops the reminders of an insolvent buyer, freezes its facility, and opens a review.',
    ],
    resume: [
      '[--invoice ID|--buyer ID|--merchant ID] --reason TEXT',
      'Resumes reminders that were stopped with the same option, or that wait for an operator.',
    ],
    letters: ['[--buyer ID] [--printed]', 'Lists the letters that wait to be printed, or those printed.'],
    print: [
      '[LETTER] [--buyer ID] --out FOLDER',
      'Prints the letters that wait, each as a PDF, and takes their steps; with LETTER, prints an earlier one again.',
    ],
  },
};
