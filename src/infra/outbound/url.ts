/** Which urls of strangers may be called at all, before anything is resolved. Pure rules. */
import { isIP } from 'node:net';

export type RefusalReason = 'INVALID_URL' | 'SCHEME' | 'CREDENTIALS' | 'PORT' | 'ADDRESS' | 'UNRESOLVED';

const SENTENCES: Record<RefusalReason, string> = {
  INVALID_URL: 'The url is not a complete https url.',
  SCHEME: 'The url does not start with https://.',
  CREDENTIALS: 'The url carries a user name or a password.',
  PORT: 'The port of the url is not one that a receiver may listen on.',
  // One sentence for both: telling them apart would let a stranger list the names of a private network.
  ADDRESS: 'The host of the url does not lead to a public address.',
  UNRESOLVED: 'The host of the url does not lead to a public address.',
};

/** Nothing was sent: the url leads where no request may go. The message is for the caller and names no address. */
export class OutboundRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message = SENTENCES[reason]) {
    super(message);
    this.name = 'OutboundRefused';
    this.reason = reason;
  }
}

/** A url taken apart. Two spellings of one url give the same target. */
export interface OutboundTarget {
  isSecure: boolean;
  /** A name without trailing dot, or an IP address without brackets. */
  hostname: string;
  isLiteral: boolean;
  port: number;
  origin: string;
  /** Path and query. */
  path: string;
  /** Why the url is refused unless every address behind it is a loopback one. */
  refusalBeyondLoopback: 'SCHEME' | 'PORT' | null;
}

export interface UrlRules {
  allowLoopback: boolean;
  extraPorts: readonly number[];
}

const URL_LENGTH_MAX = 2_048;
const HOSTNAME_LENGTH_MAX = 253;
const PORTS = [443, 8_443];

/** The URL parser drops these or turns them into slashes: what is stored and shown would not be what is called. */
const REWRITTEN_CHARACTER = /[^!-\uffff]|[\\\u007f]/;
/** The URL parser also reads `https:host` and `https:///host`. */
const WRITTEN_OUT = /^https?:\/\/[^/?]/i;
const USER_INFO = /^[^/?]*\/\/[^/?]*@/;
const LABEL = /^[a-z0-9_-]{1,63}$/;

/** Throws OutboundRefused, for any reason but `UNRESOLVED`. */
export function readTarget(text: string, rules: UrlRules): OutboundTarget {
  const url = parseUrl(text);
  const isSecure = url.protocol === 'https:';
  const refusalBeyondLoopback = beyondLoopback(url, rules);
  if (refusalBeyondLoopback && !rules.allowLoopback) throw new OutboundRefused(refusalBeyondLoopback);

  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = isIP(hostname) !== 0;
  if (!isLiteral && !isHostname(hostname)) throw invalid('The host of the url is not a valid name.');
  // RFC 6761: these names are this machine, whatever a name server says.
  const isThisMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isThisMachine && !rules.allowLoopback) throw new OutboundRefused('ADDRESS');

  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const path = url.pathname + url.search;
  return { isSecure, hostname, isLiteral, port, origin: url.origin, path, refusalBeyondLoopback };
}

function parseUrl(text: string): URL {
  if (text.length > URL_LENGTH_MAX) throw invalid(`The url is longer than ${URL_LENGTH_MAX} characters.`);
  if (REWRITTEN_CHARACTER.test(text))
    throw invalid('The url holds a blank, a control character or a backslash.');
  if (text.includes('#')) throw invalid('The url has a fragment (#).');
  const url = URL.parse(text);
  if (!url) throw invalid();
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutboundRefused('SCHEME');
  if (!WRITTEN_OUT.test(text)) throw invalid();
  if (USER_INFO.test(text)) throw new OutboundRefused('CREDENTIALS');
  // A trailing dot only says that the name is complete; certificates and server names are written without.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  // Percent-encoding can make a short text long.
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
