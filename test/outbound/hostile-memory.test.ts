/** W5: the memory of a process that posts to hostile receivers, compared with one whose receivers all answer. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { endWithWorker } from '#test/children';
import { HOSTILE_RECEIVERS, OK_LINE, says } from '#test/hostile-receivers';
import type { PostsJob, PostsMeasured } from '#test/outbound-process';
import { patience } from '#test/patience';
import { type RawServer, startRawServer } from '#test/raw-server';

const PROGRAM = fileURLToPath(new URL('../support/outbound-process.ts', import.meta.url));
const ROUNDS = Number(process.env.HOSTILE_ROUNDS ?? 3);
const TIMEOUT_MS = 1_000;
const MORE_BYTES_MAX = 30_000_000;
const LEFT_BYTES_MAX = 10_000_000;

vi.setConfig({ testTimeout: patience(10 + 2 * ROUNDS) });

const servers: RawServer[] = [];
let child: ChildProcess;
let hostile: string[];
let healthy: string[];

beforeAll(async () => {
  child = endWithWorker(fork(PROGRAM, { execArgv: ['--expose-gc'] }));
  const start = async (behave: Parameters<typeof startRawServer>[0]) => {
    const server = await startRawServer(behave, { host: '127.0.0.1' });
    servers.push(server);
    return `http://127.0.0.1:${server.port}/hook`;
  };
  hostile = await Promise.all(HOSTILE_RECEIVERS.map(([, , behave]) => start(behave)));
  healthy = await Promise.all(
    HOSTILE_RECEIVERS.map(() => start(says(`${OK_LINE}content-length: 2\r\n\r\nok`))),
  );
});
afterAll(async () => {
  child.kill();
  await Promise.all(servers.map((server) => server.close()));
});

async function post(urls: string[]): Promise<PostsMeasured> {
  const job: PostsJob = { urls, rounds: ROUNDS, timeoutMs: TIMEOUT_MS };
  const answered = once(child, 'message');
  child.send(job);
  const [measured] = await answered;
  return measured;
}

it(`${HOSTILE_RECEIVERS.length} hostile receivers at once take few bytes, and leave none`, async () => {
  await post(healthy);
  const before = await post(healthy);
  const meanwhile = await post(hostile);
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  console.log(
    `${HOSTILE_RECEIVERS.length} hostile receivers, ${ROUNDS} rounds: ${JSON.stringify(meanwhile.outcomes)}; at most ` +
      `${megabytes(meanwhile.peakBytes)}, beside receivers that answer ${megabytes(before.peakBytes)}; in use after them ` +
      `${megabytes(meanwhile.liveBytes)}, before ${megabytes(before.liveBytes)}`,
  );
  const attempts = HOSTILE_RECEIVERS.length * ROUNDS;
  expect(Object.values(meanwhile.outcomes).reduce((sum, count) => sum + count, 0)).toBe(attempts);
  expect(Object.keys(meanwhile.outcomes)).toEqual(
    expect.arrayContaining(['TIMEOUT', 'CONNECTION', 'PROTOCOL']),
  );
  expect(meanwhile.peakBytes - before.peakBytes).toBeLessThan(MORE_BYTES_MAX);
  expect(meanwhile.liveBytes - before.liveBytes).toBeLessThan(LEFT_BYTES_MAX);
});
