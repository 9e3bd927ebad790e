/** What every command can do to what buyers may owe. */

/** Why a command or an operation raises nothing by itself. */
export type Harmless =
  /** It changes nothing. */
  | 'reads'
  /** It can only lower what buyers may owe, or end what an operator or a key may do. */
  | 'lowers'
  /** It concerns something else. */
  | 'other'
  /** It makes a platform or an installation, where nobody owes anything yet. */
  | 'begins'
  /** The credit policy decides on facts, and two operators put the policy in force. */
  | 'policy decides'
  /** In production it does not exist. */
  | 'sandbox only';

/** Command lines that one operator gives, in this order. `$PLATFORM`, `$KEY_HASH`, `$COMPANIES`, `$REVIEW`, `$PRICES` and `$POLICY` are filled in. */
export type Attempts = string[];

const FOR_BUYER = '--buyer plain --expires 2099-12-31 --reason Why';

/** Every command with its verb. */
export const commands: Record<string, Harmless | Attempts> = {
  serve: 'begins',
  distribute: 'other',
  migrate: 'begins',
  openapi: 'reads',
  'platform create': 'begins',
  'platform list': 'reads',
  'platform show': 'reads',
  'platform history': 'reads',
  'platform update': [
    'platform update $PLATFORM --max-payment-term 99999 --reason Why',
    'platform update $PLATFORM --financing-currency EUR --financing-currency JPY --reason Why',
    'platform update $PLATFORM --collection-currency JPY --reason Why',
    'platform update $PLATFORM --min-payout-business-day 1 --reason Why',
    'platform update $PLATFORM --payout-term 0 --reason Why',
    'platform update $PLATFORM --financing-default-days 365 --reason Why',
    'platform update $PLATFORM --enroll-merchants on --reason Why',
    // The merchants pay the fees, before it is tried.
    'platform update $PLATFORM --term-fee-payer BUYER --reason Why',
    // A person decides about every financing, before it is tried.
    'platform update $PLATFORM --financing-review NEVER --reason Why',
    // Hidden beside a stricter one.
    'platform update $PLATFORM --max-payment-term 0 --financing-currency JPY --reason Why',
  ],
  'platform mails': 'other',
  'platform disable': 'lowers',
  // Disabled before it is tried.
  'platform enable': ['platform enable $PLATFORM --reason Why'],
  'platform return-secret': 'other',
  'platform export': 'lowers',
  // What was owed on the other database, and nothing else.
  'platform import': 'begins',
  'platform relocated': 'other',
  cell: 'other',
  // On a machine of the person.
  'operator new-key': 'other',
  'operator add': [
    'operator add cleo --email cleo@x.example --role ADMIN --key-hash $KEY_HASH --reason Why',
    // Without the other one, and again.
    'operator disable ben --reason Why',
    'operator add dan --email dan@x.example --role CREDIT --key-hash $KEY_HASH --reason Why',
  ],
  'operator list': 'reads',
  'operator disable': 'lowers',
  'operator rotate-key': 'other',
  'approval list': 'reads',
  'approval show': 'reads',
  // Tried after everything else, with all that was proposed.
  'approval approve': [],
  'approval reject': 'lowers',
  'audit list': 'reads',
  'audit verify': 'reads',
  'archive events': 'reads',
  'archive verify': 'reads',
  verify: 'other',
  'key create': 'policy decides',
  'key list': 'reads',
  'key rotate': 'other',
  'key revoke': 'lowers',
  // Credit is granted to what a registry has.
  'registry import': [
    'registry import $COMPANIES --reason Why',
    'registry import $COMPANIES --again --reason Why',
  ],
  'registry status': 'reads',
  'policy show': 'reads',
  'policy list': 'reads',
  'policy history': 'reads',
  'policy validate': 'reads',
  'policy activate': ['policy activate $POLICY --reason Why', 'policy activate 2 --reason Why'],
  'policy backtest': 'reads',
  'facility show': 'reads',
  'facility list': 'reads',
  'facility freeze': 'lowers',
  'facility unfreeze': ['facility unfreeze --buyer frozen --reason Why'],
  'decision list': 'reads',
  'decision show': 'reads',
  'decision export': 'reads',
  'decision explain': 'reads',
  'review list': 'reads',
  'review show': 'reads',
  // Up to the policy's proposal one operator decides: the policy was the other pair of eyes.
  'review decide': ['review decide --review $REVIEW --outcome accept --limit 10,000,000,000.00 --reason Why'],
  'review override': [
    'review override --review $REVIEW --limit 900,000.00 --reason Why',
    'review override --buyer z-rejected --limit 900,000.00 --reason Why',
  ],
  'review approve': ['review approve --review $REVIEW --reason Why'],
  'review refuse': 'lowers',
  'limits show': 'reads',
  'limits history': 'reads',
  'limits set': [
    'limits set --tolerance-percent 25 --reason Why',
    'limits set --overdue-stop-amount 1000000000000 --reason Why',
    'limits set --overdue-stop-days 3650 --reason Why',
    'limits set --overdue-residue-amount 1000000000000 --reason Why',
    'limits set --overdue-grace-days 3650 --reason Why',
    'limits set --confirmation-limit-days 365 --reason Why',
    'limits set --authorization-limit-days 365 --reason Why',
    'limits set --default-materiality-amount 1000000000000 --reason Why',
    'limits set --counts INVOICES --reason Why',
    'limits set --price-table $PRICES --reason Why',
    // Hidden between stricter ones.
    'limits set --overdue-stop-days 0 --tolerance-percent 25 --reason Why',
    `limits set --tolerance-percent 25 ${FOR_BUYER}`,
    `limits set --counts INVOICES ${FOR_BUYER}`,
  ],
  'limits clear': [
    // Stricter for a while, and not any more.
    `limits set --overdue-stop-days 0 ${FOR_BUYER}`,
    'limits clear --buyer plain --reason Why',
    'limits set --overdue-stop-days 0 --reason Why',
    'limits clear --reason Why',
    'limits set --overdue-stop-days default --reason Why',
  ],
  'service list': 'reads',
  // A financing is only refused or cancelled so.
  'service decide': 'other',
  // What is owed stays owed.
  'service write-off': 'other',
  'service-fee show': 'reads',
  'statement show': 'reads',
  'statement print': 'reads',
  'service-fee history': 'reads',
  // A price: what merchants pay, not what buyers may owe.
  'service-fee set': 'other',
  'charge list': 'reads',
  // Beside the credit: a late charge uses nothing of a limit.
  'charge claim': 'other',
  'charge waive': 'lowers',
  'dispute list': 'reads',
  'dispute show': 'reads',
  'dispute accept': 'lowers',
  'dispute reject': 'lowers',
  'dispute withdraw': 'lowers',
  'dunning plan': 'reads',
  'dunning history': 'reads',
  'dunning list': 'reads',
  'dunning show': 'reads',
  // Whom to remind of what is owed already.
  'dunning propose': 'other',
  'dunning promise': 'other',
  'dunning stop': 'other',
  'dunning freeze': 'other',
  'dunning insolvency': 'lowers',
  'dunning resume': 'other',
  'dunning letters': 'reads',
  'dunning print': 'other',
  'late-payment show': 'reads',
  'late-payment history': 'reads',
  // Interest on what is owed already.
  'late-payment update': 'other',
  'late-payment agree': 'other',
  'late-payment agreements': 'reads',
  'payee list': 'reads',
  'payee show': 'reads',
  'payee verify': 'other',
  'payee reject': 'other',
  'payout list': 'reads',
  'payout show': 'reads',
  'payout waiting': 'reads',
  // What the platform owes merchants is another matter.
  'payout release': 'other',
  'payout file': 'other',
  'payout confirm': 'other',
  'payout fail': 'other',
  'payout return': 'other',
  'payout retry': 'other',
  'payout cancel': 'other',
  'payout holiday': 'other',
  'payment list': 'reads',
  // The money is there already: it frees credit as a payment does, and the limit stays.
  'payment apply': 'other',
  // Money that came in is matched as payments are recorded by the API.
  'bank account': 'other',
  'bank import': 'other',
  'bank statements': 'reads',
  'bank queue': 'reads',
  'bank match': 'other',
  'bank unmatch': 'other',
  'bank resolve': 'other',
  'ledger trial-balance': 'reads',
  'ledger statement': 'reads',
  'ledger entry': 'reads',
  'ledger verify': 'reads',
  'ledger close': 'other',
  'ledger export': 'reads',
  'merchant list': 'reads',
  // An order of a merchant takes of a limit; it does not raise it.
  'merchant activate': 'other',
  'merchant deactivate': 'lowers',
  'checkout link': 'policy decides',
  'checkout revoke': 'lowers',
  'buyer link': 'reads',
  listen: 'reads',
  // Through operations of the API, which have lines of their own.
  trigger: 'sandbox only',
  'events tail': 'reads',
  'mail list': 'reads',
  'mail notices': 'reads',
  'mail preview': 'reads',
  'mail retry': 'other',
};
