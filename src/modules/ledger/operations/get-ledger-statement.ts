import { Type } from 'typebox';
import { CurrencySchema, closed, unixSeconds } from '#kernel/fields';
import { type Issue, invalidRequest } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { LIMIT_MAX, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { ACCOUNTS, type AccountCode } from '../account.rules.ts';
import { asOfSeconds } from '../as-of.rules.ts';
import { AccountSchema, asOfParameters, LedgerStatement, partyShown, sidesOf } from '../ledger.schemas.ts';
import { aboutEntry } from '../shown-entry.ts';
import {
  findOpeningBalance,
  listStatementLines,
  type StatementLine,
  type StatementPosition,
  statementStart,
} from '../statement.queries.ts';

export const getLedgerStatement = operation({
  id: 'getLedgerStatement',
  summary: 'List the changes of an account',
  description:
    'Every line of one account of the ledger, or of one party on it, with the running balance. For the next page, pass `next` ' +
    'as `after`.',
  tag: 'Ledger',
  scope: 'ledger:read',
  effect: 'read',
  query: closed({
    account: AccountSchema,
    party: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[a-zA-Z0-9_-]+$',
        description:
          'The external_id of the buyer or merchant, the bank account or the tax category. Required if the account has one',
      }),
    ),
    currency: CurrencySchema,
    from: Type.Optional(unixSeconds('Lines that are effective from this instant on. Default: all')),
    ...asOfParameters,
    after: Type.Optional(
      Type.String({ pattern: '^\\d{1,12}-\\d{1,15}-\\d{1,9}$', description: '`next` of the previous page' }),
    ),
    limit: paging.limit,
  }),
  status: 200,
  response: LedgerStatement,
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: {
    query: { account: 'buyer_receivable', party: 'cafe-morgenrot', currency: 'EUR', from: '1763640000' },
  },
  async run({ db, platformId, caller }, { query }) {
    assertPlatformWide(caller);
    const { account, party = '', currency, from = 0, limit = LIMIT_MAX } = query;
    assertParty(account, party);
    const key = { account, party, currency };
    const asOf = asOfSeconds(query);
    const after = query.after === undefined ? statementStart(from) : positionIn(query.after);
    // One line more shows whether another page follows. Lines are never changed, so both statements see the same state.
    const read = await listStatementLines(db, platformId, key, asOf, { after, countMax: limit + 1 });
    const opening = await findOpeningBalance(db, platformId, key, asOf, after);
    const lines = read.slice(0, limit);
    const last = lines.at(-1);
    return {
      body: {
        ...{ account, party: partyShown(party), currency, opening_balance: opening },
        items: withBalances(lines, opening),
        next: read.length > limit && last ? positionAfter(last) : null,
      },
    };
  },
});

function withBalances(lines: readonly StatementLine[], opening: bigint) {
  let balance = opening;
  return lines.map((line) => {
    balance += BigInt(line.amount);
    return { ...aboutEntry(line), ...sidesOf(BigInt(line.amount)), balance };
  });
}

function assertParty(account: AccountCode, party: string): void {
  const kind = ACCOUNTS[account].party;
  if ((kind === null) === (party === '')) return;
  const issue: Issue = {
    code: kind === null ? 'INVALID_VALUE' : 'REQUIRED',
    path: 'query.party',
    message: kind === null ? `must be left out: ${account} has no party` : `is required: a ${kind}`,
  };
  throw invalidRequest([issue]);
}

const positionAfter = ({ effective_at, ordinal, line }: StatementLine) =>
  `${effective_at}-${ordinal}-${line}`;

function positionIn(text: string): StatementPosition {
  const [effectiveAt = 0, ordinal = 0, line = 0] = text.split('-').map(Number);
  return { effectiveAt, ordinal, line };
}
