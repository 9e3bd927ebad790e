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
  `import { runInThread } from ${JSON.stringify(new URL('./thread.ts', import.meta.url).href)};
   import { workerData } from 'node:worker_threads';
   runInThread((input, signal) => {
     if (input === 'fail') throw new Error('failed');
     if (input === 'exit') process.exit(3);
     if (input === 'wait') return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')));
     return workerData + input;
   });`,
);

const newThread = () =>
  createThread<string, string>({
    module: pathToFileURL(path),
    workerData: 'answer to ',
    onExit: (code) => new Error(`ended with ${code}`),
  });

describe('a thread', () => {
  it('returns an output for each input', async () => {
    const thread = newThread();
    const inputs = ['one', 'two', 'three'];
    expect(await Promise.all(inputs.map((input) => thread.run(input)))).toEqual(
      inputs.map((input) => `answer to ${input}`),
    );
    thread.close();
  });

  it('rejects an input with the reason of its signal, before and after it was sent', async () => {
    const thread = newThread();
    await expect(thread.run('wait', AbortSignal.abort('before'))).rejects.toBe('before');
    const abort = new AbortController();
    const waiting = thread.run('wait', abort.signal);
    abort.abort('after');
    await expect(waiting).rejects.toBe('after');
    expect(await thread.run('one')).toBe('answer to one');
    thread.close();
  });

  it.each([
    ['fail', 'failed'],
    ['exit', 'ended with 3'],
  ])('that %ss rejects what waits, and the next input starts another', async (input, message) => {
    const thread = newThread();
    const others = [thread.run('wait'), thread.run('wait')];
    const ended = await Promise.allSettled([...others, thread.run(input)]);
    for (const { reason } of ended as PromiseRejectedResult[]) expect(reason).toMatchObject({ message });
    // The process may notice later that the first thread has ended.
    expect(await Promise.all(Array.from({ length: 20 }, () => thread.run('one')))).toHaveLength(20);
    thread.close();
  });
});
