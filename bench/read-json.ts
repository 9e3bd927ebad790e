/** S2: does a hostile request body of 256 KiB block the event loop? */
import { readStrictJson } from '#http/strict-json';
import { HOSTILE_BODIES, ORDINARY_BODY } from '#test/hostile-json';
import { median } from './support/measure.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const BAR_MS = 50;
/** The fastest of these counts: the bar limits the work, not the other load of the machine. */
const READINGS = 3;

export const readJson: Question = { name: 'read-json', run };

async function run({ rounds, progress }: Bench): Promise<Finding> {
  const bodies = HOSTILE_BODIES.map(([name, body]) => ({ name, bytes: Buffer.from(body as string) }));
  fastestMs(ORDINARY_BODY);
  const ordinaryMs: number[] = [];
  const hostile: { name: string; ms: number }[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    ordinaryMs.push(fastestMs(ORDINARY_BODY));
    const measured = bodies.map(({ name, bytes }) => ({ name, ms: fastestMs(bytes) }));
    hostile.push(measured.reduce((a, b) => (b.ms > a.ms ? b : a)));
  }
  const slowestMs = hostile.map(({ ms }) => ms);
  const ratios = slowestMs.map((ms, nth) => (ordinaryMs[nth] as number) / ms);
  const longestMs = Math.max(...slowestMs);
  return {
    id: 'S2',
    what: 'reading the most expensive hostile body',
    rate: 1_000 / median(slowestMs),
    baseline: 'an ordinary body of the same size',
    baselineRate: 1_000 / median(ordinaryMs),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    bar: `≤ ${BAR_MS} ms`,
    p50Ms: median(slowestMs),
    p99Ms: longestMs,
    notes: [
      `${bodies.length} hostile bodies of up to 256 KiB, the fastest of ${READINGS} readings each. The most expensive: ${[...new Set(hostile.map(({ name }) => name))].join(', ')}.`,
      `p99 is the longest of the rounds; the bar is ${longestMs <= BAR_MS ? 'met' : 'missed'}.`,
    ],
  };
}

function fastestMs(bytes: Buffer): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < READINGS; reading++) {
    const startedAtMs = performance.now();
    readStrictJson(bytes);
    fastest = Math.min(fastest, performance.now() - startedAtMs);
  }
  return fastest;
}
