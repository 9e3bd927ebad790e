/** P12: what do idle platforms cost a program that has nothing to do? */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { attachToRunningPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { copyPlatform } from '#test/many-platforms';
import { median } from './support/measure.ts';
import { postgresCpuUs, processCpuUs } from './support/process-usage.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const PLATFORMS = 10_000;
/** A share of a core. */
const BAR = 0.01;
/** Copying leaves pages that PostgreSQL cleans up afterwards. */
const SETTLE_MS = 20_000;

export const idlePlatforms: Question = { name: 'idle-platforms', run };

async function run({ program, started, rounds, roundMs, warmUpMs, progress }: Bench): Promise<Finding> {
  const embedded = await attachToRunningPostgres(program.dataDir);
  if (!embedded) throw new Error('The program runs without an embedded PostgreSQL.');
  const superuser = new pg.Client({
    ...embedded.endpoint('superuser'),
    database: embedded.endpoint('owner').database,
  });
  await superuser.connect();
  started.defer(() => superuser.end());
  const { rows } = await superuser.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backend = rows[0]?.pid as number;
  const usedUs = () => ({ program: processCpuUs(program.pid) ?? 0, postgres: postgresCpuUs(backend) ?? 0 });

  /** Shares of a core that the program and PostgreSQL use. */
  const measure = async () => {
    const [before, fromMs] = [usedUs(), performance.now()];
    await sleep(roundMs);
    const [after, ms] = [usedUs(), performance.now() - fromMs];
    return {
      program: (after.program - before.program) / 1_000 / ms,
      postgres: (after.postgres - before.postgres) / 1_000 / ms,
    };
  };
  const measureAll = async (what: string) => {
    const shares: Awaited<ReturnType<typeof measure>>[] = [];
    for (let round = 1; round <= rounds; round++) {
      progress(`${what}: round ${round} of ${rounds}`);
      shares.push(await measure());
    }
    return shares;
  };

  await program.send('POST', '/v1/webhooks', { type: 'ORDER', url: 'http://127.0.0.1:9/' });
  await sleep(warmUpMs);
  const few = await measureAll('1 platform');
  progress(`making ${PLATFORMS.toLocaleString('en')} platforms`);
  await copyPlatform(superuser, PLATFORMS);
  await superuser.query('checkpoint');
  await sleep(SETTLE_MS);
  const many = await measureAll(`${PLATFORMS.toLocaleString('en')} platforms`);
  return findingOf(few, many);
}

type Shares = { program: number; postgres: number }[];

function findingOf(few: Shares, many: Shares): Finding {
  const wholeOf = (shares: Shares) => shares.map(({ program, postgres }) => program + postgres);
  const [fewWhole, manyWhole] = [median(wholeOf(few)), median(wholeOf(many))];
  const more = wholeOf(many).map((share) => share - fewWhole);
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
  const parts = (shares: Shares) =>
    `${percent(median(shares.map(({ program }) => program)))} of the program and ` +
    `${percent(median(shares.map(({ postgres }) => postgres)))} of PostgreSQL`;
  return {
    id: 'P12',
    what: `cores, in hundredths, with ${PLATFORMS.toLocaleString('en')} idle platforms`,
    rate: 100 * manyWhole,
    baseline: 'with one',
    baselineRate: 100 * fewWhole,
    ratio: manyWhole / fewWhole,
    ratioMin: Math.min(...wholeOf(many)) / fewWhole,
    ratioMax: Math.max(...wholeOf(many)) / fewWhole,
    bar: `${percent(BAR)} more`,
    p50Ms: null,
    p99Ms: null,
    notes: [
      `${PLATFORMS.toLocaleString('en')} idle platforms cost ${percent(median(more))} of a core, from ${percent(Math.min(...more))} to ${percent(Math.max(...more))}.`,
      `Of a core are used: with one platform ${parts(few)}; with all ${parts(many)}.`,
    ],
  };
}
