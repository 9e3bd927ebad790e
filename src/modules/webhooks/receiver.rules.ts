import type { OutboundHttp } from '#infra/outbound/http';
import { OutboundRefused } from '#infra/outbound/http';
import { originOf } from '#infra/outbound/url';
import { invalidRequest } from '#kernel/problem';

/**
 * Throws INVALID_REQUEST for a receiver's URL to which no request may be sent. An https name that does not resolve yet is
 * accepted, because a receiver may be subscribed before its name is published; every connection is checked again.
 * Such a name is refused over http, which is only for loopback addresses.
 */
export async function assertReceiver(outbound: Pick<OutboundHttp, 'vet'>, url: string): Promise<void> {
  try {
    await outbound.vet(url);
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    if (error.reason === 'UNRESOLVED' && new URL(url).protocol === 'https:') return;
    throw invalidRequest([{ code: 'INVALID_VALUE', path: 'body.url', message: error.message }]);
  }
}

/** The columns of a receiver. Subscriptions share the slots of an origin, regardless of its spelling in their urls. */
export function receiverColumns(url: string) {
  return { url, canonical_origin: originOf(url), canonical_of_url: url };
}
