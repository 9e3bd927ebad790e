/** W1, W2: how soon and how fast do writes continue after a kill of the program or its database, and are mails sent? */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readPostmasterFile } from '#infra/embedded-postgres/leftovers';
import { clusterOf } from '#infra/embedded-postgres/locations';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { testAuthorityPath } from '#test/certificates';
import { WriteLoad } from '#test/write-load';
import { limit, limitNotes, timed, waitUntil } from './support/limits.ts';
import { type MailReceiver, startMailReceiver } from './support/mail-receiver.ts';
import { median } from './support/measure.ts';
import { type Program, startProgram } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const WRITES_PER_SECOND_MIN = 300;
/** Writes between a restart and the next kill: no two kills hit the same moment of the background work. */
const WRITES = { min: 200, more: 600 };

export const recover: Question = { name: 'recover', run };

const newLimits = () => ({
  firstWrite: limit('First acknowledged write after SIGKILL of the program', 3_000),
  database: limit('First connection after SIGKILL of PostgreSQL', 3_000),
  nextWrite: limit('First acknowledged write after PostgreSQL accepts connections', 1_000),
  invitation: limit('Invitation at the mail server, after the draft', 2_000),
  outcome: limit('Outcome mail at the mail server, after the cancellation', 2_500),
});
type Limits = ReturnType<typeof newLimits>;

async function run(bench: Bench): Promise<Finding> {
  const { rounds, progress } = bench;
  const limits = newLimits();
  const rates = { undisturbed: [] as number[], killed: [] as number[] };
  let { program } = bench;
  await program.send('POST', '/v1/merchants', merchantBody({}));
  const load = new WriteLoad([{ code: 'bench', apiKey: program.apiKey }]);
  await load.aim(program.baseUrl);
  progress('warming up');
  await sleep(bench.warmUpMs);
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}: writes`);
    rates.undisturbed.push(await rateDuring(load, () => sleep(bench.roundMs)));
    program = await killProgram(bench, program, load, limits);
    const target = load.acknowledged + WRITES.min + Math.floor(Math.random() * WRITES.more);
    const isReached = () => load.acknowledged >= target;
    rates.killed.push(await rateDuring(load, () => waitUntil('writes', isReached)));
    await killDatabase(program, load, limits);
  }
  await load.stop();
  if (load.surprises.length > 0)
    throw new Error(`Unexpected responses: ${load.surprises.slice(0, 3).join('; ')}`);
  await program.end('SIGTERM');
  await measureMails(bench, limits);
  return findingOf(limits, rates, load.acknowledged);
}

async function rateDuring(load: WriteLoad, work: () => Promise<void>): Promise<number> {
  const from = { acknowledged: load.acknowledged, atMs: performance.now() };
  await work();
  return ((load.acknowledged - from.acknowledged) * 1_000) / (performance.now() - from.atMs);
}

const untilNextWrite = (load: WriteLoad) => {
  const before = load.acknowledged;
  return waitUntil('an acknowledged write', () => load.acknowledged > before);
};

/** Kills the program under writes and starts it on the same data folder. */
async function killProgram(
  { started }: Bench,
  program: Program,
  load: WriteLoad,
  { firstWrite }: Limits,
): Promise<Program> {
  return await timed(firstWrite, async () => {
    await program.end('SIGKILL');
    await load.aim(null);
    const again = await startProgram({ started, profileFolder: null, dataDir: program.dataDir });
    await load.aim(again.baseUrl);
    await untilNextWrite(load);
    return again;
  });
}

/** Kills the first process of PostgreSQL under writes. The program starts it again. */
async function killDatabase(program: Program, load: WriteLoad, limits: Limits): Promise<void> {
  const postmaster = readPostmasterFile(clusterOf(program.dataDir));
  if (!postmaster) throw new Error('PostgreSQL does not run.');
  await timed(limits.database, async () => {
    process.kill(postmaster.pid, 'SIGKILL');
    await waitUntil('the end of PostgreSQL', async () => !(await acceptsConnections(program)));
    await waitUntil('PostgreSQL', () => acceptsConnections(program));
  });
  await timed(limits.nextWrite, () => untilNextWrite(load));
}

const acceptsConnections = (program: Program) =>
  queryAsOwner(program, 'select').then(
    () => true,
    () => false,
  );

async function queryAsOwner(
  { postgresOwner }: Program,
  sql: string,
  values: unknown[] = [],
): Promise<number> {
  const client = new pg.Client(postgresOwner);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** A draft invites its buyer, and its cancellation is mailed to a buyer who has placed it. */
async function measureMails(bench: Bench, limits: Limits): Promise<void> {
  const { started, rounds, progress } = bench;
  const receiver: MailReceiver = started.use(await startMailReceiver());
  const program = await startProgram({
    started,
    profileFolder: null,
    dataDir: bench.program.dataDir,
    settings: { SMTP_URL: receiver.url, SMTP_FROM: 'orders@example.com', SMTP_CA_FILE: testAuthorityPath },
  });
  await queryAsOwner(program, 'update platforms set sends_checkout_invitations = true');
  await program.send('POST', '/v1/buyers', buyerBody({ external_id: 'mailed' }));
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}: mails`);
    const id = `mailed-${round}`;
    const to = `${id}@example.com`;
    const order = { external_id: id, buyer_external_id: 'mailed', contact_email: to };
    await program.send('POST', '/v1/orders/draft', draftOrderBody(order));
    await timed(limits.invitation, () => waitUntil('an invitation', () => receiver.mailsTo(to) === 1));
    // Stands for the buyer who places the order in the checkout.
    await queryAsOwner(program, PLACE_ORDER, [id]);
    await program.send('POST', `/v1/orders/${id}/cancel`, {});
    await timed(limits.outcome, () => waitUntil('an outcome mail', () => receiver.mailsTo(to) === 2));
  }
}

const PLACE_ORDER = `insert into checkout_consents (platform_id, order_external_id, consented_at, terms_version, language,
    formality, terms_sha256, payment_term)
  select platform_id, external_id, 1, '1', 'EN', 'NEUTRAL', '\\x00', 'PREPAYMENT' from orders where external_id = $1`;

function findingOf(
  limits: Limits,
  { undisturbed, killed }: Record<'undisturbed' | 'killed', number[]>,
  acknowledged: number,
): Finding {
  const ratios = killed.map((rate, nth) => rate / (undisturbed[nth] as number));
  const isMet = Math.min(...killed) >= WRITES_PER_SECOND_MIN;
  const { tookMs } = limits.firstWrite;
  return {
    id: 'W1, W2',
    what: 'writes right after a kill and a restart',
    rate: median(killed),
    baseline: 'the same writes before the kill',
    baselineRate: median(undisturbed),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    bar: `≥ ${WRITES_PER_SECOND_MIN} /s`,
    p50Ms: median(tookMs),
    p99Ms: Math.max(...tookMs),
    notes: [
      `16 clients, each starting a write every 30 ms if the last one was answered: at most 533 per second. ${acknowledged} writes were acknowledged; the bar is ${isMet ? 'met' : 'missed'} by the slowest round.`,
      `The latencies are from the kill to the first acknowledged write; p99 is the longest.`,
      ...limitNotes(Object.values(limits)),
    ],
  };
}
