/** Sends the mails of a world to a server of the tests, like the worker. */
import { createSmtp } from '#infra/mail/smtp';
import { createMailer } from '../../src/worker/mailer.ts';
import { testAuthority } from './certificates.ts';
import type { MailServer } from './mail-server.ts';
import { untilSent } from './mails.ts';
import { openWorkerProcess } from './worker-process.ts';
import type { World } from './world.ts';

export interface SentMail {
  to: string | undefined;
  files: { filename: string | null; mimeType: string; bytes: Buffer }[];
}

/** Sends every waiting mail. Returns the attachments of each, with its recipient. */
export async function sendMails(world: World, server: MailServer): Promise<SentMail[]> {
  const { close, ...parts } = await openWorkerProcess(world);
  const smtp = createSmtp({
    server: { host: '127.0.0.1', port: server.port, isSecure: false, user: null, password: null },
    from: 'fallback@example.com',
    extraCa: testAuthority,
  });
  let turns = Promise.resolve();
  const mailer = createMailer({
    ...{ ...parts, smtp, host: 'localhost' },
    // As in the worker, one claim waits for the other.
    onSlotFree: () => {
      turns = turns.then(() => mailer.dispatch());
    },
  });
  server.taken.length = 0;
  turns = mailer.dispatch();
  await untilSent(world);
  await mailer.stop();
  await turns;
  await close();
  return server.taken.map(({ recipients, parsed }) => ({
    to: recipients[0],
    files: parsed.attachments.map(({ filename, mimeType, content }) => ({
      ...{ filename, mimeType },
      bytes: Buffer.from(content as ArrayBuffer),
    })),
  }));
}
