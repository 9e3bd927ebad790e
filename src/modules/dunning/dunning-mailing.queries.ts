/** Mailings to buyers: one for each buyer, creditor and day. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { dueColumn } from '#infra/time/due-column.queries';
import type { DunningKind } from '#modules/invoices';
import type { DunningChannel, DunningTone } from './dunning-plan.rules.ts';

const mailingsTable = table('dunning_mailings', {
  platform_id: 'int',
  mailing_id: 'text',
  buyer_external_id: 'text',
  creditor: 'text',
  mailed_on: 'text',
  kind: text<DunningKind>(),
  tone: text<DunningTone>(),
  pay_by: 'text',
  compositions: 'int',
  check_at: 'bigint',
  created_at: 'bigint',
  document_sealed: 'bytea',
  channel: text<DunningChannel>(),
  printed_by: 'text',
});

/** A mailing to a buyer. */
export type MailingRow = RowOf<typeof mailingsTable>;

/** Mailings of which it is to be checked whether their mail was withdrawn. */
export const checkedMailings = dueColumn({
  table: 'dunning_mailings',
  column: 'check_at',
  key: 'mailing_id',
  resource: 'invoice',
  trigger: 'check_mailing',
});

/** Whom a mailing is for, and from whom. */
export interface MailingParties {
  buyerExternalId: string;
  /** The merchant; empty where the claims are the platform's. */
  creditor: string;
}

/** The last day on which each of these buyers got a mailing of each creditor. */
export async function listLastMailings(
  db: Db,
  platformId: number,
  buyerExternalIds: readonly string[],
): Promise<(MailingParties & { lastOn: string })[]> {
  const { rows } = await sql<MailingParties & { lastOn: string }>`
    select buyer_external_id as "buyerExternalId", creditor, max(mailed_on) as "lastOn" from dunning_mailings
    where platform_id = ${platformId} and buyer_external_id = any(${buyerExternalIds}::text[])
    group by buyer_external_id, creditor`.execute(db);
  return rows;
}

export async function insertMailing(db: Db, mailing: NewRowOf<typeof mailingsTable>): Promise<void> {
  await db.insertInto('dunning_mailings').values(mailingsTable.insertable(mailing)).execute();
}

/** Locks a mailing that is to be checked by `until` (unix seconds); undefined where it is not any more. */
export async function lockCheckedMailing(
  db: Db,
  platformId: number,
  mailingId: string,
  until: number,
): Promise<MailingRow | undefined> {
  return db
    .selectFrom('dunning_mailings')
    .select(mailingsTable.columns)
    .where('platform_id', '=', platformId)
    .where('mailing_id', '=', mailingId)
    .where('check_at', '<=', until)
    .forNoKeyUpdate()
    .$castTo<MailingRow>()
    .executeTakeFirst();
}

export async function updateMailing(
  db: Db,
  { platform_id, mailing_id }: Pick<MailingRow, 'platform_id' | 'mailing_id'>,
  changes: Partial<Pick<MailingRow, 'check_at' | 'compositions' | 'document_sealed'>>,
): Promise<void> {
  await db
    .updateTable('dunning_mailings')
    .set(mailingsTable.updateable(changes))
    .where('platform_id', '=', platform_id)
    .where('mailing_id', '=', mailing_id)
    .execute();
}

/** The sealed document of a mailing; null where it has none. */
export async function findSealedDocument(
  db: Db,
  platformId: number,
  mailingId: string,
): Promise<Buffer | null> {
  const row = await db
    .selectFrom('dunning_mailings')
    .select('document_sealed')
    .where('platform_id', '=', platformId)
    .where('mailing_id', '=', mailingId)
    .executeTakeFirst();
  return row?.document_sealed ?? null;
}

/** The invoices of which the buyer was reminded with the mailing, and which are still to be paid. */
export async function listInvoicesOfMailing(
  db: Db,
  platformId: number,
  mailingId: string,
): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`
    select i.external_id from dunning_mailings l
    join invoices i on i.platform_id = ${platformId} and i.buyer_external_id = l.buyer_external_id
      and l.creditor = case when i.is_financed then '' else i.merchant_external_id end
    join invoice_dunnings d on d.platform_id = ${platformId} and d.invoice_external_id = i.external_id
    where l.platform_id = ${platformId} and l.mailing_id = ${mailingId} and i.status in ('OPEN', 'DUE')
      and d.status = 'RUNNING' and exists (
        select from invoice_dunning_transitions t
        where t.platform_id = ${platformId} and t.invoice_external_id = i.external_id
          and t.installment = d.installment and t.trigger = 'step' and t.step = d.step and t.step_on = l.mailed_on
      )
    order by i.due_on, i.external_id`.execute(db);
  return rows.map(({ external_id }) => external_id);
}
