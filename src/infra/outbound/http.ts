/**
 * POST to URLs that customers chose, protected against server-side request forgery. URLs lead to public addresses only;
 * they are vetted when given and at every new connection, and connections go to vetted addresses. Redirects are not
 * followed, bodies are not decompressed, and the environment (proxies, NODE_TLS_REJECT_UNAUTHORIZED) has no effect. One
 * post is at most one request.
 */
import { X509Certificate } from 'node:crypto';
import { lookup as lookupName } from 'node:dns/promises';
import { isIP } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { systemClock } from '../time/clock.ts';
import { addressKind, isWithin, parseCidr } from './address.ts';
import {
  type Connection,
  exchange,
  type OutboundAnswer,
  openConnection,
  type VettedAddress,
} from './connection.ts';
import { OutboundFailed } from './failure.ts';
import { IdleConnections } from './idle.ts';
import { OutboundRefused, type OutboundTarget, readTarget } from './url.ts';

export { OutboundFailed, OutboundRefused };

export interface OutboundPolicy {
  /** Sandbox only: http and https to loopback addresses, any port. */
  allowLoopback: boolean;
  /** Allowed ports in addition to 443 and 8443. */
  extraPorts: number[];
  /** Private networks that the operator allows. */
  allowCidrs: string[];
  /** PEM of certificate authorities to trust in addition to the default ones. */
  extraCa?: string;
  /** Resolves a name to all its addresses. By default, the operating system does. */
  resolve?: (hostname: string) => Promise<VettedAddress[]>;
}

export interface OutboundRequest {
  headers: Record<string, string>;
  body: string | Buffer;
  /** Covers the whole request: resolving, connecting, sending and receiving. */
  timeoutMs: number;
  /** Aborts the request, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface OutboundReply {
  status: number;
  retryAfter: string | null;
  /** The IP address that answered. */
  address: string;
  /** The first 4 KB of the body, not decompressed. */
  bodyHead: Buffer;
  durationMs: number;
}

export interface OutboundHttp {
  /** Resolves if requests to this URL are allowed now. Throws OutboundRefused. */
  vet(url: string): Promise<void>;
  /** Throws OutboundRefused or OutboundFailed. */
  post(url: string, request: OutboundRequest): Promise<OutboundReply>;
  /** Closes idle connections and waits for running posts, which end at their own timeouts. */
  close(): Promise<void>;
}

const VET_TIMEOUT_MS = 5_000;
/** A name with hundreds of addresses must not use up the time of an attempt. */
const ADDRESSES_TRIED_MAX = 4;
/** Headers that change the meaning of the request or would send credentials. */
const FORBIDDEN_HEADERS =
  /^(authorization|proxy-.*|cookie|host|connection|upgrade|expect|transfer-encoding|te)$/i;

/** Throws an error with a message for the operator if the options are invalid. */
export function createOutboundHttp(policy: OutboundPolicy): OutboundHttp {
  const findAddresses = createVetting(policy);
  const secureContext = trustedAuthorities(policy.extraCa);
  const idle = new IdleConnections();
  let running = 0;
  let isClosed = false;
  const drained = Promise.withResolvers<void>();

  async function send(url: string, request: OutboundRequest, signal: AbortSignal) {
    const target = readTarget(url, policy);
    const reused = await exchangeOnIdle(idle, target, request, signal);
    const connection = reused?.connection ?? (await open(target, signal));
    const answer = reused?.answer ?? (await exchange(connection, target.path, request, signal));
    if (isClosed) connection.socket.destroy();
    else idle.keep(connection);
    return answer;
  }

  async function open(target: OutboundTarget, signal: AbortSignal) {
    const addresses = await findAddresses(target, signal);
    return openConnection(target, addresses, secureContext, signal);
  }

  return {
    async vet(url) {
      const signal = AbortSignal.timeout(VET_TIMEOUT_MS);
      await findAddresses(readTarget(url, policy), signal).catch((error) => {
        throw signal.aborted ? new OutboundRefused('UNRESOLVED') : error;
      });
    },

    async post(url, request) {
      if (isClosed) throw new Error('The outbound http client is closed.');
      checkHeaders(request.headers);
      const startedMs = systemClock.elapsedMs();
      // Not AbortSignal.timeout: its timers cannot be cleared, and thousands of finished requests would leave theirs.
      const deadline = new AbortController();
      const expire = () => deadline.abort(new OutboundFailed('TIMEOUT', 'DEADLINE'));
      const timer = setTimeout(expire, request.timeoutMs);
      const abandon = () => deadline.abort(request.signal?.reason);
      request.signal?.addEventListener('abort', abandon, { once: true });
      running++;
      try {
        request.signal?.throwIfAborted();
        const answer = await send(url, request, deadline.signal);
        return { ...answer, durationMs: systemClock.elapsedMs() - startedMs };
      } finally {
        clearTimeout(timer);
        request.signal?.removeEventListener('abort', abandon);
        running--;
        if (isClosed && running === 0) drained.resolve();
      }
    },

    async close() {
      isClosed = true;
      idle.closeAll();
      if (running === 0) drained.resolve();
      await drained.promise;
    },
  };
}

/**
 * Null if no idle connection can be used. Receivers may close one at any time, even just before the request is sent: then the request is
 * sent on another connection.
 */
async function exchangeOnIdle(
  idle: IdleConnections,
  target: OutboundTarget,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<{ connection: Connection; answer: OutboundAnswer } | null> {
  for (let connection = idle.take(target.origin); connection; connection = idle.take(target.origin))
    try {
      return { connection, answer: await exchange(connection, target.path, request, signal) };
    } catch (error) {
      if (!(error instanceof OutboundFailed && error.code === 'CLOSED_UNSENT')) throw error;
    }
  return null;
}

/** The addresses of a target. If one of them is refused, none is used. */
function createVetting(policy: OutboundPolicy) {
  const allowed = policy.allowCidrs.map(parseCidr);
  const resolve = sharedLookups(policy.resolve ?? resolveBySystem);

  const vet = (target: OutboundTarget, address: string) => {
    const kind = addressKind(address);
    if (kind === 'LOOPBACK' && policy.allowLoopback) return;
    if (target.refusalBeyondLoopback) throw new OutboundRefused(target.refusalBeyondLoopback);
    if (kind !== 'PUBLIC' && !isWithin(address, allowed)) throw new OutboundRefused('ADDRESS');
  };

  return async (target: OutboundTarget, signal: AbortSignal): Promise<VettedAddress[]> => {
    const addresses = target.isLiteral
      ? [target.hostname]
      : (await orAborted(resolve(target.hostname), signal)).map((answer) => answer.address);
    if (addresses.length === 0) throw new OutboundRefused('UNRESOLVED');
    for (const address of addresses) vet(target, address);
    return addresses
      .slice(0, ADDRESSES_TRIED_MAX)
      .map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
  };
}

async function resolveBySystem(hostname: string): Promise<VettedAddress[]> {
  const answers = await lookupName(hostname, { all: true, order: 'verbatim' });
  return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/**
 * Joins concurrent lookups of one name: the system's resolver has four threads for the process, and a name server that
 * never answers would otherwise occupy one per request. Results are not cached.
 */
function sharedLookups(resolve: (hostname: string) => Promise<VettedAddress[]>) {
  const underWay = new Map<string, Promise<VettedAddress[]>>();
  return (hostname: string): Promise<VettedAddress[]> => {
    const known = underWay.get(hostname);
    if (known) return known;
    const lookup = (async () => resolve(hostname))()
      .catch(() => {
        throw new OutboundRefused('UNRESOLVED');
      })
      .finally(() => underWay.delete(hostname));
    underWay.set(hostname, lookup);
    return lookup;
  };
}

function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function trustedAuthorities(extraCa: string | undefined): SecureContext {
  if (extraCa === undefined) return createSecureContext({ minVersion: 'TLSv1.2' });
  const extra = extraCa.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
  // Node accepts text without a certificate silently; every request would then fail.
  if (extra.length === 0) throw new Error('The extra certificate authorities hold no PEM certificate.');
  for (const pem of extra) new X509Certificate(pem);
  return createSecureContext({ minVersion: 'TLSv1.2', ca: [...getCACertificates('default'), ...extra] });
}

function checkHeaders(headers: Record<string, string>): void {
  const forbidden = Object.keys(headers).find((name) => FORBIDDEN_HEADERS.test(name));
  if (forbidden) throw new TypeError(`The header "${forbidden}" is never sent to a receiver.`);
}
