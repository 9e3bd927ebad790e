/** W8: how much do the notifications that wake workers of other processes slow down the writes of a process that serves requests? */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#infra/database/database';
import { notifyOfCommit } from '#infra/database/wake-ups.queries';
import { compare, type Side } from './support/compare.ts';
import { median } from './support/measure.ts';
import { postOrders, registerParties } from './support/orders.ts';
import { processCpuUs } from './support/process-usage.ts';
import { startProgram, startWorkerProcess } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';
import { MASTER_KEY_SETTING } from './support/webhooks.ts';

const BAR = 0.95;
/** Commits within this time share a notification, so a process sends no more, regardless of the number of writes. */
const NOTICE_EVERY_MS = 8;

export const wakeWorkers: Question = { name: 'wake-workers', run };

/** One run of a side, per second. */
interface Woken {
  notices: number;
  /** Processor time of the worker, as a share of a core. */
  workerShare: number;
}

async function run(bench: Bench): Promise<Finding> {
  const { started, progress } = bench;
  await bench.program.end('SIGTERM');
  const settings = { ...MASTER_KEY_SETTING, TRADELINE_WORKER: 'off' };
  const program = await startProgram({ started, profileFolder: null, settings });
  const worker = await startWorkerProcess(program, started, MASTER_KEY_SETTING);
  progress('registering buyers and merchants');
  await registerParties(program);
  const { db, close } = openDatabase({ connection: program.postgres, connectionsMax: 1 });
  started.defer(close);

  let notices = 0;
  const notify = async () => {
    await notifyOfCommit(db);
    notices++;
  };
  const workerUs = () => processCpuUs(worker) ?? Number.NaN;
  const watched = (side: Side, runs: Woken[]): Side => ({
    ...side,
    async run(durationMs) {
      const before = { notices, workerUs: workerUs(), atMs: performance.now() };
      const measurement = await side.run(durationMs);
      const ms = performance.now() - before.atMs;
      runs.push({
        notices: ((notices - before.notices) * 1_000) / ms,
        workerShare: (workerUs() - before.workerUs) / 1_000 / ms,
      });
      return measurement;
    },
  });
  const ofSubject: Woken[] = [];
  const ofBaseline: Woken[] = [];
  const postDrafts = postOrders({ ...bench, program }, { path: '/v1/orders/draft', prefix: 'draft-' });
  const subject = {
    name: 'POST /v1/orders/draft, while notices wake a worker of another process',
    run: (durationMs: number) => whileNotifying(notify, () => postDrafts(durationMs)),
  };
  const baseline = { name: 'the same without notices', run: postDrafts };
  const finding = await compare(bench, {
    subject: watched(subject, ofSubject),
    baseline: watched(baseline, ofBaseline),
  });
  return {
    ...finding,
    id: 'W8',
    bar: `≥ ${BAR}`,
    notes: [...notesOf(ofSubject, ofBaseline), ...finding.notes],
  };
}

/** Runs the work, and sends a notification every few milliseconds until it has ended. */
async function whileNotifying<Result>(
  notify: () => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const sendNotices = async () => {
    while (!isOver) await Promise.all([notify(), sleep(NOTICE_EVERY_MS)]);
  };
  const working = work().finally(() => {
    isOver = true;
  });
  const [result] = await Promise.all([working, sendNotices()]);
  return result;
}

function notesOf(subject: readonly Woken[], baseline: readonly Woken[]): string[] {
  const perSecond = (runs: readonly Woken[]) => median(runs.map(({ notices }) => notices)).toFixed(0);
  const share = (runs: readonly Woken[]) =>
    `${(100 * median(runs.map(({ workerShare }) => workerShare))).toFixed(1)} %`;
  return [
    `One process serves the requests (\`TRADELINE_WORKER=off\`), another works in the background (\`only\`) and listens, on both sides. A draft records no event, so that the process sends no notification. The bench sends the same statement on its own connection every ${NOTICE_EVERY_MS} ms, as often as a process does at most. What the process would spend on sending it is not in the figure.`,
    `${perSecond(subject)} notices a second with the subject, ${perSecond(baseline)} with the baseline. The worker used ${share(subject)} of a core with the subject, ${share(baseline)} with the baseline.`,
  ];
}
