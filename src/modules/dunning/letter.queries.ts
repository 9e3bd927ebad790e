/** Reminders that an operator prints: the waiting and the printed ones. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { DunningKind } from '#modules/invoices';
import type { MailingParties } from './dunning-mailing.queries.ts';

/** The number of invoices in one letter. A buyer that owes more gets another letter about the rest. */
const INVOICES_OF_LETTER_MAX = 500;

/** The invoices that wait to be printed for a buyer and a creditor in one letter. */
export interface WaitingLetter extends MailingParties {
  invoices: number;
  /** The earliest due day of these invoices. */
  dueOn: string;
  /** Unix seconds. */
  waitsSince: number;
}

/** Lists the longest waiting first. */
export async function listWaitingLetters(
  db: Db,
  platformId: number,
  { buyerExternalId, limit }: { buyerExternalId: string | null; limit: number },
): Promise<WaitingLetter[]> {
  const { rows } = await sql<WaitingLetter>`
    select i.buyer_external_id as "buyerExternalId", c.creditor, count(*)::int as invoices, min(i.due_on) as "dueOn",
      min(d.updated_at) as "waitsSince"
    from invoice_dunnings d
    join invoices i on i.platform_id = ${platformId} and i.external_id = d.invoice_external_id
    cross join lateral (select case when i.is_financed then '' else i.merchant_external_id end as creditor) c
    where d.platform_id = ${platformId} and d.status = 'PAUSED' and d.paused_by = 'LETTER'
      and (${buyerExternalId}::text is null or i.buyer_external_id = ${buyerExternalId})
    group by i.buyer_external_id, c.creditor
    order by min(d.updated_at), i.buyer_external_id, c.creditor limit ${limit}`.execute(db);
  return rows;
}

/** The invoices of a buyer for a letter: those that wait for it, then those due before `dueBy`, the oldest first. */
export async function listInvoicesOfLetter(
  db: Db,
  platformId: number,
  { buyerExternalId, creditor, dueBy }: MailingParties & { dueBy: string },
): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`
    select i.external_id from invoices i
    left join invoice_dunnings d on d.platform_id = ${platformId} and d.invoice_external_id = i.external_id
    where i.platform_id = ${platformId} and i.buyer_external_id = ${buyerExternalId} and i.status in ('OPEN', 'DUE')
      and ${creditor} = case when i.is_financed then '' else i.merchant_external_id end
      and (d.paused_by = 'LETTER' or i.due_on < ${dueBy})
    order by coalesce(d.paused_by = 'LETTER', false) desc, i.due_on, i.external_id
    limit ${INVOICES_OF_LETTER_MAX}`.execute(db);
  return rows.map(({ external_id }) => external_id);
}

/** A letter that was printed. */
export interface PrintedLetter extends MailingParties {
  letterId: string;
  kind: DunningKind;
  printedOn: string;
  printedBy: string;
}

const printedColumns = sql`mailing_id as "letterId", buyer_external_id as "buyerExternalId", creditor, kind,
  mailed_on as "printedOn", printed_by as "printedBy"`;

/** Lists the letters of one buyer or of all, the latest first. */
export async function listPrintedLetters(
  db: Db,
  platformId: number,
  { buyerExternalId, limit }: { buyerExternalId: string | null; limit: number },
): Promise<PrintedLetter[]> {
  const { rows } = await sql<PrintedLetter>`
    select ${printedColumns} from dunning_mailings
    where platform_id = ${platformId} and channel = 'LETTER'
      and (${buyerExternalId}::text is null or buyer_external_id = ${buyerExternalId})
    order by created_at desc, mailing_id limit ${limit}`.execute(db);
  return rows;
}

export async function findPrintedLetter(
  db: Db,
  platformId: number,
  letterId: string,
): Promise<PrintedLetter | undefined> {
  const { rows } = await sql<PrintedLetter>`
    select ${printedColumns} from dunning_mailings
    where platform_id = ${platformId} and mailing_id = ${letterId} and channel = 'LETTER'`.execute(db);
  return rows[0];
}
