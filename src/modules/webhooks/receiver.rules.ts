import type { OutboundHttp } from '#infra/outbound/http';
import { OutboundRefused } from '#infra/outbound/http';
import { originOf } from '#infra/outbound/url';
import { invalidRequest } from '#kernel/problem';

/**
 * Refuses a receiver's URL to which no request may be sent: throws INVALID_REQUEST. An https name that does not resolve
 * yet is accepted, because a receiver may be subscribed before its name is published; every connection is checked again.
 * Over http it is refused: http is for loopback addresses only.
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

/** What a subscription stores of its receiver: the slots of an origin are shared, however each url spells it. */
export function receiverColumns(url: string) {
  return { url, canonical_origin: originOf(url), canonical_of_url: url };
}
