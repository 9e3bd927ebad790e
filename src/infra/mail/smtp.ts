/** Sends mails through a mail server. Refusing replies are not passed on, because they may name the recipient. */
import { isIPv4 } from 'node:net';
import { Transform } from 'node:stream';
import { createSecureContext, rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';

export interface SmtpServer {
  host: string;
  port: number;
  /** Implicit TLS (smtps). Otherwise STARTTLS, which is required unless the server is on this machine. */
  isSecure: boolean;
  user: string | null;
  password: string | null;
}

export interface SmtpMessage {
  messageId: string;
  to: string;
  from: { name: string /** Null: the default sender. */; address: string | null };
  replyTo: string | null;
  /** BCP 47. */
  locale: string;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly { name: string; mediaType: string; content: Buffer }[];
}

export interface Smtp {
  /** Resolves when the server has accepted the recipient and the message. Throws SmtpFailed or the signal's reason. */
  send(message: SmtpMessage, signal: AbortSignal): Promise<SmtpAccepted>;
  /** Closes the connections. Messages that are being sent fail. */
  close(): void;
}

export interface SmtpAccepted {
  /** The server's last reply. It may name the recipient: store it encrypted, and keep it out of logs. */
  reply: string;
}

export type SmtpFailure =
  | 'RECIPIENT_REFUSED'
  | 'REFUSED'
  | 'DEFERRED'
  | 'LOGIN_REFUSED'
  | 'TLS'
  | 'CONNECTION'
  | 'TIMEOUT'
  | 'PROTOCOL';

/** The message is the failure and the server's reply code, if any: `RECIPIENT_REFUSED 550`. */
export class SmtpFailed extends Error {
  readonly failure: SmtpFailure;
  readonly replyCode: number | undefined;
  /** Whether another attempt is pointless. */
  readonly isFinal: boolean;

  constructor(failure: SmtpFailure, replyCode: number | undefined, isFinal = false) {
    super(replyCode === undefined ? failure : `${failure} ${replyCode}`);
    this.name = 'SmtpFailed';
    this.failure = failure;
    this.replyCode = replyCode;
    this.isFinal = isFinal;
  }
}

export interface SmtpOptions {
  server: SmtpServer;
  /** The sender of messages without their own. */
  from: string;
  /** PEM of certificate authorities to trust in addition to the public ones. */
  extraCa: string | null;
  /** Covers the whole exchange, from resolving the server's name to its last reply. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 45_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Many servers allow a client at most ten. */
export const SMTP_CONNECTIONS_MAX = 5;
/** Many servers end a connection after a hundred messages. */
const MESSAGES_OF_CONNECTION_MAX = 100;

/**
 * Keeps at most SMTP_CONNECTIONS_MAX connections, which serve one message at a time and are closed after a failure or an idle time. A
 * caller that sends at most that many messages at the same time is not delayed by one that hangs.
 */
export function createSmtp({ server, from, extraCa, timeoutMs = TIMEOUT_MS }: SmtpOptions): Smtp {
  const transport = openTransport(server, { extraCa, timeoutMs });
  return {
    async send(message, signal) {
      const { to, replyTo, locale, messageId, subject, text, html, attachments = [] } = message;
      const sender = message.from.address ?? from;
      // Not AbortSignal.timeout: its timers cannot be cleared, and thousands of sent messages would be kept by theirs.
      const ending = new AbortController();
      const end = () => ending.abort(signal.reason);
      const deadline = setTimeout(() => ending.abort(new SmtpFailed('TIMEOUT', undefined)), timeoutMs);
      signal.addEventListener('abort', end);
      try {
        signal.throwIfAborted();
        const info = await transport.sendMail({
          from: { name: message.from.name, address: sender },
          to: { name: '', address: to },
          ...(replyTo !== null && replyTo !== sender && { replyTo: { name: '', address: replyTo } }),
          // One recipient per mail: with several, those accepted would get the mail again at each attempt for the others.
          envelope: { from: sender, to: [to] },
          messageId,
          subject,
          text,
          html,
          attachments: attachments.map(({ name, mediaType, content }) => ({
            filename: name,
            contentType: mediaType,
            content,
          })),
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            'Content-Language': locale,
          },
          signal: ending.signal,
        });
        return { reply: info.response };
      } catch (error) {
        ending.signal.throwIfAborted();
        throw failureOf(error as SmtpError);
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener('abort', end);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/** The pool of connections. */
function openTransport(
  { host, port, isSecure, user, password }: SmtpServer,
  { extraCa, timeoutMs }: { extraCa: string | null; timeoutMs: number },
) {
  const transport = createTransport({
    pool: true,
    maxConnections: SMTP_CONNECTIONS_MAX,
    maxMessages: MESSAGES_OF_CONNECTION_MAX,
    // A server may close an idle connection just as it is used: then one other connection is opened.
    maxRequeues: 1,
    host,
    port,
    secure: isSecure,
    requireTLS: !isSecure && !isLoopback(host),
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    // Read once, because each connection would parse the certificates of all authorities again.
    ...(extraCa !== null && {
      tls: { secureContext: createSecureContext({ ca: [...rootCertificates, extraCa] }) },
    }),
    connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    // Forbids nodemailer from reading files and URLs named in fields.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', (mail, done) => {
    mail.message.transform(inOnePiece);
    done();
  });
  return transport;
}

/**
 * Collects a message, which nodemailer writes in dozens of pieces. Sending and reading each piece as a TLS record of its own took a seventh of
 * the time of the sending thread.
 */
function inOnePiece(): Transform {
  const pieces: Buffer[] = [];
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
    flush: (done) => done(null, Buffer.concat(pieces)),
  });
}

interface SmtpError extends Error {
  code?: string | undefined;
  originalCode?: string | undefined;
  responseCode?: number | undefined;
  rejectedErrors?: SmtpError[] | undefined;
}

function failureOf(error: SmtpError): Error {
  if (error instanceof SmtpFailed) return error;
  const { code = '', originalCode = '', responseCode, rejectedErrors: [refused] = [] } = error;
  if (refused) return refusalOf(refused);
  if (code === 'ETIMEDOUT' || originalCode === 'ETIMEDOUT') return new SmtpFailed('TIMEOUT', undefined);
  if (code === 'ETLS' || isCertificateCode(originalCode)) return new SmtpFailed('TLS', undefined);
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500)
    return new SmtpFailed('DEFERRED', responseCode);
  if (code === 'EAUTH' || code === 'ENOAUTH') return new SmtpFailed('LOGIN_REFUSED', responseCode);
  if (responseCode !== undefined && responseCode >= 500) return new SmtpFailed('REFUSED', responseCode);
  if (['ECONNECTION', 'ESOCKET', 'EDNS'].includes(code)) return new SmtpFailed('CONNECTION', undefined);
  if (code === 'EPROTOCOL') return new SmtpFailed('PROTOCOL', undefined);
  // Nothing was sent: SMTP cannot carry the address.
  if (code === 'EENVELOPE') return new SmtpFailed('RECIPIENT_REFUSED', undefined, true);
  return error;
}

/** The server's answer for the recipient. */
function refusalOf({ responseCode = 0 }: SmtpError): SmtpFailed {
  return responseCode >= 500
    ? new SmtpFailed('RECIPIENT_REFUSED', responseCode, true)
    : new SmtpFailed('DEFERRED', responseCode || undefined);
}

/** Errors that are not from the operating system come from the TLS handshake or the certificate check. */
function isCertificateCode(code: string): boolean {
  return code !== '' && (!/^E[A-Z]+$/.test(code) || code === 'EPROTO');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
