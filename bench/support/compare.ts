import { type Measurement, median } from './measure.ts';
import type { Bench, Finding } from './question.ts';

/** One side of a comparison: works for a duration and returns its measurement. */
export interface Side {
  name: string;
  run(durationMs: number): Promise<Measurement>;
}

/**
 * Runs baseline and subject in turns, so that both run under the same conditions, and compares within each round. The
 * starting side alternates, so that neither always profits from the other's caches.
 */
export async function compare(
  { rounds, roundMs, warmUpMs, progress }: Bench,
  { baseline, subject }: { baseline: Side; subject: Side },
): Promise<Omit<Finding, 'id' | 'bar'> & Record<'p50Ms' | 'p99Ms', number>> {
  progress('warming up');
  await baseline.run(warmUpMs);
  await subject.run(warmUpMs);
  const ofBaseline: Measurement[] = [];
  const ofSubject: Measurement[] = [];
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(
      `round ${round} of ${rounds}${ratios.length > 0 ? `, ratios so far ${ratios.map(twoDigits).join(', ')}` : ''}`,
    );
    const runBaseline = async () => void ofBaseline.push(await baseline.run(roundMs));
    const runSubject = async () => void ofSubject.push(await subject.run(roundMs));
    for (const run of round % 2 === 1 ? [runBaseline, runSubject] : [runSubject, runBaseline]) await run();
    ratios.push((ofSubject.at(-1)?.rate ?? Number.NaN) / (ofBaseline.at(-1)?.rate ?? Number.NaN));
  }
  const middle = (measurements: Measurement[], figure: keyof Measurement) =>
    median(measurements.map((each) => each[figure]));
  return {
    what: subject.name,
    rate: middle(ofSubject, 'rate'),
    baseline: baseline.name,
    baselineRate: middle(ofBaseline, 'rate'),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    p50Ms: middle(ofSubject, 'p50Ms'),
    p99Ms: middle(ofSubject, 'p99Ms'),
    notes: [
      `The process that sends and counts used ${percent(middle(ofSubject, 'busyShare'))} of a core with the subject, ${percent(middle(ofBaseline, 'busyShare'))} with the baseline.`,
    ],
  };
}

const twoDigits = (ratio: number) => ratio.toFixed(2);
const percent = (share: number) => `${Math.round(share * 100)} %`;
