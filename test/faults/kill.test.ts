/** W1: the server is killed with SIGKILL, again and again, while integrators write and receivers listen. */

import { describe, expect, it, vi } from 'vitest';
import { processesBelow } from '#test/embedded-postgres-processes';
import { patience } from '#test/patience';
import { launchProgram } from '#test/program';
import { eventually } from '#test/until';
import { acknowledgements, median, useWritesUnderKills } from '#test/writes-under-kills';

const KILLS = Number(process.env.KILLS ?? 5);
const isLongRun = process.env.KILLS !== undefined;
/** The bars of the long run. When other tests run too, the first start and the rate before the first kill are the measure. */
const LONG_RUN = { answerAfterMsMax: 3_000, writesPerSecondMin: 300 };

vi.setConfig({ testTimeout: patience(60) });

describe(`after ${KILLS} kills of the server`, () => {
  const scene = useWritesUnderKills(KILLS, async (running) => {
    const { program, load } = running;
    process.kill(program.pid, 'SIGKILL');
    await load.aim(null);
    await program.exited;
    const startedAtMs = performance.now();
    const launched = launchProgram({ dataDir: program.dataDir });
    const { baseUrl } = await launched.ready;
    running.program = { ...program, ...launched, env: program.env, baseUrl };
    await load.aim(baseUrl);
    await acknowledgements(load, 1);
    const tookMs = performance.now() - startedAtMs;
    // A child of PostgreSQL looks like its parent for a moment after its fork.
    await eventually(() => expect(postmasters(program.dataDir)).toHaveLength(1));
    return tookMs;
  });

  it('every request was answered as it should, or not at all', () => {
    expect(scene.load.surprises).toEqual([]);
    expect(scene.load.unanswered).toBeGreaterThan(KILLS);
    expect(scene.load.unavailable).toBe(0);
  });

  it('writes went on at their rate, and soon after each start', () => {
    const { rates, firstAnswersMs, firstStartMs } = scene;
    expect(firstAnswersMs).toHaveLength(KILLS);
    expect(median(firstAnswersMs)).toBeLessThan(2 * firstStartMs);
    expect(median(rates)).toBeGreaterThan((rates[0] as number) / 4);
    if (!isLongRun) return;
    expect(Math.max(...firstAnswersMs)).toBeLessThan(LONG_RUN.answerAfterMsMax);
    expect(rates.reduce((sum, rate) => sum + rate, 0) / KILLS).toBeGreaterThan(LONG_RUN.writesPerSecondMin);
  });
});

const postmasters = (dataDir: string) =>
  processesBelow(dataDir).filter(({ command }) => command.includes('/postgres -D '));
