/** Parsers of settings: text → value, or undefined if the text is invalid. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export type Parse<T> = (text: string) => T | undefined;

export function anyOf<const T extends readonly string[]>(values: T): Parse<T[number]> {
  return (text) => values.find((value) => value === text);
}

export function integer(minimum: number, maximum: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

export const ports = listOf(integer(1, 65_535));

/** CIDR blocks as text. Addresses with a zone (`fe80::1%eth0`) are invalid: a zone is local to one machine. */
export const cidrs = listOf(cidr);

/** CIDR blocks or single addresses, as text. */
export const networks = listOf((text) => {
  const bits = text.includes('%') ? undefined : { 4: 32, 6: 128 }[isIP(text)];
  return bits === undefined ? cidr(text) : `${text}/${bits}`;
});

function cidr(text: string): string | undefined {
  const [network = '', prefixLength = '', ...rest] = text.split('/');
  const bitsMax = network.includes('%') ? 0 : { 0: 0, 4: 32, 6: 128 }[isIP(network)];
  const isCidr =
    bitsMax && /^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= bitsMax && rest.length === 0;
  return isCidr ? text : undefined;
}

export function base64Of32Bytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? bytes : undefined;
}

/** Also accepts pg's form for a Unix socket, which is not a standard URL: `postgres://user:password@/database?host=/run`. */
export function postgresUrl(text: string): string | undefined {
  return /^postgres(ql)?:\/\//.test(text) &&
    (URL.canParse(text) || URL.canParse(text.replace('@/', '@socket/')))
    ? text
    : undefined;
}

/** An http or https URL, returned without a trailing slash. */
export function httpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash } = new URL(text);
  const isPlain = /^https?:$/.test(protocol) && username + password + search + hash === '';
  return isPlain ? text.replace(/\/+$/, '') : undefined;
}

export interface SmtpUrl {
  host: string;
  port: number;
  /** TLS from the first byte. */
  isSecure: boolean;
  user: string | null;
  password: string | null;
}

const SMTP_PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/** `smtps://user:password@host:465`. Reserved characters in user and password are percent-encoded. */
export function smtpUrl(text: string): SmtpUrl | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const portUsual = SMTP_PORTS[protocol];
  const isPlain =
    (pathname === '' || pathname === '/') && search + hash === '' && (username !== '' || password === '');
  if (portUsual === undefined || hostname === '' || !isPlain) return undefined;
  try {
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? portUsual : Number(port),
      isSecure: protocol === 'smtps:',
      user: username === '' ? null : decodeURIComponent(username),
      password: password === '' ? null : decodeURIComponent(password),
    };
  } catch {
    // A percent sign that is not part of an encoding.
    return undefined;
  }
}

/** The content of a short text file, without the line break at its end. */
export function textOfFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The content of a PEM file of certificates. */
export function pemFile(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const certificates = text.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
    for (const certificate of certificates) new X509Certificate(certificate);
    return certificates.length > 0 ? text : undefined;
  } catch {
    return undefined;
  }
}

function listOf<T>(parse: Parse<T>): Parse<T[]> {
  return (text) => {
    const parts = text.split(',').map((part) => part.trim());
    const values = parts.filter((part) => part !== '').map(parse);
    return values.every((value) => value !== undefined) ? values : undefined;
  };
}
