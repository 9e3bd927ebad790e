/** L1: do writers that share the accounts of one platform post as fast as writers on separate platforms? */
import pg from 'pg';
import { compare, type Side } from './support/compare.ts';
import { limit, limitNotes, timed } from './support/limits.ts';
import type { Measurement } from './support/measure.ts';
import { startPart } from './support/part.ts';
import type { PostJob } from './support/post-loop.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const WRITERS = 16;
const ENTRIES = 1_000_000;
const TRIAL_BALANCE_BAR_MS = 1_000;
const TRIAL_BALANCES = 10;

export const postLedger: Question = { name: 'post-ledger', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, started, progress } = bench;
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  const platformIds = await addPlatforms(owner);
  const part = started.use(startPart<PostJob, Measurement>('post-loop.ts'));
  const side = (name: string, ids: number[]): Side => ({
    name,
    run: (durationMs) => part.send({ connection: program.postgres, durationMs, platformIds: ids }),
  });
  const shared = platformIds[0] ?? 0;
  const finding = await compare(bench, {
    subject: side(
      `${WRITERS} writers who share bank and fee_income of one platform`,
      platformIds.map(() => shared),
    ),
    baseline: side(`${WRITERS} writers on ${WRITERS} platforms`, platformIds),
  });
  progress(`writing ${ENTRIES.toLocaleString('en')} entries`);
  await writeEntries(owner);
  const balance = limit(
    `GET /v1/ledger/trial_balance over ${ENTRIES.toLocaleString('en')} more entries`,
    TRIAL_BALANCE_BAR_MS,
  );
  for (let nth = 0; nth < TRIAL_BALANCES; nth++)
    await timed(balance, () => program.send('GET', '/v1/ledger/trial_balance'));
  return {
    ...finding,
    id: 'L1',
    bar: '≥ 0.8',
    notes: [
      'One entry of three lines per transaction, beside the numbering of the worker.',
      ...limitNotes([balance]),
      ...finding.notes,
    ],
  };
}

/** Platforms that only post. */
async function addPlatforms(owner: pg.Client): Promise<number[]> {
  const { rows } = await owner.query<{ platform_id: number }>(
    `insert into platforms (code, name, created_at, country, currency, data_key_wrapped)
    select 'writer-' || n, 'Writer', 0, 'DE', 'EUR', '' from generate_series(1, $1) n returning platform_id`,
    [WRITERS],
  );
  return rows.map((row) => row.platform_id);
}

/** Half a year of entries on the first platform, with the totals that numbering keeps, and without their hashes. */
async function writeEntries(owner: pg.Client): Promise<void> {
  await owner.query('alter table ledger_entries disable trigger user');
  await owner.query('alter table ledger_lines disable trigger user');
  await owner.query('insert into ledger_books (platform_id) values (1) on conflict do nothing');
  await owner.query(
    `insert into ledger_entries (platform_id, entry_id, cause, currency, effective_at, actor, line_count)
    select 1, gen_random_uuid(), 'PAYMENT_RECORDED', 'EUR', 1763640000 + n * 15, 'service', 3 from generate_series(1, $1) n`,
    [ENTRIES],
  );
  await owner.query(`
    insert into ledger_lines (platform_id, entry_id, line, account, party, amount, currency, effective_at, recorded_at, ordinal)
    select platform_id, entry_id, l.line, l.account, l.party, l.amount, currency, effective_at, recorded_at, ordinal
    from ledger_entries cross join (values (1, 'bank', 'main', 11900), (2, 'buyer_receivable', 'buyer', -11400),
      (3, 'fee_income', '', -500)) l(line, account, party, amount)
    where platform_id = 1`);
  await owner.query(`
    insert into ledger_totals (platform_id, account, party, currency, effective_day, recorded_day, amount)
    select 1, account, case account when 'bank' then party else '' end, currency, effective_at / 86400,
      floor(extract(epoch from recorded_at) / 86400), sum(amount)
    from ledger_lines where platform_id = 1 group by 2, 3, 4, 5, 6`);
  await owner.query('alter table ledger_entries enable trigger user');
  await owner.query('alter table ledger_lines enable trigger user');
  await owner.query('analyze ledger_totals');
}
