/** Runs in a worker thread: sends mails through a mail server. */
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { runInThread } from '../thread.ts';
import { createSmtp, SmtpFailed, type SmtpMessage, type SmtpOptions } from './smtp.ts';
import type { SmtpAnswer } from './smtp-in-thread.ts';

/** Requests take precedence if there are few processors. */
const NICENESS = 10;

// On other systems this would set the priority of the whole process.
if (process.platform === 'linux') setPriority(NICENESS);
const smtp = createSmtp(workerData as SmtpOptions);

runInThread<SmtpMessage, SmtpAnswer>(async (message, signal) => {
  try {
    return { accepted: await smtp.send(withBuffers(message), signal) };
  } catch (error) {
    if (!(error instanceof SmtpFailed)) return { errorName: (error as Error).name };
    const { failure, replyCode, isFinal } = error;
    return { failed: { failure, replyCode, isFinal } };
  }
}, smtp.close);

/** Bytes of a Buffer arrive as a Uint8Array. */
function withBuffers({ attachments = [], ...message }: SmtpMessage): SmtpMessage {
  const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, byteLength);
  return {
    ...message,
    attachments: attachments.map((each) => ({ ...each, content: bufferOf(each.content) })),
  };
}
