/** What a trusted proxy says about the client: RFC 7239 calls it forwarded; proxies send X-Forwarded-For, -Proto and -Host. */
import type { FastifyRequest } from 'fastify';
import { isWithin, parseCidr } from '#infra/outbound/address';
import { HOST } from './protocol-guard.ts';

/** Whether an address is one of the trusted proxies. */
export type TrustProxy = (address: string) => boolean;

/**
 * The address at which the client of a request reaches the service, if a setting or a trusted proxy names it. `trustedProxies` are CIDR
 * blocks.
 */
export function publicAddressOf({
  trustedProxies,
  baseUrl,
}: {
  trustedProxies: readonly string[];
  baseUrl: string | null;
}) {
  const isTrustedProxy = trustOf(trustedProxies);
  const baseUrlOf = (request: FastifyRequest) => baseUrl ?? forwardedOrigin(request, isTrustedProxy);
  return { isTrustedProxy, baseUrlOf };
}

function trustOf(networks: readonly string[]): TrustProxy {
  if (networks.length === 0) return () => false;
  const trusted = networks.map(parseCidr);
  // A dual-stack socket reports IPv4 addresses in this form.
  return (address) => isWithin(address.replace(/^::ffff:/i, ''), trusted);
}

/**
 * The origin at which the client reached a trusted proxy, such as `https://credit.example.com`. Null for a request that no trusted proxy
 * forwarded, or if the proxy sends no usable headers.
 */
function forwardedOrigin({ raw, headers }: FastifyRequest, isTrusted: TrustProxy): string | null {
  const { remoteAddress } = raw.socket;
  if (remoteAddress === undefined || !isTrusted(remoteAddress)) return null;
  const protocol = lastOf(headers['x-forwarded-proto']);
  const host = lastOf(headers['x-forwarded-host']);
  if (protocol === undefined && host === undefined) return null;
  const origin = `${protocol ?? 'http'}://${host ?? headers.host}`;
  const isUsable = /^https?$/.test(protocol ?? 'http') && HOST.test(host ?? headers.host ?? '');
  return isUsable && URL.canParse(origin) ? origin : null;
}

/** Each proxy appends to the list; only the nearest proxy is known. */
function lastOf(header: string | string[] | undefined): string | undefined {
  const last = [header].flat().at(-1)?.split(',').at(-1)?.trim();
  return last === '' ? undefined : last;
}
