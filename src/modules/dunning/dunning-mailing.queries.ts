/** Mailings to buyers: one for each buyer, creditor and day. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type RowOf, table, text } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
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
  channel: text<DunningChannel>(),
  printed_by: 'text',
});

/** A mailing to a buyer. */
export type MailingRow = RowOf<typeof mailingsTable>;

/** Mailings whose check for a withdrawn mail is due. */
export const checkedMailings = dueColumn({
  table: 'dunning_mailings',
  column: 'check_at',
  key: 'mailing_id',
  resource: 'invoice',
  trigger: 'check_mailing',
});

/** The buyer and the creditor of a mailing. */
export interface MailingParties {
  buyerExternalId: string;
  /** The merchant; empty if the claims belong to the platform. */
  creditor: string;
}

/** The last day on which each of these buyers got a mailing from each creditor. */
export async function listLastMailings(
  db: Db,
  platformId: number,
  buyerExternalIds: readonly string[],
): Promise<(MailingParties & { lastOn: string })[]> {
  const { rows } = await sql<MailingParties & { lastOn: string }>`
    select buyer_external_id as "buyerExternalId", creditor, max(mailed_on) as "lastOn" from dunning_mailings
    where platform_id = ${platformId} and buyer_external_id = any(${arrayOf('text', buyerExternalIds)})
    group by buyer_external_id, creditor`.execute(db);
  return rows;
}

const unnestMailings = unnestRows<MailingRow>('t', mailingsTable.list(...mailingsTable.columns));

export async function insertMailings(db: Db, mailings: readonly MailingRow[]): Promise<void> {
  if (mailings.length === 0) return;
  const columns = sql.raw(mailingsTable.columns.join(', '));
  await sql`
    insert into dunning_mailings (${columns}) select ${columns} from ${unnestMailings(mailings)}`.execute(db);
}

/** The columns of a mailing that a check needs. */
export type CheckedMailing = Pick<
  MailingRow,
  'mailing_id' | 'buyer_external_id' | 'compositions' | 'created_at'
>;

/** Those of these mailings whose check is due by `until` (unix seconds). */
export async function listCheckedMailings(
  db: Db,
  platformId: number,
  mailingIds: readonly string[],
  until: number,
): Promise<CheckedMailing[]> {
  return db
    .selectFrom('dunning_mailings')
    .select(['mailing_id', 'buyer_external_id', 'compositions', 'created_at'])
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`mailing_id = any(${mailingIds}::text[])`)
    .where('check_at', '<=', until)
    .$castTo<CheckedMailing>()
    .execute();
}

/** The next check of a mailing whose check was due by `until`; null for never. Unix seconds. */
export interface NextCheck {
  mailingId: string;
  until: number;
  at: number | null;
}

const unnestChecks = unnestRows<NextCheck>('k', {
  mailing_id: ['text', 'mailingId'],
  until: ['bigint', 'until'],
  at: ['bigint', 'at'],
});

/** Writes the next checks, except for mailings that another worker has checked. */
export async function writeChecks(db: Db, platformId: number, checks: readonly NextCheck[]): Promise<void> {
  if (checks.length === 0) return;
  await sql`
    update dunning_mailings m set check_at = k.at
    from ${unnestChecks(checks)}
    where m.platform_id = ${platformId} and m.mailing_id = k.mailing_id and m.check_at <= k.until`.execute(
    db,
  );
}

/** Locks a mailing whose check is due by `until` (unix seconds); undefined if it is no longer due. */
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
  changes: Partial<Pick<MailingRow, 'check_at' | 'compositions'>>,
): Promise<void> {
  await db
    .updateTable('dunning_mailings')
    .set(mailingsTable.updateable(changes))
    .where('platform_id', '=', platform_id)
    .where('mailing_id', '=', mailing_id)
    .execute();
}

/** The invoices with a step of the mailing that are still owed, or owed again. */
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
      and exists (
        select from invoice_dunning_transitions t
        where t.platform_id = ${platformId} and t.invoice_external_id = i.external_id
          and t.installment = d.installment and t.trigger = 'step' and t.step = d.step and t.step_on = l.mailed_on
      )
    order by i.due_on, i.external_id`.execute(db);
  return rows.map(({ external_id }) => external_id);
}

/**
 * Records that the buyer never got the steps of a mailing whose mail was withdrawn, except for the invoices in the mailing that was
 * written again. The steps are taken again when their invoices are owed again.
 */
export async function withdrawSteps(
  db: Db,
  { platform_id: platformId, mailing_id: mailingId }: Pick<MailingRow, 'platform_id' | 'mailing_id'>,
  { exceptInvoices, now }: { exceptInvoices: readonly string[]; now: number },
): Promise<void> {
  await sql`
    insert into withdrawn_dunning_steps (platform_id, invoice_external_id, installment, step, nth, mailing_id, withdrawn_at)
    select t.platform_id, t.invoice_external_id, t.installment, t.step, t.nth, l.mailing_id, ${now}
    from dunning_mailings l
    join invoices i on i.platform_id = ${platformId} and i.buyer_external_id = l.buyer_external_id
      and l.creditor = case when i.is_financed then '' else i.merchant_external_id end
    join invoice_dunning_transitions t on t.platform_id = ${platformId} and t.invoice_external_id = i.external_id
      and t.trigger = 'step' and t.kind <> 'HAND_OVER' and t.step_on = l.mailed_on
    where l.platform_id = ${platformId} and l.mailing_id = ${mailingId}
      and i.external_id <> all(${exceptInvoices}::text[])
    on conflict do nothing`.execute(db);
}

/** A charge for a reminder of a mailing. */
export interface ReminderCharge {
  externalId: string;
  invoiceExternalId: string;
}

/** The charges that the steps of a mailing claimed for its reminders, in the transaction that wrote it and so at the same instant. */
export async function listReminderCharges(
  db: Db,
  { platform_id: platformId, mailing_id: mailingId }: Pick<MailingRow, 'platform_id' | 'mailing_id'>,
): Promise<ReminderCharge[]> {
  const { rows } = await sql<ReminderCharge>`
    select c.external_id as "externalId", c.invoice_external_id as "invoiceExternalId"
    from dunning_mailings l
    join invoices i on i.platform_id = ${platformId} and i.buyer_external_id = l.buyer_external_id
    join late_charges c on c.platform_id = ${platformId} and c.invoice_external_id = i.external_id
      and c.kind = 'REMINDER' and c.created_at = l.created_at
      and l.creditor = case when c.creditor = 'PLATFORM' then '' else c.merchant_external_id end
    where l.platform_id = ${platformId} and l.mailing_id = ${mailingId}`.execute(db);
  return rows;
}
