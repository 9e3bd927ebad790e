import { notFound } from '#kernel/problem';
import { findBuyerName } from '#modules/buyers';
import { operation } from '#operation/operation';
import { BuyerStatement, StatementParams, StatementQuery } from '../statement.schemas.ts';
import { periodOf, statementOf } from '../statement.ts';

export const getBuyerStatement = operation({
  id: 'getBuyerStatement',
  summary: 'Retrieve the statement of account of a buyer',
  description:
    'What the buyer owed before the period, every invoice, payment, credit note and late charge in it, and what is owed at its end, ' +
    'by currency. Everything counts from when it was recorded, so a statement of the past never changes. A key that is ' +
    "restricted to a merchant gets that merchant's invoices. At most 2,000 entries.",
  tag: 'Buyers',
  scope: 'read',
  effect: 'read',
  params: StatementParams,
  query: StatementQuery,
  status: 200,
  response: BuyerStatement,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' }, query: { from: '1762000000' } },
  async run(context, { params, query }) {
    const { db, platformId } = context;
    const period = periodOf(context, query);
    const name = await findBuyerName(db, { platformId, externalId: params.external_id });
    if (name === undefined) throw notFound();
    return { body: await statementOf(context, params.external_id, period) };
  },
});
