/** Slows whoever tries tokens: only what is not known is counted, so that nobody with a link is ever slowed. */
import { isIPv6 } from 'node:net';
import type { Clock } from '#infra/time/clock';
import { createRateLimit } from '#operation/rate-limit';

const GUESSES_PER_SECOND = 1;
const GUESSES_BURST = 30;

/** Throws TOO_MANY_REQUESTS. */
export type CountGuess = (address: string) => void;

export function createGuessCounter(clock: Pick<Clock, 'elapsedMs'>): CountGuess {
  const limit = createRateLimit(GUESSES_PER_SECOND, GUESSES_BURST, clock);
  // Headers about the limit would make answers to unknown tokens differ from each other.
  return (address) => limit.take(networkOf(address), () => undefined);
}

/** The /64 of an IPv6 address: one customer has all of it. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length;
  return [...groups, ...Array(missing).fill('0'), ...after].slice(0, 4).join(':');
}
