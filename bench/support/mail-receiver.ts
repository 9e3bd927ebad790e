/**
 * A mail server with TLS on a local socket, with a certificate of the tests' authority. It accepts every mail and counts mails per
 * recipient. It runs in the process of the bench, whose priority it lowers.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { receiverCertificate } from '#test/certificates';

export interface MailReceiver extends AsyncDisposable {
  url: string;
  mailsTo(address: string): number;
  count(): number;
}

const CLOSE_MS = 50;
/** A mail server usually runs on another machine, so this one must not take processor time from the program. */
const NICENESS = 10;

export async function startMailReceiver(): Promise<MailReceiver> {
  setPriority(NICENESS);
  const recipients: string[] = [];
  const smtp = new SMTPServer({
    ...receiverCertificate,
    disabledCommands: ['AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: CLOSE_MS,
    onData(stream, { envelope }, callback) {
      buffer(stream).then(() => {
        recipients.push(...envelope.rcptTo.map(({ address }) => address));
        callback();
      }, callback);
    },
  });
  // The client may end its connection at any time.
  smtp.on('error', () => {});
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    count: () => recipients.length,
    mailsTo: (address) => recipients.filter((each) => each === address).length,
    [Symbol.asyncDispose]: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
}
