import type { OutboundHttp } from '#infra/outbound/http';
import { OutboundRefused } from '#infra/outbound/http';
import { invalidRequest } from '#kernel/problem';

/**
 * Refuses a url that nothing may be sent to. A name that does not resolve yet is accepted: every connection is checked
 * again, and a receiver may be subscribed before its name is published. Only over https, though: http is for loopback
 * addresses, which such a name does not lead to.
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
