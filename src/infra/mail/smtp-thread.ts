/** Runs in a worker thread: sends mails through a mail server. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createSmtp, SmtpFailed, type SmtpMessage, type SmtpOptions } from './smtp.ts';
import type { SmtpAnswer, SmtpOrder } from './smtp-in-thread.ts';

/** Requests come first where processors are few. */
const NICENESS = 10;

// Elsewhere than on Linux it would be the priority of the whole process.
if (process.platform === 'linux') setPriority(NICENESS);
const smtp = createSmtp(workerData as SmtpOptions);
const aborts = new Map<number, AbortController>();
const answer = (given: SmtpAnswer) => parentPort?.postMessage(given);

async function send(id: number, message: SmtpMessage): Promise<void> {
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    answer({ id, accepted: await smtp.send(withBuffers(message), abort.signal) });
  } catch (error) {
    if (!(error instanceof SmtpFailed)) return answer({ id, errorName: (error as Error).name });
    const { failure, replyCode, isFinal } = error;
    answer({ id, failed: { failure, replyCode, isFinal } });
  } finally {
    aborts.delete(id);
  }
}

/** Bytes of a Buffer arrive as a Uint8Array. */
function withBuffers({ attachments = [], ...message }: SmtpMessage): SmtpMessage {
  const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, byteLength);
  return {
    ...message,
    attachments: attachments.map((each) => ({ ...each, content: bufferOf(each.content) })),
  };
}

parentPort?.on('message', (order: SmtpOrder) => {
  if (order === 'close') {
    smtp.close();
    // What was being sent fails first.
    setImmediate(() => parentPort?.close());
  } else if ('abortedId' in order) aborts.get(order.abortedId)?.abort();
  else void send(order.id, order.message);
});
