/** P11: how long is a platform with 100,000 orders read-only while it moves to another database, and does it answer the same there? */
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { allIds } from './support/ids.ts';
import { ORDER_ON_CREDIT, orderBody, PARTIES, registerDebtors } from './support/orders.ts';
import { type Program, startProgram, temporaryFolder } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const ORDERS_MAX = 100_000;
const CREATED_AT_ONCE = 50;
const REQUESTS = 1_000;
const BAR_SECONDS = 120;
const CODE = 'traveller';
const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
/** Longer than it takes until events and ledger entries have their numbers. */
const SETTLE_MS = 3_000;

export const relocatePlatform: Question = { name: 'relocate-platform', run };

async function run({ program: source, started, orders: wanted, progress }: Bench): Promise<Finding> {
  const orders = Math.min(wanted, ORDERS_MAX);
  const masterKey = readFileSync(join(source.dataDir, 'master-key'), 'utf8').trim();
  const settings = { TRADELINE_MASTER_KEY: masterKey };
  const target = await startProgram({ started, profileFolder: null, settings });
  const [from, to] = [commandsOf(source, settings), commandsOf(target, settings)];
  const { key, operatorKey } = await makePlatform(from);
  await makeOrders(of(source, key), orders, progress);
  await sleep(SETTLE_MS);

  const paths = randomPaths(orders);
  progress(`asking ${REQUESTS} times`);
  const before = await answersOf(source, key, paths);
  const folder = join(temporaryFolder(started), 'export');
  progress('exporting');
  const exported = await timed(() =>
    from(['platform', 'export', CODE, '--out', folder, '--wait', '600', '--json'], {
      TRADELINE_OPERATOR_KEY: operatorKey,
    }),
  );
  await to(['cell', '1']);
  progress('importing');
  const imported = await timed(() => to(['platform', 'import', CODE, '--from', folder, '--json']));
  progress(`asking ${REQUESTS} times again`);
  const after = await answersOf(target, key, paths);
  const same = before.filter((answer, nth) => answer === after[nth]).length;
  for (const verify of [['verify'], ['ledger', 'verify'], ['audit', 'verify']])
    await to([...verify, '--platform', CODE]);
  const { rows } = JSON.parse(imported.result) as { rows: number };
  return findingOf({ orders, rows, exportS: exported.seconds, importS: imported.seconds, same });
}

/** Runs commands on the data of a program, and returns what they print. */
function commandsOf({ dataDir }: Program, settings: Record<string, string>) {
  return async (args: string[], more: Record<string, string> = {}): Promise<string> => {
    const env = { ...process.env, TRADELINE_DATA_DIR: dataDir, ...settings, ...more };
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { env });
    return stdout;
  };
}

/** Creates another platform, because the first one has the same code in both programs. */
async function makePlatform(
  run: ReturnType<typeof commandsOf>,
): Promise<{ key: string; operatorKey: string }> {
  const about = ['--code', CODE, '--name', 'Traveller', '--country', 'DE', '--currency', 'EUR'];
  const { api_key: key } = JSON.parse(await run(['platform', 'create', ...about, '--json']));
  const person = ['ada', '--email', 'ada@operators.example', '--role', 'ADMIN', '--reason', 'First.'];
  const added = await run(['operator', 'add', ...person, '--platform', CODE, '--json']);
  return { key, operatorKey: JSON.parse(added).operator_key };
}

/** The program with the key of another platform. */
function of(program: Program, key: string): Program {
  const send: Program['send'] = (method, path, body) => program.send(method, path, body, key);
  return {
    ...program,
    send,
    async createAll(path, bodies) {
      for (let at = 0; at < bodies.length; at += CREATED_AT_ONCE)
        await Promise.all(bodies.slice(at, at + CREATED_AT_ONCE).map((body) => send('POST', path, body)));
    },
  };
}

/** Creates orders, each with an event, a history, and entries in the ledger of a facility. */
async function makeOrders(program: Program, orders: number, progress: Bench['progress']): Promise<void> {
  progress('granting credit');
  await registerDebtors(program);
  const [buyers, merchants] = [allIds(PARTIES.buyer), allIds(PARTIES.merchant)];
  for (let at = 0; at < orders; at += BATCH) {
    progress(`ordering, ${at.toLocaleString('en')} of ${orders.toLocaleString('en')}`);
    const numbers = Array.from({ length: Math.min(BATCH, orders - at) }, (_, nth) => at + nth);
    const bodies = numbers.map((number) =>
      orderBody({
        external_id: orderId(number),
        buyer_external_id: buyers[number % buyers.length],
        merchant_external_id: merchants[number % merchants.length],
        ...ORDER_ON_CREDIT,
      }),
    );
    await program.createAll('/v1/orders', bodies);
  }
}

const BATCH = 5_000;
const orderId = (number: number) => `order-${number}`;

/** Paths of single orders, buyers and facilities, and of lists. */
function randomPaths(orders: number): string[] {
  const [buyers, merchants] = [allIds(PARTIES.buyer), allIds(PARTIES.merchant)];
  const pick = (ids: readonly string[]) => ids[randomInt(ids.length)];
  const kinds = [
    () => `/v1/orders/${orderId(randomInt(orders))}`,
    () => `/v1/orders/${orderId(randomInt(orders))}/history`,
    () => `/v1/buyers/${pick(buyers)}`,
    () => `/v1/buyers/${pick(buyers)}/facility`,
    () => `/v1/orders?buyer_external_id=${pick(buyers)}&offset=${randomInt(50)}`,
    () => `/v1/orders?merchant_external_id=${pick(merchants)}&sort_by=external_id`,
    () => `/v1/orders?status=CONFIRMED&offset=${randomInt(1_000)}`,
    () => `/v1/events?after=${randomInt(orders)}`,
  ];
  return Array.from({ length: REQUESTS }, (_, nth) => (kinds[nth % kinds.length] as () => string)());
}

async function answersOf({ baseUrl }: Program, key: string, paths: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const path of paths) {
    const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    answers.push((await answer.text()).replaceAll(baseUrl, ''));
  }
  return answers;
}

async function timed(work: () => Promise<string>): Promise<{ result: string; seconds: number }> {
  const beganMs = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - beganMs) / 1_000 };
}

interface Relocated {
  orders: number;
  rows: number;
  exportS: number;
  importS: number;
  /** The number of equal answers. */
  same: number;
}

function findingOf({ orders, rows, exportS, importS, same }: Relocated): Finding {
  const seconds = exportS + importS;
  const barSeconds = (BAR_SECONDS * orders) / ORDERS_MAX;
  const ratio = barSeconds / seconds;
  return {
    id: 'P11',
    what: `A platform with ${orders.toLocaleString('en')} orders moves to another database`,
    rate: orders / seconds,
    baseline: `${BAR_SECONDS} seconds for ${ORDERS_MAX.toLocaleString('en')}`,
    baselineRate: orders / barSeconds,
    ...{ ratio, ratioMin: ratio, ratioMax: ratio },
    bar: `all of ${REQUESTS.toLocaleString('en')} answers the same`,
    p50Ms: null,
    p99Ms: null,
    notes: [
      `Rates are orders a second. The export took ${exportS.toFixed(1)} s, of which 4 s are for processes to know of it, and the import ${importS.toFixed(1)} s, of ${rows.toLocaleString('en')} rows. Both verify books, totals and chains.`,
      `${same.toLocaleString('en')} of ${REQUESTS.toLocaleString('en')} random GETs answered the same bytes before and after: the bar is ${same === REQUESTS ? 'met' : 'missed'}. \`verify\`, \`ledger verify\` and \`audit verify\` found nothing wrong in the new database.`,
    ],
  };
}
