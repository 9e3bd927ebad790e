/** The statements of account that the page offers. */
import { localDayOf } from '#kernel/local-day';
import { getBuyerStatementDocument, listStatementPeriods, type StatementPeriod } from '#modules/statements';
import type { AnsweredFile } from '#operation/file-body';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';

export interface StatementOnPage {
  /** `today`, or a month that has ended: `2026-01`. */
  name: string;
  /** The first day of that month; null for the statement as of now. */
  monthOn: string | null;
  /** The instant of the statement, in unix seconds. */
  at: number;
}

/** Lists the latest first. */
export async function listPageStatements(context: Context, buyer: string): Promise<StatementOnPage[]> {
  return (await listStatementPeriods(context, buyer)).map(({ monthOn, at }) => ({
    ...{ name: nameOf(monthOn), monthOn, at },
  }));
}

/** Null for a statement that is not offered. */
export async function readPageStatement(
  context: Context,
  buyer: string,
  name: string,
): Promise<AnsweredFile | null> {
  const period = (await listStatementPeriods(context, buyer)).find(({ monthOn }) => nameOf(monthOn) === name);
  if (period === undefined) return null;
  const { from, at } = period;
  const file = await runOperation(getBuyerStatementDocument, {
    context,
    input: { params: { external_id: buyer }, query: { from, at } },
    answerOf: (result) => result.file ?? null,
  });
  return file && { ...file, name: fileNameOf(period, context) };
}

const nameOf = (monthOn: string | null) => monthOn?.slice(0, 7) ?? 'today';

/** The same name as in the mail with the statement of a month. */
function fileNameOf({ monthOn, at }: StatementPeriod, { timeZone }: Context): string {
  return `statement-${monthOn?.slice(0, 7) ?? localDayOf(at, timeZone)}.pdf`;
}
