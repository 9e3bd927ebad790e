/** Lines of payouts: amounts that merchants are to be paid, and deductions. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { namesOf, type RowOf, table, text } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';

export const LINE_KINDS = ['ADVANCE', 'COLLECTED', 'SET_OFF'] as const;
export type PayoutLineKind = (typeof LINE_KINDS)[number];

export const payoutLinesTable = table('payout_lines', {
  platform_id: 'int',
  line_id: 'uuid',
  merchant_external_id: 'text',
  currency: text<Currency>(),
  kind: text<PayoutLineKind>(),
  invoice_external_id: 'text',
  service_external_id: 'text',
  amount: 'bigint',
  earliest_on: 'text',
  created_at: 'bigint',
  payout_external_id: 'text',
});
export type PayoutLineRow = RowOf<typeof payoutLinesTable>;

const INSERTED = [
  'line_id',
  'merchant_external_id',
  'currency',
  'kind',
  'invoice_external_id',
  'service_external_id',
  'amount',
  'earliest_on',
  'created_at',
  'payout_external_id',
] as const;
const unnestLines = unnestRows<Omit<PayoutLineRow, 'platform_id'>>('t', payoutLinesTable.list(...INSERTED));

export async function insertPayoutLines(
  db: Db,
  platformId: number,
  lines: readonly Omit<PayoutLineRow, 'platform_id'>[],
): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    insert into payout_lines (platform_id, ${namesOf(INSERTED)})
    select ${platformId}::int, ${namesOf(INSERTED)} from ${unnestLines(lines)} order by line_id`.execute(db);
}

/** The lines of services. Services without a line are missing. */
export async function listLinesOfServices(
  db: Db,
  platformId: number,
  serviceExternalIds: readonly string[],
): Promise<PayoutLineRow[]> {
  return db
    .selectFrom('payout_lines')
    .select(payoutLinesTable.columns)
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`service_external_id = any(${arrayOf('text', serviceExternalIds)})`)
    .$castTo<PayoutLineRow>()
    .execute();
}

/** Lines of payouts, in a stable order. */
export async function listLinesOfPayouts(
  db: Db,
  platformId: number,
  payoutExternalIds: readonly string[],
): Promise<PayoutLineRow[]> {
  return db
    .selectFrom('payout_lines')
    .select(payoutLinesTable.columns)
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`payout_external_id = any(${arrayOf('text', payoutExternalIds)})`)
    .orderBy('payout_external_id')
    .orderBy('kind')
    .orderBy('created_at')
    .orderBy('line_id')
    .$castTo<PayoutLineRow>()
    .execute();
}

export async function deletePayoutLines(
  db: Db,
  platformId: number,
  lineIds: readonly string[],
): Promise<void> {
  await sql`
    delete from payout_lines where platform_id = ${platformId} and line_id = any(${lineIds}::uuid[])`.execute(
    db,
  );
}

/** The sum of a merchant's waiting lines in one currency that may be paid by a day. */
export interface WaitingSum {
  merchant_external_id: string;
  currency: Currency;
  /** Minor units; below zero if more was taken back than is due. */
  amount: number;
}

export async function listWaitingSums(
  db: Db,
  platformId: number,
  merchantExternalIds: readonly string[],
  until: string,
): Promise<WaitingSum[]> {
  const { rows } = await sql<WaitingSum>`
    select merchant_external_id, currency, sum(amount)::bigint as amount from payout_lines
    where platform_id = ${platformId} and merchant_external_id = any(${arrayOf('text', merchantExternalIds)})
      and payout_external_id is null and earliest_on <= ${until}
    group by merchant_external_id, currency order by merchant_external_id, currency`.execute(db);
  return rows;
}

interface JoinedLines {
  payoutExternalId: string;
  merchantExternalId: string;
  currency: Currency;
}

const unnestJoined = unnestRows<JoinedLines>('j', {
  payout_external_id: ['text', 'payoutExternalId'],
  merchant_external_id: ['text', 'merchantExternalId'],
  currency: ['text', 'currency'],
});

/** Puts waiting lines that may be paid by a day into the payout of their merchant and currency. The merchants' accounts are locked. */
export async function joinWaitingLines(
  db: Db,
  platformId: number,
  joined: readonly JoinedLines[],
  until: string,
): Promise<void> {
  await sql`
    with joined as (
      select * from ${unnestJoined(joined)}
    )
    update payout_lines l set payout_external_id = j.payout_external_id
    from joined j
    where l.platform_id = ${platformId} and l.merchant_external_id = j.merchant_external_id and l.currency = j.currency
      and l.payout_external_id is null and l.earliest_on <= ${until}`.execute(db);
}

const SET_OFF: PayoutLineKind = 'SET_OFF';

/** Makes the lines of cancelled payouts wait again. Their set-offs stay with them. */
export async function releaseLines(
  db: Db,
  platformId: number,
  payoutExternalIds: readonly string[],
): Promise<void> {
  await sql`
    update payout_lines set payout_external_id = null
    where platform_id = ${platformId} and payout_external_id = any(${arrayOf('text', payoutExternalIds)})
      and kind <> ${SET_OFF}`.execute(db);
}

const PAYOUT_FAILS = 'payout-fails';

/** Whether the payout is for an invoice of a sandbox whose buyer's name makes payouts fail. */
export async function failsByScript(db: Db, platformId: number, payoutExternalId: string): Promise<boolean> {
  const { rows } = await sql`
    select from payout_lines l
    join invoices i on i.platform_id = ${platformId} and i.external_id = l.invoice_external_id
    where l.platform_id = ${platformId} and l.payout_external_id = ${payoutExternalId} and i.payment_script = ${PAYOUT_FAILS}
    limit 1`.execute(db);
  return rows.length > 0;
}

/** A merchant's waiting lines, for operators: summed by merchant, currency and earliest day. */
export interface WaitingLines {
  merchant_external_id: string;
  currency: Currency;
  earliest_on: string;
  lines: number;
  amount: number;
}

export async function listWaitingLines(db: Db, platformId: number): Promise<WaitingLines[]> {
  const { rows } = await sql<WaitingLines>`
    select merchant_external_id, currency, earliest_on, count(*)::int as lines, sum(amount)::bigint as amount
    from payout_lines where platform_id = ${platformId} and payout_external_id is null
    group by merchant_external_id, currency, earliest_on
    order by earliest_on, merchant_external_id, currency`.execute(db);
  return rows;
}
