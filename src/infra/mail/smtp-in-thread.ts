/**
 * Sends mails from a thread of its own: building and encrypting one takes about a millisecond, and collecting the garbage of many
 * stops the thread that sends them for tens of milliseconds.
 */
import { Worker } from 'node:worker_threads';
import { type Smtp, type SmtpAccepted, SmtpFailed, type SmtpMessage, type SmtpOptions } from './smtp.ts';

export type SmtpOrder = { id: number; message: SmtpMessage } | { abortedId: number } | 'close';
export type SmtpAnswer = { id: number } & (
  | { accepted: SmtpAccepted }
  | { failed: Pick<SmtpFailed, 'failure' | 'replyCode' | 'isFinal'> }
  /** A defect: only its name, because its text may have the recipient. */
  | { errorName: string }
);

interface Waiting {
  resolve(accepted: SmtpAccepted): void;
  reject(error: unknown): void;
}

/** As `createSmtp`. The first message starts the thread, which keeps no process alive while it has nothing to do. */
export function createSmtpInThread(options: SmtpOptions): Smtp {
  let thread: Worker | null = null;
  let isClosed = false;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  const end = (id: number): Waiting | undefined => {
    const ended = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) thread?.unref();
    return ended;
  };

  const start = (): Worker => {
    const started = new Worker(new URL('./smtp-thread.ts', import.meta.url), { workerData: options });
    started.on('message', (answer: SmtpAnswer) => {
      const ended = end(answer.id);
      if ('accepted' in answer) ended?.resolve(answer.accepted);
      else ended?.reject(errorOf(answer));
    });
    const failAll = (error: Error) => {
      if (thread === started) thread = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.once('error', failAll);
    started.once('exit', () => failAll(new SmtpFailed('CONNECTION', undefined)));
    return started;
  };

  return {
    async send(message, signal) {
      signal.throwIfAborted();
      if (isClosed) throw new SmtpFailed('CONNECTION', undefined);
      thread ??= start();
      const sender = thread;
      lastId += 1;
      const id = lastId;
      const order = (sent: SmtpOrder) => sender.postMessage(sent);
      const abort = () => {
        order({ abortedId: id });
        end(id)?.reject(signal.reason);
      };
      signal.addEventListener('abort', abort);
      try {
        return await new Promise<SmtpAccepted>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          sender.ref();
          order({ id, message });
        });
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close() {
      isClosed = true;
      thread?.postMessage('close' satisfies SmtpOrder);
    },
  };
}

function errorOf(answer: Exclude<SmtpAnswer, { accepted: SmtpAccepted }>): Error {
  if ('failed' in answer) {
    const { failure, replyCode, isFinal } = answer.failed;
    return new SmtpFailed(failure, replyCode, isFinal);
  }
  const error = new Error('A mail could not be sent.');
  error.name = answer.errorName;
  return error;
}
