/**
 * Does it for so many items at once, then for the next ones. With fewer than 128 requests in progress none is refused as overload, however
 * slow the machine is.
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
