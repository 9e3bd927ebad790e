/** A mail server on a real socket, which stores accepted mails and answers as configured. */
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { expect } from 'vitest';
import { receiverCertificate } from './certificates.ts';
import { eventually } from './until.ts';

export interface TakenMail {
  from: string;
  /** The recipients in the envelope, including blind copies. */
  recipients: string[];
  /** The mail as received. */
  raw: string;
  parsed: Email;
  isEncrypted: boolean;
  user: string | undefined;
}

export interface MailServer {
  port: number;
  url: string;
  taken: TakenMail[];
  /** The number of connections so far. */
  connections: number;
  /** All requested recipients, accepted or not. */
  requested: string[];
  /** The reply to a recipient, 250 by default. May wait. */
  answerRecipient: (address: string) => number | Promise<number>;
  /** The reply to the end of the data. */
  answerData: () => number | Promise<number>;
  /** Resolves when at least `count` mails were accepted; rejects after `patience`. */
  waitFor(count: number): Promise<TakenMail[]>;
  /** Ends every connection, like a server that shuts down. Destroying the socket below TLS would crash the process. */
  cut(): void;
  close(): Promise<void>;
}

export interface MailServerOptions {
  tls?: 'none' | 'starttls' | 'smtps';
  certificate?: { key: string; cert: string };
  /** The login that clients must use. */
  login?: { user: string; password: string };
  host?: string;
}

export async function startMailServer({
  tls = 'starttls',
  certificate = receiverCertificate,
  login,
  host = '127.0.0.1',
}: MailServerOptions = {}): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const options: SMTPServerOptions = {
    ...certificate,
    secure: tls === 'smtps',
    disabledCommands: [...(tls === 'none' ? ['STARTTLS' as const] : []), ...(login ? [] : ['AUTH' as const])],
    allowInsecureAuth: true,
    authOptional: login === undefined,
    disableReverseLookup: true,
    closeTimeout: 50,
    onAuth({ username, password }, _, callback) {
      if (username === login?.user && password === login?.password) callback(null, { user: username });
      else callback(refusal(535));
    },
    onRcptTo({ address }, _, callback) {
      server.requested.push(address);
      void Promise.resolve(server.answerRecipient(address)).then((code) =>
        code < 300 ? callback() : callback(refusal(code)),
      );
    },
    onData(stream, session, callback) {
      buffer(stream)
        .then(async (bytes) => {
          const code = await server.answerData();
          if (code >= 300) return callback(refusal(code));
          server.taken.push(await mailOf(bytes, session));
          callback();
        })
        .catch(callback);
    },
  };
  const smtp = new SMTPServer(options);
  // A client that hangs up must not fail the test.
  smtp.on('error', () => {});
  smtp.server.on('connection', (socket) => {
    sockets.add(socket);
    server.connections += 1;
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => smtp.listen(0, host, resolve));
  const { port } = smtp.server.address() as AddressInfo;
  const server: MailServer = {
    port,
    url: `${tls === 'smtps' ? 'smtps' : 'smtp'}://${login ? `${login.user}:${login.password}@` : ''}${host}:${port}`,
    taken: [],
    connections: 0,
    requested: [],
    answerRecipient: () => 250,
    answerData: () => 250,
    waitFor: (count) =>
      eventually(() => {
        expect(server.taken.length).toBeGreaterThanOrEqual(count);
        return server.taken;
      }),
    cut() {
      for (const socket of sockets) socket.end();
    },
    async close() {
      server.cut();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
  return server;
}

/** Contains an address, which must not be passed on. */
function refusal(code: number): Error {
  return Object.assign(new Error('no such person as jane.doe@secret.example'), { responseCode: code });
}

async function mailOf(bytes: Buffer, { envelope, secure, user }: SMTPServerSession): Promise<TakenMail> {
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    recipients: envelope.rcptTo.map(({ address }) => address),
    raw: bytes.toString(),
    parsed: await PostalMime.parse(bytes),
    isEncrypted: secure,
    user,
  };
}
