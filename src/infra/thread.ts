/** Work in a thread of its own: numbered orders from here, one answer to each from there. */
import { parentPort, Worker } from 'node:worker_threads';

type ToThread<Order> = { id: number; order: Order } | { abortedId: number } | 'close';
type FromThread<Answer> = { id: number; answer: Answer };

export interface Thread<Order, Answer> {
  /**
   * Resolves with the answer. Rejects with the reason of the signal, and where the thread fails or ends first. The first order starts
   * the thread, and so does the next one after its end. It keeps no process alive while it has nothing to do.
   */
  ask(order: Order, signal?: AbortSignal): Promise<Answer>;
  /** Lets the thread end what it does. */
  close(): void;
}

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export interface ThreadOptions {
  /** A module that calls `answerOrders`. */
  module: URL;
  workerData?: unknown;
  /** What orders fail with whose thread ends, with its exit code. */
  onExit(code: number): Error;
}

interface Started<Order, Answer> {
  worker: Worker;
  /** Of this thread: the end of one fails no order to the next. */
  waiting: Map<number, Waiting<Answer>>;
  send(message: ToThread<Order>): void;
}

export function createThread<Order, Answer>(options: ThreadOptions): Thread<Order, Answer> {
  let started: Started<Order, Answer> | null = null;
  let lastId = 0;

  const take = ({ waiting, worker }: Started<Order, Answer>, id: number): Waiting<Answer> | undefined => {
    const taken = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return taken;
  };

  const start = (): Started<Order, Answer> => {
    const worker = new Worker(options.module, { workerData: options.workerData });
    const waiting = new Map<number, Waiting<Answer>>();
    const thread = { worker, waiting, send: (message: ToThread<Order>) => worker.postMessage(message) };
    worker.on('message', ({ id, answer }: FromThread<Answer>) => take(thread, id)?.resolve(answer));
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
    async ask(order, signal) {
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
        return await new Promise<Answer>((resolve, reject) => {
          thread.waiting.set(id, { resolve, reject });
          thread.worker.ref();
          thread.send({ id, order });
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

/** In the thread: answers orders until it is closed. An error of `answer` ends the thread. */
export function answerOrders<Order, Answer>(
  answer: (order: Order, signal: AbortSignal) => Answer | Promise<Answer>,
  onClose: () => void = () => {},
): void {
  const aborts = new Map<number, AbortController>();
  const run = async (id: number, order: Order) => {
    const abort = new AbortController();
    aborts.set(id, abort);
    const given: FromThread<Answer> = { id, answer: await answer(order, abort.signal) };
    aborts.delete(id);
    parentPort?.postMessage(given);
  };
  parentPort?.on('message', (message: ToThread<Order>) => {
    if (message === 'close') {
      onClose();
      // What was under way is answered first.
      setImmediate(() => parentPort?.close());
    } else if ('abortedId' in message) aborts.get(message.abortedId)?.abort();
    else void run(message.id, message.order);
  });
}
