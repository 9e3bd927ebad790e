/**
 * Payouts are formed, released, written to files and confirmed by statements, and the process that does it is killed with SIGKILL
 * while it waits for a table that it is about to write. With `BANK_KILLS=all` it is killed at every table of every step.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { attachToRunningPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { camt053, OUR_IBAN, type WrittenEntry } from '#test/bank-files';
import { buyerBody, merchantBody } from '#test/bodies';
import { auditBooks } from '#test/books-audit';
import { approvalIn, runHere, secondOperator } from '#test/command';
import { type Audit, auditOf } from '#test/event-audit';
import { patience } from '#test/patience';
import { sepaBody } from '#test/payees';
import { endPrograms, launchCommand, launchProgram, type RunningProgram, startProgram } from '#test/program';
import { post } from '#test/program-requests';
import { filesFolder } from '#test/registry-files';
import { eventually, until } from '#test/until';

/** The tables at which each step is killed. */
const TABLES = {
  form: ['payouts', 'payout_lines', 'payout_transitions', 'events'],
  release: ['payout_transitions', 'payouts', 'approvals', 'audit_entries'],
  file: ['payouts', 'payout_files', 'audit_entries'],
  import: ['bank_transactions', 'bank_entries', 'bank_references', 'bank_statements', 'audit_entries'],
  book: ['payout_transitions', 'ledger_entries', 'invoice_payments', 'bank_matches'],
} as const;
type Step = keyof typeof TABLES;
const POINTS = (Object.entries(TABLES) as [Step, readonly string[]][]).flatMap(([step, tables]) =>
  (process.env.BANK_KILLS === 'all' ? tables : tables.slice(0, 1)).map((table) => ({ step, table })),
);
/** No worker, because it would write the same tables. */
const WITHOUT_WORKER = { TRADELINE_WORKER: 'off' };
const MERCHANTS = ['north', 'south'];
const GROSS = 11_900;
const DAY = 86_400;
const WHY = ['--reason', 'The payouts of the day.'];

vi.setConfig({ testTimeout: patience(60) });

const folder = filesFolder();
let program: RunningProgram;
let ben: Record<string, string>;
let audit: Audit;
let rounds = 0;
let balance = 0;

beforeAll(async () => {
  program = await startProgram({ args: ['--empty'], env: WITHOUT_WORKER });
  audit = await auditOf(program.dataDir);
  ben = await secondOperator(program.env);
  const account = ['--iban', OUR_IBAN, '--account-holder', 'Markthalle GmbH'];
  await approve(await command('platform', 'update', 'demo', ...account, ...WHY));
  await command('platform', 'update', 'demo', '--account-town', 'Hamburg', '--account-country', 'DE', ...WHY);
  await command('bank', 'account', 'add', '--account', 'main', ...WHY);
  await send('/v1/buyers', buyerBody({ external_id: 'buyer' }));
  for (const merchant of MERCHANTS) {
    await send('/v1/merchants', merchantBody({ external_id: merchant }));
    const external_id = `${merchant}-account`;
    await send('/v1/payout_instructions', sepaBody({ external_id, merchant_external_id: merchant }));
    await send('/v1/sandbox/payout_instructions', { external_id, trigger: 'verify' });
  }
  // The money that the first payouts pay out.
  await importing(await writeStatement([]));
}, patience(90));

afterAll(async () => {
  folder.remove();
  await program?.stop();
  await endPrograms();
});

async function send(path: string, body: object): Promise<void> {
  const { status, text } = await post(program, path, body);
  if (status >= 300) throw new Error(`POST ${path} answered ${status} ${text}`);
}

async function command(...args: string[]) {
  const result = await runHere(args, program.env);
  if (result.code !== 0) throw new Error(`tradeline ${args.join(' ')}: ${result.stderr}`);
  return result;
}

const approval = (id: string) => ['approval', 'approve', id, '--reason', 'Compared.'];
async function approve(proposed: Awaited<ReturnType<typeof command>>): Promise<void> {
  expect(await runHere(approval(approvalIn(proposed)), ben)).toMatchObject({ code: 0, stderr: '' });
}

const importOf = (path: string) => ['bank', 'import', path, ...WHY];
const importing = (path: string) => command(...importOf(path));

interface Payout {
  id: string;
  end: string;
  status: string;
}
const payouts = async (status: string) =>
  (await audit(
    `select external_id as id, end_to_end_id as end, status from payouts where status = '${status}' order by 1`,
  )) as unknown as Payout[];

/** A statement of today: an invoice of each merchant is paid, and the given payouts are debited. */
async function writeStatement(paid: readonly Payout[]): Promise<string> {
  const round = ++rounds;
  const [row] = await audit(
    `select to_char(to_timestamp(extract(epoch from now()) + clock_ahead_seconds) at time zone 'UTC', 'YYYY-MM-DD') as day from platforms`,
  );
  for (const merchant of MERCHANTS)
    await send('/v1/invoices', {
      ...{ external_id: `${merchant}-${round}`, invoice_number: `RE-${round}-${merchant}` },
      ...{ buyer_external_id: 'buyer', merchant_external_id: merchant, due_at: 4_000_000_000 },
      ...{ amount: { net: GROSS, gross: GROSS }, payment_method: 'TRANSFER' },
    });
  const entries: WrittenEntry[] = [
    ...MERCHANTS.map((merchant) => ({ amount: GROSS, text: `Invoice RE-${round}-${merchant}` })),
    ...paid.map(({ end }) => ({ amount: -GROSS, endToEndId: end })),
  ];
  const opening = balance;
  balance += entries.reduce((sum, { amount }) => sum + amount, 0);
  const statement = { id: `STMT-${round}`, day: String(row?.day), opening, entries };
  return folder.write(`statement-${round}.xml`, camt053(statement));
}

/** Runs `begin` until a process waits for the table, and `kill`s it. All that it has begun has ended when this returns. */
async function killAt(table: string, begin: () => void, kill: () => Promise<unknown>): Promise<void> {
  const embedded = await attachToRunningPostgres(program.dataDir);
  const holder = new pg.Client(embedded?.endpoint('owner'));
  holder.on('error', () => {});
  await holder.connect();
  // Other sessions can still read the table, including rows that they lock.
  await holder.query(`begin; lock table ${table} in share mode`);
  const waiting = `select pid from pg_locks where relation = '${table}'::regclass and not granted`;
  begin();
  const pid = await until(async () => (await holder.query(waiting)).rows[0]?.pid);
  await kill();
  await holder.end().catch(() => {});
  audit = await auditOf(program.dataDir);
  await until(async () => (await audit(`select from pg_stat_activity where pid = ${pid}`)).length === 0);
}

async function killCommandAt(table: string, args: string[], env: Record<string, string>): Promise<void> {
  let launched: ReturnType<typeof launchCommand> | undefined;
  const kill = async () => {
    process.kill(launched?.pid as number, 'SIGKILL');
    expect(await launched?.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  };
  await killAt(table, () => (launched = launchCommand(args, env)), kill);
}

async function restart(env: Record<string, string>): Promise<void> {
  process.kill(program.pid, 'SIGKILL');
  await program.exited;
  const launched = launchProgram({ dataDir: program.dataDir, env });
  program = { ...program, ...launched, env: program.env, baseUrl: (await launched.ready).baseUrl };
  audit = await auditOf(program.dataDir);
}

const advance = (days: number) => send('/v1/sandbox/clock', { advance_seconds: days * DAY });

/** The number of rows in each table that the commands write. */
async function counts(): Promise<unknown> {
  const names = new Set(Object.values(TABLES).flat());
  const [row] = await audit(
    `select ${[...names].map((name) => `(select count(*)::int from ${name}) as ${name}`).join(', ')},
      (select string_agg(status, ' ' order by external_id) from payouts) as statuses`,
  );
  return row;
}

describe.each(POINTS)('killed in the midst of $step, at $table', ({ step, table }) => {
  /** Runs the command, after one run that is killed. A command that was killed in its only transaction has left no rows. */
  async function make(here: Step, args: string[], env = program.env): Promise<void> {
    if (step === here) {
      const before = await counts();
      await killCommandAt(table, args, env);
      if (here !== 'book') expect(await counts()).toEqual(before);
    }
    expect(await runHere(args, env)).toMatchObject({ code: 0, stderr: '' });
  }

  it('pays each merchant once', async () => {
    if (step === 'form')
      await killAt(
        table,
        () => void advance(10).catch(() => {}),
        () => restart(WITHOUT_WORKER),
      );
    await advance(10);
    const scheduled = await payouts('SCHEDULED');
    expect(scheduled).toHaveLength(MERCHANTS.length);
    const ids = scheduled.map(({ id }) => id);
    const proposed = await command('payout', 'release', ...ids, ...WHY);
    await make('release', approval(approvalIn(proposed)), ben);
    await make('file', ['payout', 'file']);
    const path = await writeStatement(scheduled);
    await make(step === 'book' ? 'book' : 'import', importOf(path));
    expect(await payouts('SCHEDULED')).toEqual([]);
    expect((await payouts('PAID')).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });
});

describe(`after ${POINTS.length} kills`, () => {
  it('no payout was scheduled, released, filed or paid twice', async () => {
    const others = await audit(
      `select p.external_id, p.status, t.transitions, e.events, b.entries, f.files from payouts p
      cross join lateral (select string_agg(trigger, ' ' order by version) as transitions from payout_transitions
        where payout_external_id = p.external_id) t
      cross join lateral (select string_agg(type, ' ' order by type) as events from events
        where resource_external_id = p.external_id) e
      cross join lateral (select count(*)::int as entries from ledger_entries
        where payout_external_id = p.external_id and cause = 'PAYOUT_PAID') b
      cross join lateral (select count(*)::int as files from payout_files where external_id = p.file_external_id) f
      where (p.status, t.transitions, e.events, b.entries, f.files)
        <> ('PAID', 'schedule release confirm', 'PAYOUT.PAID PAYOUT.SCHEDULED', 1, 1)`,
    );
    expect(others).toEqual([]);
    const [sums] = await audit(
      `select (select count(*)::int from payouts) as payouts, (select sum(payouts_count)::int from payout_files) as filed,
        (select sum(amount)::int from payouts) as paid`,
    );
    const made = POINTS.length * MERCHANTS.length;
    expect(sums).toEqual({ payouts: made, filed: made, paid: made * GROSS });
  });

  it('each invoice has one line, and each entry of a statement is booked once', async () => {
    const lines = await audit(
      `select invoice_external_id from payout_lines group by 1 having count(*) <> 1 or sum(amount) <> ${GROSS}`,
    );
    expect(lines).toEqual([]);
    const [row] = await audit(
      `select (select count(*)::int from bank_statements) as statements, (select count(*)::int from bank_entries) as entries,
        (select count(*)::int from bank_transactions where status = 'MATCHED' and version = 2) as matched,
        (select count(*)::int from bank_matches) as matches, (select count(*)::int from invoice_payments) as payments`,
    );
    const payments = rounds * MERCHANTS.length;
    const entries = payments + POINTS.length * MERCHANTS.length;
    expect(row).toEqual({ statements: rounds, entries, matched: entries, matches: entries, payments });
  });

  it('books, statements and payouts say the same', async () => {
    expect(await auditBooks({ sql: audit as never })).toEqual([]);
    await restart({});
    // After the last entries are numbered.
    await eventually(async () => {
      const { code, stdout } = await runHere(['ledger', 'verify'], program.env);
      expect(code, stdout).toBe(0);
    });
  });
});
