/** Hands mails to a mail server. What the server says stays here: its words may name the recipient. */
import { isIPv4 } from 'node:net';
import { rootCertificates } from 'node:tls';
import { domainToASCII } from 'node:url';
import { createTransport } from 'nodemailer';

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (smtps); otherwise STARTTLS, which only a server on this machine may lack. */
  isSecure: boolean;
  user: string | null;
  password: string | null;
}

export interface SmtpMessage {
  messageId: string;
  to: string;
  from: { name: string /** Null: the default sender. */; address: string | null };
  bcc: string | null;
  replyTo: string | null;
  /** BCP 47. */
  locale: string;
  subject: string;
  text: string;
  html: string;
}

export interface Smtp {
  /** Resolves when the server has taken it for the recipient. Throws SmtpFailed, or what `signal` was aborted with. */
  send(message: SmtpMessage, signal: AbortSignal): Promise<{ isCopyRefused: boolean }>;
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

/** The message is the failure with the server's reply code, where it gave one: `RECIPIENT_REFUSED 550`. */
export class SmtpFailed extends Error {
  /** Trying again cannot help. */
  readonly isFinal: boolean;

  constructor(failure: SmtpFailure, replyCode: number | undefined, isFinal = false) {
    super(replyCode === undefined ? failure : `${failure} ${replyCode}`);
    this.name = 'SmtpFailed';
    this.isFinal = isFinal;
  }
}

export interface SmtpOptions {
  server: SmtpServer;
  /** The sender where a message names none. */
  from: string;
  /** PEM of authorities to trust beside the public ones. */
  extraCa: string | null;
  /** From the first look at the server's name to its last reply. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 45_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** One connection a message: a server that closes idle ones, or hangs in one, then delays no other message. */
export function createSmtp({ server, from, extraCa, timeoutMs = TIMEOUT_MS }: SmtpOptions): Smtp {
  const { host, port, isSecure, user, password } = server;
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: !isSecure && !isLoopback(host),
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    ...(extraCa !== null && { tls: { ca: [...rootCertificates, extraCa] } }),
    connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    // A message is its fields and nothing that they point to.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send(message, signal) {
      const { to, bcc, replyTo, locale, messageId, subject, text, html } = message;
      const sender = message.from.address ?? from;
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const info = await transport.sendMail({
          from: { name: message.from.name, address: sender },
          to: { name: '', address: to },
          ...(replyTo !== null && replyTo !== sender && { replyTo: { name: '', address: replyTo } }),
          // The envelope alone names the blind copy.
          envelope: { from: sender, to: bcc === null || bcc === to ? [to] : [to, bcc] },
          messageId,
          subject,
          text,
          html,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            'Content-Language': locale,
          },
          signal: AbortSignal.any([signal, deadline]),
        });
        const refusal = refusalOf(info.rejectedErrors, to);
        if (refusal) throw refusal;
        return { isCopyRefused: info.rejected.length > 0 };
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) throw new SmtpFailed('TIMEOUT', undefined);
        throw failureOf(error as SmtpError, to);
      }
    },
  };
}

interface SmtpError extends Error {
  code?: string | undefined;
  originalCode?: string | undefined;
  responseCode?: number | undefined;
  recipient?: string | undefined;
  rejectedErrors?: SmtpError[] | undefined;
}

function failureOf(error: SmtpError, to: string): Error {
  if (error instanceof SmtpFailed) return error;
  const { code = '', originalCode = '', responseCode } = error;
  const refusal = refusalOf(error.rejectedErrors, to);
  if (refusal) return refusal;
  if (code === 'ETIMEDOUT' || originalCode === 'ETIMEDOUT') return new SmtpFailed('TIMEOUT', undefined);
  if (code === 'ETLS' || isCertificateCode(originalCode)) return new SmtpFailed('TLS', undefined);
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500)
    return new SmtpFailed('DEFERRED', responseCode);
  if (code === 'EAUTH' || code === 'ENOAUTH') return new SmtpFailed('LOGIN_REFUSED', responseCode);
  if (responseCode !== undefined && responseCode >= 500) return new SmtpFailed('REFUSED', responseCode);
  if (['ECONNECTION', 'ESOCKET', 'EDNS'].includes(code)) return new SmtpFailed('CONNECTION', undefined);
  if (code === 'EPROTOCOL') return new SmtpFailed('PROTOCOL', undefined);
  // Nothing was sent: the address is none that SMTP can carry.
  if (code === 'EENVELOPE') return new SmtpFailed('RECIPIENT_REFUSED', undefined, true);
  return error;
}

/** What became of the recipient, whatever became of the blind copy. */
function refusalOf(rejections: SmtpError[] | undefined, to: string): SmtpFailed | undefined {
  const rejection = rejections?.find(({ recipient = '' }) => asSent(recipient) === asSent(to));
  if (!rejection) return undefined;
  const { responseCode = 0 } = rejection;
  return responseCode >= 500
    ? new SmtpFailed('RECIPIENT_REFUSED', responseCode, true)
    : new SmtpFailed('DEFERRED', responseCode || undefined);
}

/** An address as the envelope has it: its domain in lower case, and in ASCII. */
function asSent(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}

/** What is no error of the operating system comes from the handshake or the check of the certificate. */
function isCertificateCode(code: string): boolean {
  return code !== '' && (!/^E[A-Z]+$/.test(code) || code === 'EPROTO');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
