/** Which customers' URLs may be called, judged before names are resolved. Pure rules. */
import { isIP } from 'node:net';

export type RefusalReason = 'INVALID_URL' | 'SCHEME' | 'CREDENTIALS' | 'PORT' | 'ADDRESS' | 'UNRESOLVED';

const SENTENCES: Record<RefusalReason, string> = {
  INVALID_URL: 'The url is not a complete https url.',
  SCHEME: 'The url does not start with https://.',
  CREDENTIALS: 'The url contains a user name or a password.',
  PORT: 'The port of the url is not one that a receiver may listen on.',
  // One sentence for both: a difference would let a caller enumerate the names of a private network.
  ADDRESS: 'The host of the url does not lead to a public address.',
  UNRESOLVED: 'The host of the url does not lead to a public address.',
};

/** A request to this URL is not allowed and was not sent. The message is for the caller and contains no address. */
export class OutboundRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message = SENTENCES[reason]) {
    super(message);
    this.name = 'OutboundRefused';
    this.reason = reason;
  }
}

/** A parsed URL. Different spellings of one URL give the same target. */
export interface OutboundTarget {
  isSecure: boolean;
  /** A name without trailing dot, or an IP address without brackets. */
  hostname: string;
  isLiteral: boolean;
  port: number;
  origin: string;
  /** Path and query. */
  path: string;
  /** Why the URL is refused unless all its addresses are loopback addresses. */
  refusalBeyondLoopback: 'SCHEME' | 'PORT' | null;
}

export interface UrlRules {
  allowLoopback: boolean;
  extraPorts: readonly number[];
}

const URL_LENGTH_MAX = 2_048;
const HOSTNAME_LENGTH_MAX = 253;
const PORTS = [443, 8_443];

/** The URL parser drops these or turns them into slashes: the stored URL would differ from the one that is called. */
const REWRITTEN_CHARACTER = /[^!-\uffff]|[\\\u007f]/;
/** The URL parser also accepts `https:host` and `https:///host`. */
const WRITTEN_OUT = /^https?:\/\/[^/?]/i;
const USER_INFO = /^[^/?]*\/\/[^/?]*@/;
const LABEL = /^[a-z0-9_-]{1,63}$/;

/** Parses and judges a URL. Throws OutboundRefused for any reason but `UNRESOLVED`. */
export function readTarget(text: string, rules: UrlRules): OutboundTarget {
  const url = parseUrl(text);
  const isSecure = url.protocol === 'https:';
  const refusalBeyondLoopback = beyondLoopback(url, rules);
  if (refusalBeyondLoopback && !rules.allowLoopback) throw new OutboundRefused(refusalBeyondLoopback);

  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = isIP(hostname) !== 0;
  if (!isLiteral && !isHostname(hostname)) throw invalid('The host of the url is not a valid name.');
  // RFC 6761: these names mean this machine, independent of name servers.
  const isThisMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isThisMachine && !rules.allowLoopback) throw new OutboundRefused('ADDRESS');

  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const path = url.pathname + url.search;
  return { isSecure, hostname, isLiteral, port, origin: url.origin, path, refusalBeyondLoopback };
}

/**
 * The origin of a URL, the same for all spellings: in lower case and ASCII, without the scheme's default port and a trailing dot. Throws
 * OutboundRefused.
 */
export function originOf(text: string): string {
  return parseUrl(text).origin;
}

function parseUrl(text: string): URL {
  if (text.length > URL_LENGTH_MAX) throw invalid(`The url is longer than ${URL_LENGTH_MAX} characters.`);
  if (REWRITTEN_CHARACTER.test(text))
    throw invalid('The url contains a blank, a control character or a backslash.');
  if (text.includes('#')) throw invalid('The url has a fragment (#).');
  const url = URL.parse(text);
  if (!url) throw invalid();
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutboundRefused('SCHEME');
  if (!WRITTEN_OUT.test(text)) throw invalid();
  if (USER_INFO.test(text)) throw new OutboundRefused('CREDENTIALS');
  // A trailing dot only marks the name as complete; certificates and server names omit it.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  // Percent-encoding can lengthen the text.
  if (url.href.length > URL_LENGTH_MAX) {
    throw invalid(`The url is longer than ${URL_LENGTH_MAX} characters once encoded.`);
  }
  return url;
}

function beyondLoopback(url: URL, rules: UrlRules): 'SCHEME' | 'PORT' | null {
  if (url.protocol !== 'https:') return 'SCHEME';
  if (url.port === '') return null;
  const port = Number(url.port);
  return PORTS.includes(port) || rules.extraPorts.includes(port) ? null : 'PORT';
}

function isHostname(hostname: string): boolean {
  return hostname.length <= HOSTNAME_LENGTH_MAX && hostname.split('.').every((label) => LABEL.test(label));
}

function invalid(message?: string): OutboundRefused {
  return new OutboundRefused('INVALID_URL', message);
}
