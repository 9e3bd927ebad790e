import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createThread } from './thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'tradeline-thread-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'thread.ts');
writeFileSync(
  path,
  `import { answerOrders } from ${JSON.stringify(new URL('./thread.ts', import.meta.url).href)};
   import { workerData } from 'node:worker_threads';
   answerOrders((order, signal) => {
     if (order === 'fail') throw new Error('failed');
     if (order === 'exit') process.exit(3);
     if (order === 'wait') return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')));
     return workerData + order;
   });`,
);

const newThread = () =>
  createThread<string, string>({
    module: pathToFileURL(path),
    workerData: 'answer to ',
    onExit: (code) => new Error(`ended with ${code}`),
  });

describe('a thread', () => {
  it('answers each order', async () => {
    const thread = newThread();
    const orders = ['one', 'two', 'three'];
    expect(await Promise.all(orders.map((order) => thread.ask(order)))).toEqual(
      orders.map((order) => `answer to ${order}`),
    );
    thread.close();
  });

  it('rejects an order with the reason of its signal, before and after it was sent', async () => {
    const thread = newThread();
    await expect(thread.ask('wait', AbortSignal.abort('before'))).rejects.toBe('before');
    const abort = new AbortController();
    const waiting = thread.ask('wait', abort.signal);
    abort.abort('after');
    await expect(waiting).rejects.toBe('after');
    expect(await thread.ask('one')).toBe('answer to one');
    thread.close();
  });

  it.each([
    ['fail', 'failed'],
    ['exit', 'ended with 3'],
  ])('that %ss rejects what waits, and the next order starts another', async (order, message) => {
    const thread = newThread();
    const others = [thread.ask('wait'), thread.ask('wait')];
    const ended = await Promise.allSettled([...others, thread.ask(order)]);
    for (const { reason } of ended as PromiseRejectedResult[]) expect(reason).toMatchObject({ message });
    // The end of the first thread may be noticed later.
    expect(await Promise.all(Array.from({ length: 20 }, () => thread.ask('one')))).toHaveLength(20);
    thread.close();
  });
});
