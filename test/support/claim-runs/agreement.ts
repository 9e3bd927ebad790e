/** What the documents of buyers and merchants must say alike, counted from the tables beside the equations of `ledger verify`. */
import { checkEquations } from '#modules/ledger';
import { equationsOf } from '../../../src/cli/equations.ts';
import { auditBooks } from '../books-audit.ts';
import { auditCredit } from '../credit.ts';
import type { World } from '../world.ts';
import type { ClaimRun } from './claim-run.ts';

const OF_CHARGE = `late_charge_allocations a
  join late_charges c on c.platform_id = a.platform_id and c.external_id = a.late_charge_external_id
  join invoice_payments p on p.platform_id = a.platform_id and p.external_id = a.payment_external_id`;
const OF_INVOICE = `payment_allocations a
  join invoices i on i.platform_id = a.platform_id and i.external_id = a.invoice_external_id
  join invoice_payments p on p.platform_id = a.platform_id and p.external_id = a.payment_external_id`;

/** Sentences for each difference. */
const AGREEMENTS: Record<string, string> = {
  'what is owed of an invoice that has ended': `
    select external_id || ' is ' || status || ' and owes ' || outstanding_amount as fault from invoices
    where (status in ('CLOSED', 'CANCELLED')) <> (outstanding_amount = 0)`,
  'what is disputed': `
    select i.external_id || ' has ' || i.disputed_amount || ' and ' || i.paused_amount as fault from invoices i
    cross join lateral (
      select coalesce(sum(amount), 0) as disputed, coalesce(sum(amount) filter (where is_pausing), 0) as paused
      from disputes d where d.platform_id = i.platform_id and d.invoice_external_id = i.external_id and d.status = 'OPEN'
    ) d
    where i.disputed_amount <> d.disputed or i.paused_amount <> d.paused`,
  'what is overdue': `
    select i.external_id || ' is overdue with ' || o.owed as fault from invoices i
    cross join lateral (
      select coalesce(sum(outstanding_amount), 0) as owed from overdue_invoices o
      where o.platform_id = i.platform_id and o.invoice_external_id = i.external_id
    ) o
    where o.owed <> case when i.status = 'DUE' then greatest(0, i.outstanding_amount - i.paused_amount) else 0 end`,
  'what is collected for merchants': differences('merchant_payable', -1, [
    `select i.merchant_external_id as party, a.goods_amount as amount from ${OF_INVOICE}
     where p.received_by = 'PLATFORM' and not i.is_financed`,
    `select c.merchant_external_id, a.amount from ${OF_CHARGE}
     where p.received_by = 'PLATFORM' and c.creditor = 'MERCHANT'`,
    `select merchant_external_id, -amount from payout_lines where kind = 'COLLECTED'`,
  ]),
  'what merchants owe': differences('merchant_setoff', 1, [
    `select merchant_external_id as party, merchant_fee_gross as amount from invoices where status <> 'CANCELLED'`,
    `select i.merchant_external_id, a.fee_amount + case when i.is_financed then a.goods_amount else 0 end from ${OF_INVOICE}
     where p.received_by = 'MERCHANT'`,
    `select c.merchant_external_id, a.amount from ${OF_CHARGE}
     where p.received_by = 'MERCHANT' and c.creditor = 'PLATFORM'`,
    `select s.merchant_external_id, s.base_amount - s.set_off_amount
       - case when i.status = 'CANCELLED' then 0 else i.amount_gross - i.credited_amount end
     from invoice_services s
     join invoices i on i.platform_id = s.platform_id and i.external_id = s.invoice_external_id
     where s.service_type = 'FINANCING' and s.accepted_at is not null and s.status not in ('CANCELLED', 'REJECTED')`,
    `select l.merchant_external_id, l.amount from payout_lines l
     join payouts p on p.platform_id = l.platform_id and p.external_id = l.payout_external_id
     where l.kind = 'SET_OFF' and p.status <> 'CANCELLED'`,
  ]),
};

/** The balance of each merchant on an account, with the sign of its normal side, is the sum of what documents say. */
function differences(account: string, sign: 1 | -1, documents: readonly string[]): string {
  return `
    with said as (select party, sum(amount) as amount from (${documents.join(' union all ')}) d group by party),
    booked as (
      select party, ${sign} * sum(amount) as amount from ledger_lines where account = '${account}' group by party
    )
    select party || ' has ' || coalesce(b.amount, 0) || ' and not ' || coalesce(s.amount, 0) as fault
    from said s full join booked b using (party) where coalesce(s.amount, 0) <> coalesce(b.amount, 0)`;
}

/** What does not agree, in sentences; none where everything does. */
export async function disagreements({ sql }: World): Promise<string[]> {
  const faults: string[] = [];
  for (const [about, query] of Object.entries(AGREEMENTS))
    for (const { fault } of await sql<{ fault: string }>(query)) faults.push(`${about}: ${fault}`);
  return faults;
}

/** The same with every equation of the books, and the statement of the run's buyer. */
export async function allDisagreements(run: ClaimRun): Promise<string[]> {
  const { world } = run;
  const { db, vault } = world.installation;
  const { platform } = world;
  const stored = equationsOf({ vault, platform });
  const equations = await checkEquations(db, platform.platform_id, stored, { at: null, knownAt: null });
  return [
    ...(await disagreements(world)),
    ...(await auditCredit(world)),
    ...(await auditBooks(world)),
    ...equations.flatMap(({ code, differences: found }) => found.map((each) => `${code}: ${each}`)),
    ...(await statementFaults(run)),
  ];
}

interface Account {
  opening_balance: number;
  closing_balance: number;
  unapplied: number;
  entries: { amount: number }[];
}

const STATED_SECONDS = 20 * 86_400;

async function statementFaults(run: ClaimRun): Promise<string[]> {
  const from = run.now - STATED_SECONDS;
  const { accounts } = await run.read(`/v1/buyers/${run.buyer}/statement?from=${from}`);
  const [stored] = await run.world.sql<{ owed: string; unapplied: string }>(
    `select
      (select coalesce(sum(outstanding_amount), 0) from invoices where buyer_external_id = $1)
        + (select coalesce(sum(outstanding_amount), 0) from late_charges where buyer_external_id = $1) as owed,
      (select coalesce(sum(amount - allocated_amount), 0) from invoice_payments
        where buyer_external_id = $1 and received_by = 'PLATFORM' and reversed_at is null) as unapplied`,
    [run.buyer],
  );
  return (accounts as Account[]).flatMap(({ entries, ...account }) => {
    const change = entries.reduce((sum, { amount }) => sum + amount, 0);
    const isRight =
      account.closing_balance === Number(stored?.owed) &&
      account.unapplied === Number(stored?.unapplied) &&
      account.opening_balance + change === account.closing_balance;
    return isRight
      ? []
      : [`The statement of ${run.buyer}: ${JSON.stringify({ ...account, change, stored })}`];
  });
}
