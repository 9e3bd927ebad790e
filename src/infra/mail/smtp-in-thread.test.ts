import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testAuthority } from '#test/certificates';
import { type MailServer, startMailServer } from '#test/mail-server';
import { type Smtp, SmtpFailed, type SmtpMessage } from './smtp.ts';
import { createSmtpInThread } from './smtp-in-thread.ts';

const bytes = Buffer.from(Array.from({ length: 300 }, (_, nth) => nth % 256));
const message: SmtpMessage = {
  messageId: '<one@credit.example.com>',
  to: 'jane.doe@secret.example',
  from: { name: 'Markthalle', address: 'orders@markthalle.example' },
  replyTo: null,
  locale: 'de',
  subject: 'Bestellung ✓ 42',
  text: 'Guten Tag\n',
  html: '<!doctype html><p>Guten Tag</p>',
  // A view of a larger buffer, as reading files returns.
  attachments: [
    { name: 'bill.bin', mediaType: 'application/octet-stream', content: bytes.subarray(20, 220) },
  ],
};
const never = new AbortController().signal;

let server: MailServer;
let smtp: Smtp;
beforeEach(async () => {
  server = await startMailServer();
  smtp = smtpOf();
});
afterEach(async () => {
  smtp.close();
  await server.close();
});

const smtpOf = (timeoutMs = 5_000) =>
  createSmtpInThread({
    server: { host: '127.0.0.1', port: server.port, isSecure: false, user: null, password: null },
    from: 'fallback@example.com',
    extraCa: testAuthority,
    timeoutMs,
  });
const failureOf = (sending: Promise<unknown>) =>
  sending.then(
    () => null,
    (error: unknown) => error,
  );

describe('a message that is sent from a thread', () => {
  it('arrives unchanged, with its files, over TLS', async () => {
    expect(await smtp.send(message, never)).toEqual({ reply: expect.stringMatching(/^250 /) });
    const [mail] = server.taken;
    expect(mail).toMatchObject({ isEncrypted: true, recipients: [message.to] });
    expect(mail?.parsed).toMatchObject({ messageId: message.messageId, subject: message.subject });
    const [file] = mail?.parsed.attachments ?? [];
    expect(Buffer.from(file?.content as ArrayBuffer)).toEqual(bytes.subarray(20, 220));
  });

  it('fails with what the server says, and whether that is final', async () => {
    server.answerRecipient = () => 550;
    const refused = await failureOf(smtp.send(message, never));
    expect(refused).toBeInstanceOf(SmtpFailed);
    expect(refused).toMatchObject({ message: 'RECIPIENT_REFUSED 550', isFinal: true });
    server.answerRecipient = () => 450;
    const deferred = await failureOf(smtp.send(message, never));
    expect(deferred).toMatchObject({ message: 'DEFERRED 450', isFinal: false });
  });

  it('fails with the reason of the signal, and frees its connection', async () => {
    const stopping = new AbortController();
    let isStuck = true;
    server.answerRecipient = () => {
      if (!isStuck) return 250;
      setTimeout(() => stopping.abort(new Error('stopping')));
      return new Promise(() => {});
    };
    const stuck = Array.from({ length: 5 }, () => failureOf(smtp.send(message, stopping.signal)));
    for (const error of await Promise.all(stuck)) expect(error).toMatchObject({ message: 'stopping' });
    isStuck = false;
    await Promise.all(Array.from({ length: 10 }, () => smtp.send(message, never)));
    expect(server.taken).toHaveLength(10);
    await expect(smtp.send(message, stopping.signal)).rejects.toThrow('stopping');
  });

  it('fails in time where the server is silent', async () => {
    smtp.close();
    smtp = smtpOf(300);
    server.answerRecipient = () => new Promise(() => {});
    expect(await failureOf(smtp.send(message, never))).toMatchObject({ message: 'TIMEOUT' });
  });

  it('fails where the connections are closed, before and while it is sent', async () => {
    server.answerRecipient = () => new Promise(() => smtp.close());
    expect(await failureOf(smtp.send(message, never))).toMatchObject({ message: 'CONNECTION' });
    expect(await failureOf(smtp.send(message, never))).toMatchObject({ message: 'CONNECTION' });
  });
});
