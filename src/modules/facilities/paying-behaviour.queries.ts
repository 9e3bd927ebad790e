/** How a buyer has paid, summed over periods, as a decision reads it. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import { dayMonthsLater } from '#kernel/day';
import { localDayOf } from '#kernel/local-day';
import type { DefaultPeriod, PaidPeriod, PayingBehaviour, PayingPeriod } from '#modules/underwriting';
import type { FacilityKey } from './facility.queries.ts';
import type { LimitPolicy } from './limit-policy.rules.ts';

export interface BehaviourQuestion {
  /** Unix seconds. Facts that were recorded later are ignored. */
  at: number;
  /** The facility's currency. Amounts of other currencies are not added. */
  currency: Currency;
  /** The platform's time zone, in which the days of facts are counted. */
  timeZone: string;
  limitPolicy: Pick<LimitPolicy, 'overdueGraceDays' | 'defaultMaterialityAmountMinor'>;
}

/** Sums are strings, because they can exceed the exact numbers of JSON. */
interface Row {
  orders_closed: number;
  paid: {
    period: PayingPeriod;
    invoices: number;
    invoices_late: number;
    days_late_max: number;
    weighed_invoices: number;
    weighed_amount: string;
    weighed_days: string;
    weighed_late: string;
  }[];
  defaults: { period: PayingPeriod; defaults: number; amount: string }[];
}

/** Reads all facts in one statement, so that they are as of one instant. It reads the buyer's own range of each table. */
export async function findPayingBehaviour(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
  { at, currency, timeZone, limitPolicy }: BehaviourQuestion,
): Promise<PayingBehaviour> {
  const today = localDayOf(at, timeZone);
  const [halfYear, year, twoYears] = [6, 12, 24].map((months) => dayMonthsLater(today, -months));
  const periodOf = (day: 'paid_on' | 'defaulted_on') => sql`
    case when ${sql.ref(day)} > ${halfYear}::date then 'HALF_YEAR' when ${sql.ref(day)} > ${year}::date
      then 'HALF_YEAR_BEFORE' when ${sql.ref(day)} > ${twoYears}::date then 'YEAR_BEFORE' else 'OLDER' end as period`;
  const { rows } = await sql<Row>`
    with paid as (
      select ${periodOf('paid_on')}, p.currency = ${currency} as is_weighed, p.amount::numeric as amount,
        greatest(p.paid_on - p.due_on, 0) as days_late
      from paid_invoices p
      left join paid_invoice_reversals r on r.platform_id = p.platform_id and r.buyer_external_id = p.buyer_external_id
        and r.invoice_external_id = p.invoice_external_id and r.payment_id = p.payment_id and r.recorded_at <= ${at}
      where p.platform_id = ${platformId} and p.buyer_external_id = ${buyerExternalId} and p.recorded_at <= ${at}
        and r.payment_id is null
    ), paid_periods as (
      select period, count(*) as invoices, count(*) filter (where days_late > 0) as invoices_late,
        max(days_late) as days_late_max, count(*) filter (where is_weighed) as weighed_invoices,
        coalesce(sum(amount) filter (where is_weighed), 0)::text as weighed_amount,
        coalesce(sum(amount * days_late) filter (where is_weighed), 0)::text as weighed_days,
        coalesce(sum(amount) filter (where is_weighed and days_late > ${limitPolicy.overdueGraceDays}::int), 0)::text
          as weighed_late
      from paid group by period
    ), defaulted as (
      select ${periodOf('defaulted_on')}, d.currency,
        d.amount::numeric - coalesce((
          select sum(c.amount) from invoice_default_changes c
          where c.platform_id = ${platformId} and c.buyer_external_id = d.buyer_external_id
            and c.invoice_external_id = d.invoice_external_id and c.kind = 'CORRECTED' and c.recorded_at <= ${at}
        ), 0) as amount
      from invoice_defaults d
      where d.platform_id = ${platformId} and d.buyer_external_id = ${buyerExternalId} and d.recorded_at <= ${at}
    ), default_periods as (
      select period, count(*) as defaults, coalesce(sum(amount) filter (where currency = ${currency}), 0)::text as amount
      from defaulted where amount > ${limitPolicy.defaultMaterialityAmountMinor}::bigint group by period
    )
    select (
        select count(*)::int from closed_orders
        where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId} and closed_at <= ${at}
      ) as orders_closed,
      coalesce((select json_agg(p) from paid_periods p), '[]') as paid,
      coalesce((select json_agg(d) from default_periods d), '[]') as defaults`.execute(db);
  return behaviourOf(rows[0] as Row);
}

function behaviourOf({ orders_closed, paid, defaults }: Row): PayingBehaviour {
  return {
    ordersClosed: orders_closed,
    paid: paid.map(
      (row): PaidPeriod => ({
        period: row.period,
        invoices: row.invoices,
        invoicesLate: row.invoices_late,
        daysLateMax: row.days_late_max,
        weighed: {
          invoices: row.weighed_invoices,
          amountMinor: BigInt(row.weighed_amount),
          amountDays: BigInt(row.weighed_days),
          lateMinor: BigInt(row.weighed_late),
        },
      }),
    ),
    defaults: defaults.map(
      (row): DefaultPeriod => ({
        period: row.period,
        defaults: row.defaults,
        amountMinor: BigInt(row.amount),
      }),
    ),
  };
}
