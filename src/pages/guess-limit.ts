/** Limits guesses of tokens. Only unknown tokens count, so that a valid link is never limited. */
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { addressKind } from '#infra/outbound/address';
import type { Clock } from '#infra/time/clock';
import { notFound } from '#kernel/problem';
import { createRateLimit } from '#operation/rate-limit';

const GUESSES_PER_SECOND = 1;
const GUESSES_BURST = 30;

/** Counts a guess from an IP address. Throws TOO_MANY_REQUESTS above the limit. */
export type CountGuess = (address: string) => void;

export function createGuessCounter(clock: Pick<Clock, 'elapsedMs'>): CountGuess {
  const limit = createRateLimit(GUESSES_PER_SECOND, GUESSES_BURST, clock);
  // Without headers about the limit, all answers to unknown tokens are identical.
  return (address) => limit.take(networkOf(address), () => undefined);
}

/** Throws NOT_FOUND, or TOO_MANY_REQUESTS after many unknown tokens from one network. */
export function refuseUnknown({ ip }: FastifyRequest, countGuess: CountGuess): never {
  countGuess(ip);
  throw notFound();
}

/**
 * The network of a browser with a public address; null for any other address: that is a proxy on this machine or network, behind
 * which browsers cannot be distinguished.
 */
export function publicNetworkOf(address: string): string | null {
  return addressKind(address) === 'PUBLIC' ? networkOf(address) : null;
}

/** The /64 network of an IPv6 address, because one customer usually has the whole network. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length;
  return [...groups, ...Array(missing).fill('0'), ...after].slice(0, 4).join(':');
}
