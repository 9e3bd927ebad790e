/**
 * Processes the items in waves of a limited size. With fewer than 128 requests in progress, none is refused because of overload, even on a
 * slow machine.
 */
export async function inWaves<Item, Result>(
  items: readonly Item[],
  size: number,
  each: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += size) {
    const wave = items.slice(start, start + size);
    results.push(...(await Promise.all(wave.map((item, nth) => each(item, start + nth)))));
  }
  return results;
}
