/** Work of the processor in turns of the event loop, so that requests wait for little of it. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A mail takes about half a millisecond. */
const ITEMS_OF_TURN = 2;

/** Maps the items one after the other, a few in each turn of the event loop. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, nth: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [nth, item] of items.entries()) {
    if (nth > 0 && nth % ITEMS_OF_TURN === 0) await nextTurn();
    results.push(await map(item, nth));
  }
  return results;
}
