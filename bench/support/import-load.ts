/** A process that loads a registry file, either like `tradeline registry import` or line by line into a plain table. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { openDatabase } from '#infra/database/database';
import type { PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { systemClock } from '#infra/time/clock';
import { type ImportProgress, importRegistry } from '#modules/registry';
import { answerJobs } from './part.ts';
import { postgresCpuUs } from './process-usage.ts';

export interface ImportJob {
  way: 'import' | 'as it stands';
  path: string;
  connection: PostgresEndpoint;
}

export interface ImportMeasurement {
  lines: number;
  refused: number;
  elapsedMs: number;
  /** The part of `elapsedMs` that the vocabulary took at the end. */
  wordsMs: number;
  nodeCpuUs: number;
  postgresCpuUs: number | null;
  /** Resident memory of this process at each share of the file. */
  memory: { share: number; bytes: number }[];
}

const MEMORY_AT = [0.1, 0.5, 1];
const CONNECTIONS = 10;
const LINES_AT_ONCE = 1_000;
const STATEMENTS_UNDER_WAY_MAX = 3;

async function load(job: ImportJob): Promise<ImportMeasurement> {
  const watcher = new pg.Client(job.connection);
  await watcher.connect();
  try {
    const { rows } = await watcher.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postgresUs = () => postgresCpuUs(rows[0]?.pid ?? 0);
    const before = { cpu: process.cpuUsage(), postgres: postgresUs(), ms: performance.now() };
    const done = await (job.way === 'import' ? importFile(job) : insertLines(job));
    const elapsedMs = performance.now() - before.ms;
    const { user, system } = process.cpuUsage(before.cpu);
    const postgresAfter = postgresUs();
    return {
      ...done,
      elapsedMs,
      wordsMs: done.countingMs === null ? 0 : performance.now() - done.countingMs,
      nodeCpuUs: user + system,
      postgresCpuUs:
        postgresAfter === null || before.postgres === null ? null : postgresAfter - before.postgres,
    };
  } finally {
    await watcher.end();
  }
}

type Done = Pick<ImportMeasurement, 'lines' | 'refused' | 'memory'> & { countingMs: number | null };

async function importFile({ path, connection }: ImportJob): Promise<Done> {
  const { db, close } = openDatabase({ connection: { ...connection }, connectionsMax: CONNECTIONS });
  const memory: ImportMeasurement['memory'] = [];
  let countingMs: number | null = null;
  const onProgress = ({ share, phase }: ImportProgress) => {
    const next = MEMORY_AT[memory.length] ?? Infinity;
    if (share >= next) memory.push({ share: next, bytes: process.memoryUsage.rss() });
    if (phase === 'counting words') countingMs = performance.now();
  };
  try {
    const options = { path, format: null, refusedPath: null, isRestarted: true, onProgress };
    const { signal } = new AbortController();
    const { recordsRead, recordsRefused } = await importRegistry(db, systemClock, { ...options, signal });
    return { lines: recordsRead, refused: recordsRefused, memory, countingMs };
  } finally {
    await close();
  }
}

/** Writes each line into a table that has only the key of companies: the upper bound for any import. */
async function insertLines({ path, connection }: ImportJob): Promise<Done> {
  const pool = new pg.Pool({ ...connection, max: STATEMENTS_UNDER_WAY_MAX });
  const underWay: Promise<unknown>[] = [];
  let lines = 0;
  let some: string[] = [];
  const send = async () => {
    const keys = some.map((line) => line.split(',', 2));
    const columns = [keys.map(([registry]) => registry), keys.map(([, key]) => key), some];
    some = [];
    underWay.push(
      pool.query({
        name: 'lines',
        text: 'insert into bench_lines select * from unnest($1::text[], $2::text[], $3::text[])',
        values: columns,
      }),
    );
    if (underWay.length === STATEMENTS_UNDER_WAY_MAX) await underWay.shift();
  };
  try {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      if (lines++ > 0) some.push(line);
      if (some.length === LINES_AT_ONCE) await send();
    }
    await send();
    await Promise.all(underWay);
    return { lines: lines - 1, refused: 0, memory: [], countingMs: null };
  } finally {
    await pool.end();
  }
}

if (import.meta.main) answerJobs(load);
