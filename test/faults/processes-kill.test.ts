/**
 * Two processes serve requests and two work in the background. One of each is repeatedly killed while integrators write and
 * receivers listen. Then all of them are restarted one by one, without an effect on clients.
 */
import { describe, expect, it, vi } from 'vitest';
import { FourProcesses, type Kind } from '#test/four-processes';
import { patience } from '#test/patience';
import type { RunningProgram } from '#test/program';
import { until } from '#test/until';
import { acknowledgements, useWritesUnderKills, type WritesUnderKills } from '#test/writes-under-kills';

const KILLS = Number(process.env.PROCESS_KILLS ?? 2);
const isLongRun = process.env.PROCESS_KILLS !== undefined;
const SECONDS_BETWEEN = Number(process.env.PROCESS_KILL_SECONDS ?? 0);
/** An attempt can arrive after its worker was killed, because its bytes were already sent. */
const UNDER_WAY_MS = 1_000;

vi.setConfig({ testTimeout: patience(60) });

const processes = new FourProcesses();
const { running } = processes;
/** By `performance.now`. */
const workerKillsMs: number[] = [];
/** Requests without a response during the restarts. */
const disturbed: number[] = [];
let rounds = 0;

describe(`after ${KILLS} kills of an API and of a worker`, () => {
  const scene = useWritesUnderKills(
    KILLS + 1,
    async (current) => {
      const beganAtMs = performance.now();
      const nth = rounds++ % 2;
      if (rounds > KILLS) await restartAll(current);
      else await killOneOfEach(current, nth);
      current.program = running.api[0] as RunningProgram;
      await until(() => performance.now() - beganAtMs > SECONDS_BETWEEN * 1_000, SECONDS_BETWEEN + 1);
      return performance.now() - beganAtMs;
    },
    processes,
  );

  it('every request was answered as it should, with 503, or not at all', () => {
    expect(scene.load.surprises).toEqual([]);
    expect(scene.load.unanswered).toBeGreaterThan(0);
  });

  it('a restart of all processes, one by one, left no request without an answer', () => {
    expect(disturbed).toEqual([0]);
  });

  // When other tests run too, a worker can stop for longer than its leases last.
  it.runIf(isLongRun)('no delivery was attempted twice, unless its worker was killed', () => {
    const doubled = scene.receivers.flatMap(({ received }) => {
      const byEvent = Map.groupBy(received, ({ event }) => event.id as string);
      return [...byEvent.values()].flatMap((attempts) =>
        attempts.slice(1).map((next, at) => [attempts[at], next]),
      );
    });
    const unexplained = doubled.filter(
      ([first, next]) =>
        !workerKillsMs.some(
          (killedMs) => killedMs > (first?.atMs ?? 0) - UNDER_WAY_MS && killedMs < (next?.atMs ?? 0),
        ),
    );
    console.log(
      `${doubled.length} deliveries attempted twice after ${workerKillsMs.length} kills of workers`,
    );
    expect(unexplained.map((pair) => pair.map((each) => [each?.event.id, each?.atMs]))).toEqual([]);
  });
});

const urlsOf = (...programs: (RunningProgram | undefined)[]) =>
  programs.flatMap((each) => each?.baseUrl ?? []);

async function killOneOfEach({ load }: WritesUnderKills, nth: number): Promise<void> {
  const api = running.api[nth] as RunningProgram;
  const worker = running.worker[nth] as RunningProgram;
  workerKillsMs.push(performance.now());
  process.kill(worker.pid, 'SIGKILL');
  process.kill(api.pid, 'SIGKILL');
  await load.aim(urlsOf(running.api[1 - nth]));
  await Promise.all([api.exited, worker.exited]);
  // The other processes continue to run.
  await acknowledgements(load, 50);
  await Promise.all([processes.begin('api', nth), processes.begin('worker', nth)]);
  await load.aim(urlsOf(...running.api));
  await acknowledgements(load, 1);
}

/** As an operator does it: requests are sent elsewhere before a process is stopped. */
async function restartAll({ load }: WritesUnderKills): Promise<void> {
  const before = load.unanswered;
  const order: [Kind, number][] = [
    ['api', 0],
    ['worker', 0],
    ['api', 1],
    ['worker', 1],
  ];
  for (const [kind, nth] of order) {
    if (kind === 'api') await load.turnTo(urlsOf(running.api[1 - nth]));
    expect(await running[kind][nth]?.stop('SIGTERM')).toBe(0);
    await processes.begin(kind, nth);
    await load.turnTo(urlsOf(...running.api));
    await acknowledgements(load, 50);
  }
  disturbed.push(load.unanswered - before);
}
