/** HTTP to a registry. Turns every failure and unusable answer into RegistryUnavailable. */
import {
  createServiceHttp,
  ServiceFailed,
  type ServiceFailureKind,
  type ServiceHttpOptions,
  type ServiceReply,
  type ServiceRequest,
} from '#infra/outbound/service-http';
import type { SourceCall } from './registry-source.ts';
import { RegistryUnavailable, type UnavailableKind } from './registry-unavailable.ts';

export interface RegistryHttp {
  /** The JSON of the answer, or undefined for a 404. */
  get(path: string, call?: SourceCall): Promise<unknown>;
  /** The answer with any status, for a registry that explains its statuses in the body. */
  send(request: Omit<ServiceRequest, 'signal'>, call?: SourceCall): Promise<ServiceReply>;
  close(): Promise<void>;
}

const KINDS: Record<ServiceFailureKind, UnavailableKind> = {
  TIMEOUT: 'TIMEOUT',
  CONNECTION: 'CONNECTION',
  TLS: 'TLS',
  TOO_LARGE: 'PROTOCOL',
  PROTOCOL: 'PROTOCOL',
};

/** Creates an HTTP client of a registry. Throws a TypeError for an invalid base address. */
export function createRegistryHttp(registry: string, options: ServiceHttpOptions): RegistryHttp {
  const http = createServiceHttp({
    ...options,
    headers: { 'user-agent': 'Tradeline', ...options.headers },
  });
  const send: RegistryHttp['send'] = async (request, call) => {
    call?.beforeRequest();
    try {
      return await http.send({ ...request, signal: call?.signal });
    } catch (error) {
      if (!(error instanceof ServiceFailed)) throw error;
      throw new RegistryUnavailable(registry, KINDS[error.kind], { code: error.code });
    }
  };
  return {
    send,
    async get(path, call) {
      const reply = await send({ method: 'GET', path }, call);
      if (reply.status === 404) return undefined;
      if (reply.status !== 200) throw statusFailure(registry, reply);
      return readJson(registry, reply.body);
    },
    close: () => http.close(),
  };
}

/** The failure that a status without a usable body means. */
export function statusFailure(registry: string, { status, retryAfterMs }: ServiceReply): RegistryUnavailable {
  const kind =
    status === 429
      ? 'THROTTLED'
      : status === 401 || status === 403
        ? 'REFUSED'
        : status >= 500
          ? 'SERVER_ERROR'
          : 'PROTOCOL';
  return new RegistryUnavailable(registry, kind, { code: `HTTP_${status}`, retryAfterMs });
}

/** Parses an answer. Throws RegistryUnavailable for anything but one JSON value in UTF-8. */
export function readJson(registry: string, body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new RegistryUnavailable(registry, 'PROTOCOL', { code: 'NOT_JSON' });
  }
}
