/**
 * Sends mails from a separate thread: building and encrypting one takes about a millisecond, and collecting the garbage of many stops the
 * sending thread for tens of milliseconds.
 */
import { createThread } from '../thread.ts';
import { type Smtp, type SmtpAccepted, SmtpFailed, type SmtpMessage, type SmtpOptions } from './smtp.ts';

export type SmtpAnswer =
  | { accepted: SmtpAccepted }
  | { failed: Pick<SmtpFailed, 'failure' | 'replyCode' | 'isFinal'> }
  /** A defect: only the error's name, because its message may contain the recipient. */
  | { errorName: string };

const notSent = () => new SmtpFailed('CONNECTION', undefined);

/** Creates an Smtp like `createSmtp` that runs in a worker thread. */
export function createSmtpInThread(options: SmtpOptions): Smtp {
  const thread = createThread<SmtpMessage, SmtpAnswer>({
    module: new URL('./smtp-thread.ts', import.meta.url),
    workerData: options,
    onExit: notSent,
  });
  let isClosed = false;
  return {
    async send(message, signal) {
      if (isClosed) throw notSent();
      const answer = await thread.run(message, signal);
      if ('accepted' in answer) return answer.accepted;
      throw errorOf(answer);
    },
    close() {
      isClosed = true;
      thread.close();
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
