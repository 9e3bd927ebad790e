/** The effect that every command can have on the amount that buyers may owe. */

/** Why a command or an operation alone cannot raise the amount. */
export type Harmless =
  /** It changes nothing. */
  | 'reads'
  /** It can only lower the amount, or remove rights of an operator or a key. */
  | 'lowers'
  /** It concerns something else. */
  | 'other'
  /** It creates a platform or an installation, in which no buyer owes anything yet. */
  | 'begins'
  /** The credit policy decides on facts, and two operators put the policy in force. */
  | 'policy decides'
  /** It does not exist in production. */
  | 'sandbox only';

/**
 * Command lines that one operator runs, in this order. `$PLATFORM`, `$KEY_HASH`, `$COMPANIES`, `$REVIEW`, `$PRICES` and `$POLICY` are
 * filled in.
 */
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
    // Before the attempt, the merchants pay the fees.
    'platform update $PLATFORM --term-fee-payer BUYER --reason Why',
    // Before the attempt, a person decides every financing.
    'platform update $PLATFORM --financing-review NEVER --reason Why',
    // Hidden next to a stricter setting.
    'platform update $PLATFORM --max-payment-term 0 --financing-currency JPY --reason Why',
  ],
  'platform mails': 'other',
  'platform disable': 'lowers',
  // Disabled before the attempt.
  'platform enable': ['platform enable $PLATFORM --reason Why'],
  'platform return-secret': 'other',
  'platform export': 'lowers',
  // Only the debts in the other database.
  'platform import': 'begins',
  'platform relocated': 'other',
  cell: 'other',
  // Runs on the person's own machine.
  'operator new-key': 'other',
  'operator add': [
    'operator add cleo --email cleo@x.example --role ADMIN --key-hash $KEY_HASH --reason Why',
    // Without the other operator, and again.
    'operator disable ben --reason Why',
    'operator add dan --email dan@x.example --role CREDIT --key-hash $KEY_HASH --reason Why',
  ],
  'operator list': 'reads',
  'operator disable': 'lowers',
  'operator rotate-key': 'other',
  'approval list': 'reads',
  'approval show': 'reads',
  // Tried after everything else, with all proposals.
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
  // Credit is granted to companies of a registry.
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
    // Hidden between stricter settings.
    'limits set --overdue-stop-days 0 --tolerance-percent 25 --reason Why',
    `limits set --tolerance-percent 25 ${FOR_BUYER}`,
    `limits set --counts INVOICES ${FOR_BUYER}`,
  ],
  'limits clear': [
    // Stricter for a while, then no longer.
    `limits set --overdue-stop-days 0 ${FOR_BUYER}`,
    'limits clear --buyer plain --reason Why',
    'limits set --overdue-stop-days 0 --reason Why',
    'limits clear --reason Why',
    'limits set --overdue-stop-days default --reason Why',
  ],
  'service list': 'reads',
  // This only rejects or cancels a financing.
  'service decide': 'other',
  // Debts remain.
  'service write-off': 'other',
  'service-fee show': 'reads',
  'statement show': 'reads',
  'statement print': 'reads',
  'service-fee history': 'reads',
  // A price that merchants pay, not an amount that buyers may owe.
  'service-fee set': 'other',
  'charge list': 'reads',
  // Independent of credit: a late charge uses no limit.
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
  // Which buyers are reminded of existing debts.
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
  // Interest on existing debts.
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
  // Concerns only the platform's debts to merchants.
  'payout release': 'other',
  'payout file': 'other',
  'payout confirm': 'other',
  'payout fail': 'other',
  'payout return': 'other',
  'payout retry': 'other',
  'payout cancel': 'other',
  'payout holiday': 'other',
  'payment list': 'reads',
  // The money has already been received. It frees credit like a payment; the limit stays.
  'payment apply': 'other',
  // Received money is matched, like payments recorded through the API.
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
  // An order uses a limit; it does not raise it.
  'merchant activate': 'other',
  'merchant deactivate': 'lowers',
  'checkout link': 'policy decides',
  'checkout revoke': 'lowers',
  'buyer link': 'reads',
  listen: 'reads',
  // Uses operations of the API, which are listed separately.
  trigger: 'sandbox only',
  'events tail': 'reads',
  'mail list': 'reads',
  'mail notices': 'reads',
  'mail preview': 'reads',
  'mail retry': 'other',
};
