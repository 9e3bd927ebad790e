import { type Static, Type } from 'typebox';
import { CurrencySchema, closed, externalId, named, nullable, oneOf, unixSeconds } from '#kernel/fields';
import { ACCOUNT_CODES } from './account.rules.ts';
import { POSTING_CAUSES } from './cause.rules.ts';

/** A sum or balance in a response, which can exceed what a JavaScript number holds exactly. */
function exactMinorUnits(description: string) {
  return Type.Unsafe<bigint>({ type: 'integer', description });
}

export const AccountSchema = named('LedgerAccount', oneOf(ACCOUNT_CODES, 'An account of the ledger'));

/** The two sides of an amount, of which one is 0. */
const sides = {
  debit: exactMinorUnits('The amount on the debit side, in minor units; 0 if it is on the other side'),
  credit: exactMinorUnits('The amount on the credit side, in minor units; 0 if it is on the other side'),
};

const party = nullable(
  Type.String({
    description: 'The buyer, merchant, bank account or tax category; null if the account has none',
  }),
);

/** The two instants of a question about the ledger. */
export const asOfParameters = {
  at: Type.Optional(unixSeconds('Entries that are effective until this instant. Default: all')),
  known_at: Type.Optional(
    unixSeconds('Entries that were recorded until the end of this second. Default: all'),
  ),
};

export const TrialBalance = closed(
  {
    items: Type.Array(
      closed(
        {
          account: AccountSchema,
          party: nullable(
            Type.String({
              description:
                'The bank account or tax category. Null for all other accounts: those of buyers and merchants are summed up',
            }),
          ),
          currency: CurrencySchema,
          ...sides,
        },
        'TrialBalanceItem',
      ),
      { description: 'Each account that has entries, by currency' },
    ),
    totals: Type.Array(closed({ currency: CurrencySchema, ...sides }, 'TrialBalanceTotal'), {
      description: 'The sums of both sides, which are equal, for each currency',
    }),
  },
  'TrialBalance',
);
export type TrialBalance = Static<typeof TrialBalance>;

const about = {
  entry_id: Type.String({ format: 'uuid', description: 'The id of the entry' }),
  number: nullable(
    Type.Integer({ description: 'The number in the chain of the platform; null for a moment after posting' }),
  ),
  cause: named('PostingCause', oneOf(POSTING_CAUSES, 'Why it was posted')),
  effective_at: unixSeconds("When it is effective, by the platform's clock"),
  belongs_to_at: nullable(
    unixSeconds('The time of the cause, if that is in a closed period; otherwise null'),
  ),
  recorded_at: unixSeconds('When it was recorded, in real time'),
  order_external_id: nullable(externalId('The order that it is about, if any')),
  invoice_external_id: nullable(externalId('The invoice that it is about, if any')),
  payment_id: nullable(Type.String({ description: 'The payment that it is about, if any' })),
  credit_note_external_id: nullable(externalId('The credit note that it is about, if any')),
  service_external_id: nullable(externalId('The invoice service that it is about, if any')),
  payout_external_id: nullable(externalId('The payout that it is about, if any')),
};

export const StatementItem = closed(
  {
    ...about,
    ...sides,
    balance: exactMinorUnits('The balance after it: positive if debits exceed credits'),
  },
  'LedgerStatementItem',
);

export const LedgerStatement = closed(
  {
    account: AccountSchema,
    party,
    currency: CurrencySchema,
    opening_balance: exactMinorUnits('The balance before the first item: positive if debits exceed credits'),
    items: Type.Array(StatementItem, { description: 'In the order in which they are effective' }),
    next: nullable(
      Type.String({ description: 'Pass it as `after` for the next page; null on the last one' }),
    ),
  },
  'LedgerStatement',
);
export type LedgerStatement = Static<typeof LedgerStatement>;

export const PostedLedgerEntry = closed(
  {
    ...about,
    currency: CurrencySchema,
    actor: Type.String({
      description: 'The actor: `api_key:…`, `operator:…`, `buyer`, `service`, `sandbox`',
    }),
    approved_by: nullable(Type.String({ description: 'The second operator, if any' })),
    reverses_entry_id: nullable(
      Type.String({ format: 'uuid', description: 'The entry that this one reverses' }),
    ),
    reversed_by_entry_id: nullable(
      Type.String({ format: 'uuid', description: 'The entry that reverses this one' }),
    ),
    hash: nullable(
      Type.String({
        description:
          'SHA-256 in hexadecimal over the entry and the hash of the previous one; null without a number',
      }),
    ),
    lines: Type.Array(closed({ account: AccountSchema, party, ...sides }, 'LedgerEntryLine'), {
      minItems: 2,
      description: 'At least two. Debits and credits have the same sum',
    }),
  },
  'PostedLedgerEntry',
);
export type PostedLedgerEntry = Static<typeof PostedLedgerEntry>;

/** The amount on its side, as the API shows it. */
export function sidesOf(amount: bigint): { debit: bigint; credit: bigint } {
  return { debit: amount > 0n ? amount : 0n, credit: amount < 0n ? -amount : 0n };
}

export const partyShown = (party: string): string | null => (party === '' ? null : party);
