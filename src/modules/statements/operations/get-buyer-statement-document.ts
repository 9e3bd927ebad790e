import { Type } from 'typebox';
import { localDayOf } from '#kernel/local-day';
import { notFound } from '#kernel/problem';
import { findBuyerName } from '#modules/buyers';
import { operation } from '#operation/operation';
import { documentFile } from '../document-file.ts';
import { StatementParams, StatementQuery } from '../statement.schemas.ts';
import { periodOf, statementOf } from '../statement.ts';
import { statementDocumentOf } from '../statement-document.ts';

export const getBuyerStatementDocument = operation({
  id: 'getBuyerStatementDocument',
  summary: 'Retrieve the statement of account as a PDF',
  description:
    "The statement in the buyer's language, as a tagged PDF (PDF/UA-1) with its open invoices, the computation of interest, and " +
    'the account to pay to. The same statement always has the same bytes.',
  tag: 'Buyers',
  scope: 'read',
  effect: 'read',
  params: StatementParams,
  query: StatementQuery,
  status: 200,
  answersFile: ['application/pdf'],
  response: Type.Null(),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' }, query: { from: '1762000000' } },
  async run(context, { params, query }) {
    const { db, platformId, timeZone } = context;
    const period = periodOf(context, query);
    const name = await findBuyerName(db, { platformId, externalId: params.external_id });
    if (name === undefined) throw notFound();
    const statement = await statementOf(context, params.external_id, period);
    const body = await statementDocumentOf(context, statement);
    const day = localDayOf(statement.at, timeZone);
    return { body: null, file: await documentFile(`statement-${params.external_id}-${day}`, body) };
  },
});
