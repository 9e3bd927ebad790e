/** The help of the commands. */

import type { CommandHelp } from './command.ts';
import type { COMMANDS } from './commands.ts';
import { EVENTS_HELP, LISTEN_HELP, TRIGGER_HELP } from './event-help.ts';
import { CHARGE_HELP, DISPUTE_HELP, DUNNING_HELP, LATE_PAYMENT_HELP, STATEMENT_HELP } from './late-help.ts';
import { MAIL_HELP } from './mail-help.ts';
import {
  BANK_HELP,
  LEDGER_HELP,
  PAYEE_HELP,
  PAYMENT_HELP,
  PAYOUT_HELP,
  SERVICE_FEE_HELP,
  SERVICE_HELP,
} from './money-help.ts';
import { CELL_HELP, PLATFORM_HELP } from './platform-help.ts';

/** `…` after an option: it can be repeated. The options of all commands are in FOOTER. */
export const HELP: Record<keyof typeof COMMANDS, CommandHelp> = {
  serve: {
    summary: 'start the service',
    verbs: { '': ['[--empty]', 'Creates the database at the first start. --empty leaves out the demo.'] },
  },
  migrate: {
    summary: 'create the database, or migrate it to this version',
    verbs: {
      '': [
        '[--check]',
        'Migrates the database and exits. --check only lists the migrations, and whether the running version continues to work after each.',
      ],
    },
  },
  distribute: {
    summary: 'spread the tables over the nodes of a cluster of Citus',
    verbs: {
      '': [
        '[--check]',
        'Distributes the tables of a migrated database by platform; run it again after an interruption. --check lists where each table goes and is, and fails if they differ; and where statements go, if Citus counts them.',
      ],
    },
  },
  platform: PLATFORM_HELP,
  cell: CELL_HELP,
  operator: {
    summary: 'the people who may change what no API key may',
    verbs: {
      'new-key': ['', 'Creates a key and prints it with its hash. The person runs it; it needs no database.'],
      add: [
        'ID --email ADDRESS --role VIEW|CREDIT|FINANCE|ADMIN [--key-hash HASH] --reason TEXT',
        'Adds an operator, whose key has this hash. The first one of a platform can leave it out and is shown a key.',
      ],
      list: ['', 'Lists the operators.'],
      disable: ['ID --reason TEXT', 'Disables an operator permanently.'],
      'rotate-key': ['', 'Replaces your own key and prints the new one, once.'],
    },
  },
  approval: {
    summary: 'changes that wait for a second operator',
    verbs: {
      list: [
        '[--status PROPOSED,…]',
        'Lists the changes that wait for approval, or those with another status.',
      ],
      show: ['ID', 'Shows what would change.'],
      approve: ['ID --reason TEXT', 'Makes the change.'],
      reject: ['ID --reason TEXT', 'Closes it without the change.'],
    },
  },
  audit: {
    summary: 'what operators did',
    verbs: {
      list: ['[--after POSITION]', 'Lists the entries; with --json a line for each.'],
      verify: [
        '[--head HEAD]',
        'Finds entries that were changed or removed, and prints the head of the log.',
      ],
    },
  },
  verify: {
    summary: 'whether the totals of lists are what their rows say',
    verbs: {
      '': [
        '[--correct]',
        'Counts the rows of the lists of a platform again, and reports each wrong total. --correct corrects them.',
      ],
    },
  },
  key: {
    summary: 'API keys of a platform',
    verbs: {
      create: [
        '[--name NAME] [--scopes read,orders:write] [--merchant ID] [--expires-in-days DAYS]',
        'Creates an API key and prints it, once.',
      ],
      list: ['', 'Lists the keys, without their secrets.'],
      rotate: [
        '--key ID [--overlap-hours 24]',
        'Creates a successor. The old key works until the overlap ends.',
      ],
      revoke: ['--key ID', 'Ends a key within 5 seconds.'],
    },
  },
  registry: {
    summary: 'files of business registries',
    verbs: {
      import: [
        'FILE --reason TEXT [--format gleif|companies-house|csv] [--refused FILE] [--again] [--platform CODE]',
        'Imports a file that two operators approved. Run it again to resume; --again imports a finished file again.',
      ],
      status: ['', 'Counts the companies and lists the imports.'],
    },
  },
  policy: {
    summary: 'the credit policy',
    verbs: {
      show: [
        '[--version N] [--at DAY]',
        'Shows the policy in force, now or at the end of a day, or a stored version; with --json its file.',
      ],
      list: ['', 'Lists the stored versions.'],
      history: ['', 'Lists every activation.'],
      validate: ['FILE', 'Lists every fault of a policy file. Needs no database.'],
      activate: [
        'FILE|VERSION --reason TEXT',
        'Proposes to put a policy in force, for a second operator to approve.',
      ],
      backtest: [
        'FILE|VERSION [--against VERSION] [--chart FILE.svg]',
        'Decides past applications again and compares the results.',
      ],
    },
  },
  facility: {
    summary: 'credit facilities of buyers',
    verbs: {
      show: [
        '--buyer ID [--entity] [--at DAY] [--known-at DAY]',
        'Shows a facility and the latest entries of its ledger, or with --entity the buyers of the same company. With a day, the ledger as of its end, or as known then.',
      ],
      list: ['[--status ACTIVE,…]', 'Lists the facilities.'],
      freeze: ['--buyer ID --reason TEXT', 'Refuses new orders on credit.'],
      unfreeze: [
        '--buyer ID --reason TEXT',
        'Proposes to allow them again, for a second operator to approve.',
      ],
    },
  },
  decision: {
    summary: 'credit decisions and their reasons',
    verbs: {
      list: ['--buyer ID', 'Lists the decisions about a buyer.'],
      show: ['DECISION', 'Shows one with its inputs, rules and reasons.'],
      export: ['DECISION', 'Prints everything that it used, as JSON, for the person whom it concerns.'],
      explain: ['DECISION --what-if INPUT=VALUE…', 'Evaluates it again with other inputs. Stores nothing.'],
    },
  },
  review: {
    summary: 'applications that a person decides',
    verbs: {
      list: ['[--status OPEN,…] [--buyer ID]', 'Lists the reviews that wait, or those with another status.'],
      show: ['--review ID', 'Shows why a person must decide, and what happened so far.'],
      decide: [
        '--review ID --outcome accept|reject [--limit AMOUNT] --reason TEXT',
        'Decides a review, within the limit that the policy proposed; reject confirms an insolvency.',
      ],
      override: [
        '--review ID|--buyer ID [--limit AMOUNT] --reason TEXT',
        'Proposes a limit against the policy, or without one to lift an insolvency, for a second operator to approve.',
      ],
      approve: ['--review ID --reason TEXT', 'Grants a proposed override.'],
      refuse: ['--review ID --reason TEXT', 'Refuses a proposed override.'],
    },
  },
  limits: {
    summary: 'the limit policy and the price table',
    verbs: {
      show: [
        '[--buyer ID] [--at DAY]',
        'Shows each setting and where it comes from, now or at the end of a day.',
      ],
      history: ['[--buyer ID]', 'Lists every version of the settings.'],
      set: [
        '[--buyer ID --expires DATE] --reason TEXT [--counts ORDERS|INVOICES] [--tolerance-percent N] [--overdue-stop-amount AMOUNT] ' +
          '[--overdue-stop-days DAYS] [--overdue-residue-amount AMOUNT] [--overdue-grace-days DAYS] ' +
          '[--default-materiality-amount AMOUNT] [--confirmation-limit-days DAYS] [--authorization-limit-days DAYS] [--price-table FILE]',
        'Sets it for the platform, or for one buyer until a date. The value `default` unsets a setting. AMOUNT: in the currency of the platform; other currencies take the same number of minor units.',
      ],
      clear: ['[--buyer ID] --reason TEXT', 'Unsets all of it.'],
    },
  },
  payment: PAYMENT_HELP,
  bank: BANK_HELP,
  ledger: LEDGER_HELP,
  merchant: {
    summary: 'who may sell',
    verbs: {
      list: ['[--status PENDING,…]', 'Lists the merchants.'],
      activate: ['--merchant ID --reason TEXT', 'Lets a merchant sell.'],
      deactivate: ['--merchant ID --reason TEXT', 'Stops new orders with a merchant.'],
    },
  },
  service: SERVICE_HELP,
  'service-fee': SERVICE_FEE_HELP,
  charge: CHARGE_HELP,
  dispute: DISPUTE_HELP,
  statement: STATEMENT_HELP,
  dunning: DUNNING_HELP,
  'late-payment': LATE_PAYMENT_HELP,
  payee: PAYEE_HELP,
  payout: PAYOUT_HELP,
  checkout: {
    summary: 'links to the hosted checkout',
    verbs: {
      link: ['ORDER', 'Creates a link to the checkout of a draft.'],
      revoke: ['ORDER', 'Revokes every link of an order.'],
    },
  },
  buyer: {
    summary: "links to the buyer's own page",
    verbs: { link: ['BUYER [--invoice ID]', 'Creates a link to the page of a buyer, valid for 90 days.'] },
  },
  mail: MAIL_HELP,
  listen: LISTEN_HELP,
  trigger: TRIGGER_HELP,
  events: EVENTS_HELP,
  archive: {
    summary: 'events in files, before they are deleted',
    verbs: {
      events: [
        '--out FOLDER [--until DAY|INSTANT]',
        'Adds the events that are not in the folder yet, with their deliveries and attempts, as CSV. Run it again to continue.',
      ],
      verify: ['FOLDER', 'Reports each file that is missing or was changed since it was written.'],
    },
  },
  openapi: { summary: 'the description of the API', verbs: { '': ['', 'Prints openapi.json.'] } },
};

const WIDTH = 96;

const FOOTER = `Options of every command:
  --platform CODE   the platform to work on; default: the first one
  --json            print JSON: amounts in minor units, instants in Unix seconds
  --help            print the help of a command, also as \`tradeline help COMMAND\`

Commands work on the data next to the program, or on that of TRADELINE_DATA_DIR, DATABASE_URL or the
service of TRADELINE_READY_FILE, and report on standard error which one it is. Commands that change
something need an operator key in TRADELINE_OPERATOR_KEY, or in the file of
TRADELINE_OPERATOR_KEY_FILE. config.default.env describes every setting.

Exit codes: 0 done, 1 failed or refused, 2 wrong arguments, 130 stopped by a signal, 141 output
not read to its end.
`;

/** The longest name of a command is this long. */
const NAME_WIDTH = 12;

const lineOf = (name: string, text: string) =>
  `${folded(text, `  ${name.padEnd(NAME_WIDTH)} `, ' '.repeat(NAME_WIDTH + 4))}\n`;

/** All commands, one line each. */
export function generalHelp(): string {
  const lines = Object.entries(HELP).map(([name, { summary, verbs }]) => {
    const names = Object.keys(verbs).filter((verb) => verb !== '');
    const text = names.length === 0 ? summary : `${summary}: ${names.join(', ')}`;
    return lineOf(name, text);
  });
  const others = `${lineOf('help', 'print this, or the help of a command')}${lineOf('--version', 'print the version')}`;
  return `Usage: tradeline <command>\n\n${lines.join('')}${others}\n${FOOTER}`;
}

/** The verbs of one command with their arguments. */
export function commandHelp(name: keyof typeof COMMANDS): string {
  const { summary, verbs } = HELP[name];
  const blocks = Object.entries(verbs).map(([verb, [usage, meaning]]) => {
    const command = ['tradeline', name, verb, usage].filter((part) => part !== '').join(' ');
    return `${folded(command, '  ', '      ')}\n${folded(meaning, '      ', '      ')}\n`;
  });
  return `tradeline ${name}: ${summary}\n\n${blocks.join('\n')}\n${FOOTER}`;
}

/** Wraps the text between words. An option and its value count as one word. */
function folded(text: string, first: string, next: string): string {
  const lines = [first];
  for (const word of text.match(/\[[^\]]*\]…?|\S+/g) ?? []) {
    const line = lines.at(-1) ?? '';
    const isEmpty = line.trim() === '';
    if (!isEmpty && line.length + word.length + 1 > WIDTH) lines.push(`${next}${word}`);
    else lines[lines.length - 1] = isEmpty ? `${line}${word}` : `${line} ${word}`;
  }
  return lines.join('\n');
}
