/** Splits processor work over turns of the event loop, so that requests do not wait long for it. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Maps the items one after the other, each in its own turn of the event loop. A mail takes about half a millisecond. `giveWay` is awaited
 * before each item but the first.
 */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, nth: number) => Result | Promise<Result>,
  giveWay?: () => Promise<void>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [nth, item] of items.entries()) {
    if (nth > 0) {
      await nextTurn();
      await giveWay?.();
    }
    results.push(await map(item, nth));
  }
  return results;
}
