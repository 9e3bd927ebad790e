/**
 * The equations between the books and the documents, recomputed from the tables of both without code of the program. The codes are those of
 * `tradeline ledger verify`.
 */
import type { World } from './world.ts';

const BY_STATUS = ['status', 'currency', 'status,buyer_external_id', 'status,merchant_external_id'];

/** For each list, the columns by which its rows are counted; '' for all rows. */
const COUNTED_BY: Record<string, readonly string[]> = {
  orders: BY_STATUS,
  invoices: BY_STATUS,
  buyers: ['', 'legal_form'],
  contacts: [''],
  merchants: ['', 'status'],
  facilities: ['', 'status', 'currency', 'risk_band'],
  credit_reviews: ['status', 'subject', 'status,subject'],
  credit_notes: ['', 'buyer_external_id', 'merchant_external_id', 'reason_code', 'currency'],
  payout_instructions: ['status', 'status,type'],
  payouts: [
    ...['', 'status', 'currency', 'scheme', 'merchant_external_id', 'payout_instruction_external_id'],
    'status,merchant_external_id',
  ],
};

const countsOf = ([list, filters]: [string, readonly string[]]): string[] =>
  filters.map((filter) => {
    const value =
      filter === ''
        ? `''`
        : filter
            .split(',')
            .map((column) => `coalesce(${column}, '')`)
            .join(` || ' ' || `);
    return `select platform_id, '${list}' as list, '${filter}' as filter, ${value} as value, count(*) as counted
      from ${list} group by 1, 4`;
  });

/** Each equation as SQL that returns a sentence for each difference. */
const EQUATIONS = {
  E1: `select format('the lines of entry %s sum to %s', entry_id, sum(amount)) as fault
    from ledger_lines group by platform_id, entry_id having sum(amount) <> 0`,
  // The outstanding amount of financed invoices is for goods; the fee has a separate account.
  E2: differences(
    'buyer_receivable',
    `select platform_id, buyer_external_id, currency,
      sum(greatest(0, amount_gross - credited_amount - greatest(0, paid_amount - term_fee_gross) - written_off_amount)) as owed
    from invoices where is_financed and status <> 'CANCELLED' group by platform_id, buyer_external_id, currency`,
  ),
  'E2 fees': differences(
    'term_fee_receivable',
    `select platform_id, buyer_external_id, currency, sum(term_fee_gross - least(term_fee_gross, paid_amount)) as owed
    from invoices where status <> 'CANCELLED' group by platform_id, buyer_external_id, currency`,
  ),
  // Waiting lines, and payouts that the bank has not paid.
  E3: `with owed as (
      select currency, sum(amount) as amount from (
        select currency, amount from payout_lines where payout_external_id is null
        union all select currency, amount from payouts where status in ('SCHEDULED', 'INSTRUCTED', 'FAILED')
      ) unpaid group by currency
    ), books as (
      select currency, -sum(amount) as amount from ledger_lines where account = 'payout_clearing' group by currency
    )
    select format('payout_clearing in %s is %s and not %s', currency, coalesce(b.amount, 0), coalesce(o.amount, 0)) as fault
    from books b full join owed o using (currency) where coalesce(b.amount, 0) <> coalesce(o.amount, 0)`,
  E4: differences(
    'unapplied_cash',
    `select platform_id, buyer_external_id, currency, -sum(amount - allocated_amount) as owed
    from invoice_payments where received_by = 'PLATFORM' and reversed_at is null
    group by platform_id, buyer_external_id, currency`,
  ),
  E5: `select format('%s uses %s and reserves %s for documents of %s and %s', f.buyer_external_id, f.used_amount,
      f.pending_orders_amount, i.used, o.reserved) as fault
    from facilities f
    cross join lateral (
      select coalesce(sum(credit_used), 0) as used from invoices
      where platform_id = f.platform_id and buyer_external_id = f.buyer_external_id
    ) i
    cross join lateral (
      select coalesce(sum(reserved_amount), 0) as reserved from orders
      where platform_id = f.platform_id and buyer_external_id = f.buyer_external_id
    ) o
    where f.used_amount <> i.used or f.pending_orders_amount <> o.reserved`,
  allocations: `select format('the allocations of payment %s sum to %s and not to %s', p.external_id, a.sum, p.allocated_amount) as fault
    from invoice_payments p
    cross join lateral (
      select coalesce(sum(amount), 0) as sum from (
        select platform_id, payment_external_id, fee_amount + goods_amount as amount from payment_allocations
        union all select platform_id, payment_external_id, amount from late_charge_allocations
      ) allocated
      where platform_id = p.platform_id and payment_external_id = p.external_id
    ) a
    where a.sum <> p.allocated_amount`,
  instalments: `select format('the instalments of %s claim %s, paid %s, credited %s', i.external_id, p.claim, p.paid, p.credited) as fault
    from invoices i
    cross join lateral (
      select sum(amount + fee_amount) as claim, sum(paid_amount) as paid, sum(credited_amount) as credited
      from invoice_installments where platform_id = i.platform_id and invoice_external_id = i.external_id
    ) p
    where p.claim <> i.amount_gross + i.term_fee_gross or p.paid <> i.paid_amount or p.credited <> i.credited_amount`,
  'totals of lists': `with maintained as (
      select platform_id, list, filter, value, sum(rows) as maintained from (
        select platform_id, list, filter, value, rows_count as rows from list_counts
        union all select platform_id, list, unnest(filters), unnest(filter_values), unnest(rows_changes) from list_count_changes
      ) counts group by 1, 2, 3, 4
    ), counted as (
      ${Object.entries(COUNTED_BY).flatMap(countsOf).join(' union all ')}
    )
    select format('%s %s of %s %s are counted as %s', coalesce(counted, 0), list, filter, value, coalesce(maintained, 0)) as fault
    from counted full join maintained using (platform_id, list, filter, value)
    where coalesce(counted, 0) <> coalesce(maintained, 0)`,
};

/** Differences between the balance of each buyer on the account and its documents (`owed`, debit positive). */
function differences(account: string, documents: string): string {
  return `with documents as (${documents}), books as (
      select platform_id, party as buyer_external_id, currency, sum(amount) as balance from ledger_lines
      where account = '${account}' group by platform_id, party, currency
    )
    select format('${account} of %s in %s is %s and not %s', buyer_external_id, currency, coalesce(balance, 0), coalesce(owed, 0)) as fault
    from documents full join books using (platform_id, buyer_external_id, currency)
    where coalesce(balance, 0) <> coalesce(owed, 0)`;
}

/** A sentence for each violation, over all platforms; empty if everything holds. */
export async function auditBooks({ sql }: Pick<World, 'sql'>): Promise<string[]> {
  const faults: string[] = [];
  for (const [code, query] of Object.entries(EQUATIONS))
    for (const { fault } of await sql<{ fault: string }>(query)) faults.push(`${code}: ${fault}`);
  return faults;
}
