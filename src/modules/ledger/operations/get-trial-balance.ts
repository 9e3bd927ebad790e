import { Type } from 'typebox';
import { CURRENCIES } from '#kernel/currency';
import { CurrencySchema, closed } from '#kernel/fields';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { ACCOUNT_CODES } from '../account.rules.ts';
import { asOfSeconds } from '../as-of.rules.ts';
import { type Balance, listAccountBalances } from '../balance.queries.ts';
import { asOfParameters, partyShown, sidesOf, TrialBalance } from '../ledger.schemas.ts';

export const getTrialBalance = operation({
  id: 'getTrialBalance',
  summary: 'Retrieve the trial balance',
  description:
    'The balance of every account that has entries, and the sums of both sides for each currency. With `at`, the balances as of an ' +
    "instant of the platform's clock. With `known_at`, the balances as they were known at that instant. Currencies are never added.",
  tag: 'Ledger',
  scope: 'ledger:read',
  effect: 'read',
  query: closed({ ...asOfParameters, currency: Type.Optional(CurrencySchema) }),
  status: 200,
  response: TrialBalance,
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: { query: { currency: 'EUR' } },
  async run({ db, platformId, caller }, { query }) {
    assertPlatformWide(caller);
    const balances = await listAccountBalances(db, platformId, asOfSeconds(query), query.currency);
    const inOrder = balances.toSorted((one, other) => placeOf(one) - placeOf(other));
    const items = inOrder.map(({ account, party, currency, balance }) => ({
      account,
      party: partyShown(party),
      currency,
      ...sidesOf(balance),
    }));
    const totals = CURRENCIES.map((currency) => {
      const of = items.filter((item) => item.currency === currency);
      const sum = (side: 'debit' | 'credit') => of.reduce((total, item) => total + item[side], 0n);
      return { isEmpty: of.length === 0, currency, debit: sum('debit'), credit: sum('credit') };
    });
    const shown = totals.filter(({ isEmpty }) => !isEmpty).map(({ isEmpty: _, ...total }) => total);
    return { body: { items, totals: shown } };
  },
});

/** The position of a balance: by currency, then in the order of the accounts. */
const placeOf = ({ account, currency }: Balance) =>
  CURRENCIES.indexOf(currency) * ACCOUNT_CODES.length + ACCOUNT_CODES.indexOf(account);
