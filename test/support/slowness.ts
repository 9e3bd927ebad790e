/** Measures the machine once per run, with a short fixed computation and a series of round trips to the database. */
import { performance } from 'node:perf_hooks';
import type pg from 'pg';

/** Milliseconds on the reference machine: two idle cores of a cloud server of 2023, Node 24. */
const REFERENCE = { computationMs: 200, roundTripsMs: 30 };

const ROUND_TRIPS = 200;

/** How many times slower this machine is now than the reference machine, including its load; 1 or more. */
export async function measureSlowness(database: pg.Client): Promise<number> {
  const computationMs = await timeOf(compute);
  const roundTripsMs = await timeOf(async () => {
    for (let nth = 0; nth < ROUND_TRIPS; nth++) await database.query('select 1');
  });
  return Math.max(1, computationMs / REFERENCE.computationMs, roundTripsMs / REFERENCE.roundTripsMs);
}

async function timeOf(work: () => unknown): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

/** The typical work of a server: building, writing, reading and sorting objects. */
function compute(): void {
  for (let round = 0; round < 40; round++) {
    const items = Array.from({ length: 5_000 }, (_, nth) => ({
      id: `item-${(nth * 7_919) % 5_000}`,
      amount: nth,
    }));
    const read: typeof items = JSON.parse(JSON.stringify(items));
    read.sort((one, other) => (one.id < other.id ? -1 : 1));
  }
}
