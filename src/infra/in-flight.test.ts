import { expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';

it('keeps what is in flight in the order of its beginning', () => {
  const inFlight = new InFlight<string>();
  expect([inFlight.oldest, inFlight.size]).toEqual([undefined, 0]);
  for (const name of ['a', 'b', 'c']) inFlight.add(name);
  inFlight.delete('b');
  inFlight.delete('b');
  expect([...inFlight, inFlight.size, inFlight.oldest]).toEqual(['a', 'c', 2, 'a']);
  inFlight.delete('a');
  inFlight.delete('c');
  expect([inFlight.oldest, inFlight.size]).toEqual([undefined, 0]);
});
