/**
 * What is in progress, the oldest first. A Set or a Map of it would keep much of it alive after it has ended: V8 replaces their table whenever
 * it is full of removed entries, each table refers to the next one, and the first that reaches the old generation keeps all later ones, with
 * what they held, until that generation is collected. While reminders were sent, that was every mail (bench `remind-buyers`).
 */
export class InFlight<Item> implements Iterable<Item> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  get oldest(): Item | undefined {
    return this.#items[0];
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Does nothing if it has been removed before. Takes longer the more older items there are: nanoseconds each. */
  delete(item: Item): void {
    const at = this.#items.indexOf(item);
    if (at !== -1) this.#items.splice(at, 1);
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#items[Symbol.iterator]();
  }
}
