/** Work in a separate thread, which receives numbered inputs and returns one output for each. */
import { parentPort, Worker } from 'node:worker_threads';

type ToThread<Input> = { id: number; input: Input } | { abortedId: number } | 'close';
type FromThread<Output> = { id: number; output: Output };

export interface Thread<Input, Output> {
  /**
   * Resolves with the output. Rejects with the reason of the signal, or if the thread fails or ends first. The first input starts the
   * thread, and so does the first one after it has ended. An idle thread does not keep the process alive.
   */
  run(input: Input, signal?: AbortSignal): Promise<Output>;
  /** Lets the thread finish its work. */
  close(): void;
}

interface Waiting<Output> {
  resolve(output: Output): void;
  reject(error: unknown): void;
}

export interface ThreadOptions {
  /** A module that calls `runInThread`. */
  module: URL;
  workerData?: unknown;
  /** The error of the pending inputs when the thread ends with this exit code. */
  onExit(code: number): Error;
}

interface Started<Input, Output> {
  worker: Worker;
  /** The pending inputs of this thread, so that its end does not fail inputs to the next one. */
  waiting: Map<number, Waiting<Output>>;
  send(message: ToThread<Input>): void;
}

export function createThread<Input, Output>(options: ThreadOptions): Thread<Input, Output> {
  let started: Started<Input, Output> | null = null;
  let lastId = 0;

  const take = ({ waiting, worker }: Started<Input, Output>, id: number): Waiting<Output> | undefined => {
    const taken = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return taken;
  };

  const start = (): Started<Input, Output> => {
    const worker = new Worker(options.module, { workerData: options.workerData });
    const waiting = new Map<number, Waiting<Output>>();
    const thread = { worker, waiting, send: (message: ToThread<Input>) => worker.postMessage(message) };
    worker.on('message', ({ id, output }: FromThread<Output>) => take(thread, id)?.resolve(output));
    const failAll = (error: Error) => {
      if (started === thread) started = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.once('error', failAll);
    worker.once('exit', (code) => failAll(options.onExit(code)));
    return thread;
  };

  return {
    async run(input, signal) {
      signal?.throwIfAborted();
      started ??= start();
      const thread = started;
      lastId += 1;
      const id = lastId;
      const abort = () => {
        thread.send({ abortedId: id });
        take(thread, id)?.reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort);
      try {
        return await new Promise<Output>((resolve, reject) => {
          thread.waiting.set(id, { resolve, reject });
          thread.worker.ref();
          thread.send({ id, input });
        });
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    close() {
      started?.send('close');
    },
  };
}

/** Call it in the thread: processes inputs until the thread is closed. An error of `work` ends the thread. */
export function runInThread<Input, Output>(
  work: (input: Input, signal: AbortSignal) => Output | Promise<Output>,
  onClose: () => void = () => {},
): void {
  const aborts = new Map<number, AbortController>();
  const runOne = async (id: number, input: Input) => {
    const abort = new AbortController();
    aborts.set(id, abort);
    const done: FromThread<Output> = { id, output: await work(input, abort.signal) };
    aborts.delete(id);
    parentPort?.postMessage(done);
  };
  parentPort?.on('message', (message: ToThread<Input>) => {
    if (message === 'close') {
      onClose();
      // Lets work in progress finish first.
      setImmediate(() => parentPort?.close());
    } else if ('abortedId' in message) aborts.get(message.abortedId)?.abort();
    else void runOne(message.id, message.input);
  });
}
