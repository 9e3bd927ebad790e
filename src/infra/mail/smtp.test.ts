import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  expiredCertificate,
  selfSignedCertificate,
  testAuthority,
  wrongHostCertificate,
} from '#test/certificates';
import { type MailServer, type MailServerOptions, startMailServer } from '#test/mail-server';
import { patience } from '#test/patience';
import { startRawServer } from '#test/raw-server';
import { createSmtp, type Smtp, SmtpFailed, type SmtpMessage, type SmtpOptions } from './smtp.ts';

const message: SmtpMessage = {
  messageId: '<one@credit.example.com>',
  to: 'jane.doe@secret.example',
  from: { name: 'Markthalle – „Großhandel“', address: 'orders@markthalle.example' },
  replyTo: 'orders@markthalle.example',
  locale: 'de',
  subject: 'Bestellung ✓ 42',
  text: 'Guten Tag,\n\nder Betrag: 1.234,56 €\n.\nEnde\n',
  html: '<!doctype html><p>Guten Tag, <b>42</b></p>',
};

let server: MailServer;
const start = async (options: MailServerOptions = {}) => {
  server = await startMailServer(options);
  return server;
};
beforeEach(() => start());
afterEach(() => server.close());

const never = new AbortController().signal;

function smtpOf(
  options: Partial<SmtpOptions> & { user?: string; password?: string; isSecure?: boolean } = {},
) {
  const { user = null, password = null, isSecure = false, ...more } = options;
  return createSmtp({
    server: { host: '127.0.0.1', port: server.port, isSecure, user, password },
    from: 'fallback@example.com',
    extraCa: testAuthority,
    timeoutMs: 5_000,
    ...more,
  });
}

async function failureOf(sending: Promise<unknown>): Promise<SmtpFailed> {
  const error = await sending.then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(SmtpFailed);
  return error;
}

async function restart(options: MailServerOptions) {
  await server.close();
  return start(options);
}

describe('a message', () => {
  it('arrives unchanged, over STARTTLS', async () => {
    expect(await smtpOf().send(message, never)).toEqual({ reply: expect.stringMatching(/^250 /) });
    const [mail] = server.taken;
    expect(mail).toMatchObject({
      from: 'orders@markthalle.example',
      recipients: ['jane.doe@secret.example'],
      isEncrypted: true,
    });
    expect(mail?.parsed).toMatchObject({
      messageId: '<one@credit.example.com>',
      subject: 'Bestellung ✓ 42',
      from: { name: 'Markthalle – „Großhandel“', address: 'orders@markthalle.example' },
      to: [{ name: '', address: 'jane.doe@secret.example' }],
      html: expect.stringContaining('<b>42</b>'),
      text: expect.stringContaining('1.234,56 €\n.\nEnde'),
    });
    expect(mail?.raw).toContain('Auto-Submitted: auto-generated\r\n');
    expect(mail?.raw).toContain('Content-Language: de\r\n');
  });

  it('has the default sender and no Reply-To if the platform has none', async () => {
    await smtpOf().send({ ...message, from: { ...message.from, address: null }, replyTo: null }, never);
    expect(server.taken[0]).toMatchObject({ from: 'fallback@example.com', recipients: [message.to] });
    expect(server.taken[0]?.parsed.replyTo).toBeUndefined();
  });

  it('has a Reply-To if it differs from the sender', async () => {
    await smtpOf().send({ ...message, replyTo: 'help@markthalle.example' }, never);
    expect(server.taken[0]?.parsed.replyTo).toEqual([{ name: '', address: 'help@markthalle.example' }]);
  });

  it('cannot start a header by its fields', async () => {
    const hostile = 'Hello\r\nBcc: victim@example.com\r\n\r\n<script>';
    await smtpOf().send(
      { ...message, subject: hostile, from: { name: hostile, address: 'a@b.example' } },
      never,
    );
    expect(server.taken[0]?.recipients).toEqual([message.to]);
    const names = server.taken[0]?.parsed.headers.map(({ key }) => key);
    expect(names).not.toContain('bcc');
  });
});

describe('the connection', () => {
  it('is encrypted from the first byte with smtps', async () => {
    await restart({ tls: 'smtps' });
    await smtpOf({ isSecure: true }).send(message, never);
    expect(server.taken[0]?.isEncrypted).toBe(true);
  });

  it('is unencrypted to this machine only', async () => {
    await restart({ tls: 'none' });
    await smtpOf().send(message, never);
    expect(server.taken[0]?.isEncrypted).toBe(false);
  });

  it('to another machine fails if the server offers no STARTTLS', async () => {
    // An address of this machine that is not recognized as one.
    await restart({ tls: 'none' });
    const elsewhere = { host: '0.0.0.0', port: server.port, isSecure: false, user: null, password: null };
    expect(await failureOf(smtpOf({ server: elsewhere }).send(message, never))).toMatchObject({
      message: 'TLS',
      isFinal: false,
    });
    expect(server.requested).toEqual([]);
  });

  it.each([
    ['expired', expiredCertificate],
    ['for another host', wrongHostCertificate],
    ['signed by itself', selfSignedCertificate],
  ])('is refused if the certificate is %s', async (_, certificate) => {
    for (const tls of ['starttls', 'smtps'] as const) {
      await restart({ tls, certificate });
      const failure = await failureOf(smtpOf({ isSecure: tls === 'smtps' }).send(message, never));
      expect(failure.message).toBe('TLS');
      expect(server.requested).toEqual([]);
    }
  });

  it('is refused if the authority is not trusted', async () => {
    expect((await failureOf(smtpOf({ extraCa: null }).send(message, never))).message).toBe('TLS');
  });

  it('logs in with user and password of the URL', async () => {
    await restart({ login: { user: 'mailer', password: 'p@ss:word' } });
    await smtpOf({ user: 'mailer', password: 'p@ss:word' }).send(message, never);
    expect(server.taken[0]?.user).toBe('mailer');
    const failure = await failureOf(smtpOf({ user: 'mailer', password: 'wrong' }).send(message, never));
    expect(failure).toMatchObject({ message: 'LOGIN_REFUSED 535', isFinal: false });
  });
});

describe('connections', () => {
  const sendTo = (smtp: Smtp, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, nth) => smtp.send({ ...message, to: `n${nth}@example.com` }, never)),
    );

  it('serve one message after the other, and no more than five are open', async () => {
    const smtp = smtpOf();
    for (let nth = 0; nth < 3; nth++) await smtp.send(message, never);
    expect(server.connections).toBe(1);
    await sendTo(smtp, 20);
    expect(server.taken).toHaveLength(23);
    expect(server.connections).toBeLessThanOrEqual(5);
  });

  it('that the server has closed while they were idle are replaced, and the message arrives once', async () => {
    const smtp = smtpOf();
    await smtp.send(message, never);
    server.cut();
    await smtp.send(message, never);
    expect(server.taken).toHaveLength(2);
    expect(server.connections).toBe(2);
  });

  it('that hang delay no message on the others', async () => {
    const smtp = smtpOf();
    await sendTo(smtp, 5);
    server.answerRecipient = (address) => (address.startsWith('stuck') ? new Promise(() => {}) : 250);
    const stopping = new AbortController();
    const stuck = Array.from({ length: 4 }, (_, nth) =>
      smtp
        .send({ ...message, to: `stuck${nth}@example.com` }, stopping.signal)
        .catch((error: Error) => error.message),
    );
    for (let nth = 0; nth < 10; nth++) await smtp.send(message, never);
    expect(server.taken).toHaveLength(15);
    stopping.abort(new Error('stopping'));
    expect(await Promise.all(stuck)).toEqual(Array(4).fill('stopping'));
    // The hanging connections are closed, so that all five are free again.
    await sendTo(smtp, 20);
    expect(server.taken).toHaveLength(35);
  });

  it('are closed, and what is being sent fails', async () => {
    const smtp = smtpOf();
    server.answerRecipient = () => new Promise(() => smtp.close());
    expect((await failureOf(smtp.send(message, never))).message).toBe('CONNECTION');
  });
});

describe('a message that the server does not accept', () => {
  it.each([
    [550, 'RECIPIENT_REFUSED 550', true],
    [553, 'RECIPIENT_REFUSED 553', true],
    [450, 'DEFERRED 450', false],
    [421, 'DEFERRED 421', false],
  ])('because of the recipient with %i: %s', async (code, failure, isFinal) => {
    server.answerRecipient = () => code;
    const failed = await failureOf(smtpOf().send(message, never));
    expect(failed).toMatchObject({ message: failure, isFinal });
    expect(JSON.stringify({ ...failed, stack: failed.stack })).not.toContain('jane');
  });

  it.each([
    [554, 'REFUSED 554'],
    [451, 'DEFERRED 451'],
  ])('after the data with %i: %s, and may be sent again', async (code, failure) => {
    server.answerData = () => code;
    expect(await failureOf(smtpOf().send(message, never))).toMatchObject({
      message: failure,
      isFinal: false,
    });
  });

  it('has its internationalized domain converted to ASCII', async () => {
    server.answerRecipient = () => 550;
    const failure = await failureOf(smtpOf().send({ ...message, to: 'info@BÜCHER.example' }, never));
    expect(failure).toMatchObject({ message: 'RECIPIENT_REFUSED 550', isFinal: true });
  });

  it('because the server does not listen', async () => {
    const { port } = server;
    await server.close();
    const nobody = { host: '127.0.0.1', port, isSecure: false, user: null, password: null };
    expect((await failureOf(smtpOf({ server: nobody }).send(message, never))).message).toBe('CONNECTION');
    await start();
  });

  it('because the server closes the connection', async () => {
    server.answerData = () => {
      server.cut();
      return 250;
    };
    expect((await failureOf(smtpOf().send(message, never))).message).toBe('CONNECTION');
  });

  it('because the server does not answer in time', async () => {
    server.answerRecipient = () => new Promise(() => {});
    const startedAtMs = performance.now();
    expect((await failureOf(smtpOf({ timeoutMs: 300 }).send(message, never))).message).toBe('TIMEOUT');
    expect(performance.now() - startedAtMs).toBeLessThan(patience(1));
  });

  it('because the server does not speak SMTP', async () => {
    const raw = await startRawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const address = { host: '127.0.0.1', port: raw.port, isSecure: false, user: null, password: null };
    expect((await failureOf(smtpOf({ server: address }).send(message, never))).message).toBe('PROTOCOL');
    await raw.close();
  });

  it('before the signal aborts, throws the reason of the signal', async () => {
    const stopping = new AbortController();
    server.answerRecipient = () => {
      stopping.abort(new Error('stopping'));
      return new Promise(() => {});
    };
    await expect(smtpOf().send(message, stopping.signal)).rejects.toThrow('stopping');
  });
});
