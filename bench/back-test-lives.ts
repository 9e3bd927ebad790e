/**
 * Invents buyers who pay well, slowly, later and later, not at all, or better again. A policy that ignores payments decides about them for
 * two years; then the default policy is back-tested on that past. The database is an embedded one in a temporary folder; facts, ledger and
 * decisions are written by the program's own queries.
 *
 *   npm run back-test-lives -- [--lives 10000] [--seed 1] [--chart losses.svg]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSettings } from '#config';
import { inTransaction } from '#infra/database/transaction';
import { DAY_SECONDS } from '#kernel/day';
import { readPastCredit } from '#modules/facilities';
import { createPlatform } from '#modules/platforms';
import { compareOnPast, defaultPolicy, insertActivation, insertPolicy } from '#modules/underwriting';
import { lossChartSvg, printLossBars } from '../src/cli/loss-chart.ts';
import { lossesOf, printComparison } from '../src/cli/policy-comparison.ts';
import { type Installation, openInstallation } from '../src/installation.ts';
import { inventLives } from './support/lived-past.ts';
import { policyWithoutHistory } from './support/policy-without-history.ts';
import { temporaryFolder } from './support/program.ts';

/** The end of the past: nothing after it is known. */
const NOW = Date.parse('2026-11-01T00:00:00Z') / 1_000;
const MONTHS = 24;

async function makePlatform({ db, vault }: Installation, at: number): Promise<number> {
  const invented = { code: 'lives', name: 'Invented lives', country: 'DE', currency: 'EUR' } as const;
  const platform = await inTransaction(db, (transaction) => createPlatform(transaction, vault, at, invented));
  if (!platform) throw new Error('The platform exists already.');
  return platform.platform_id;
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      lives: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      chart: { type: 'string' },
    },
  });
  const [lives, seed] = [Number(values.lives), Number(values.seed)];
  if (!Number.isSafeInteger(lives) || lives < 1) throw new Error('Say how many lives, as in --lives 10000.');
  await using started = new AsyncDisposableStack();
  const settings = readSettings({
    TRADELINE_DATA_DIR: temporaryFolder(started),
    TRADELINE_LOG_LEVEL: 'error',
  });
  const installation = await openInstallation(settings, { report: () => {} });
  started.defer(installation.close);
  const { db } = installation;
  const begin = NOW - MONTHS * 31 * DAY_SECONDS;
  const platformId = await makePlatform(installation, begin);
  const without = policyWithoutHistory(defaultPolicy().graph);
  const policies = {
    old: { ...without, name: 'without-history' },
    new: { ...defaultPolicy(), name: 'default' },
  };
  for (const policy of [policies.old, policies.new])
    await insertPolicy(db, { platformId, ...policy, createdAt: begin, createdBy: 'bench' });
  await insertActivation(db, {
    platformId,
    version: 1,
    activatedAt: begin,
    activatedBy: 'bench',
    approvedBy: null,
  });

  const inventing = performance.now();
  const written = await inventLives(
    { db, platformId, policy: policies.old, lives, seed, now: NOW, months: MONTHS },
    (month) => process.stderr.write(`\rmonth ${month} of ${MONTHS}`),
  );
  console.error(
    `\n${lives} lives with ${written.decisions} decisions and ${written.invoices} invoices in ${seconds(inventing)} s.\n`,
  );

  const comparing = performance.now();
  const before = process.cpuUsage();
  const comparison = await compareOnPast(db, platformId, policies, readPastCredit, NOW);
  const took = seconds(comparing);
  const { user, system } = process.cpuUsage(before);
  const titles = {
    old: 'without history',
    new: 'default',
    asOf: new Date(NOW * 1_000).toISOString().slice(0, 10),
  };
  printComparison(comparison, titles);
  const losses = lossesOf(comparison);
  if (values.chart === undefined) printLossBars(losses, titles);
  else writeFileSync(values.chart, await lossChartSvg(losses, titles));
  console.log(
    `\nBack-test of ${comparison.old.applications} decisions about ${lives} buyers: ${took} s, with ${((user + system) / 1e6).toFixed(1)} s of processor time in this process.`,
  );
}

const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(1);

await main(process.argv.slice(2));
