import type { RegistryEntry } from '../registry-entry.ts';

export interface AnswerCacheOptions {
  /** The maximum number of cached companies over all answers; an empty answer counts as one. */
  companiesMax: number;
  /** How long an answer with companies is cached. */
  foundTtlMs: number;
  /** How long "no such company" is cached: the company can be founded later, or the query was mistyped. */
  emptyTtlMs: number;
  elapsedMs: () => number;
}

interface Answer {
  entries: readonly RegistryEntry[];
  goodUntilMs: number;
}

/** Answers in the memory of this process. The least recently used one is evicted. */
export class AnswerCache {
  readonly #options: AnswerCacheOptions;
  /** The least recently used answer first. */
  readonly #answers = new Map<string, Answer>();
  #companies = 0;

  constructor(options: AnswerCacheOptions) {
    this.#options = options;
  }

  get companies(): number {
    return this.#companies;
  }

  get(key: string): readonly RegistryEntry[] | null {
    const answer = this.#answers.get(key);
    if (!answer) return null;
    this.#forget(key);
    if (answer.goodUntilMs <= this.#options.elapsedMs()) return null;
    this.#keep(key, answer);
    return answer.entries;
  }

  put(key: string, entries: readonly RegistryEntry[]): void {
    const { foundTtlMs, emptyTtlMs, companiesMax, elapsedMs } = this.#options;
    this.#forget(key);
    this.#keep(key, { entries, goodUntilMs: elapsedMs() + (entries.length > 0 ? foundTtlMs : emptyTtlMs) });
    for (const oldest of this.#answers.keys()) {
      if (this.#companies <= companiesMax) break;
      this.#forget(oldest);
    }
  }

  #keep(key: string, answer: Answer): void {
    this.#answers.set(key, answer);
    this.#companies += weightOf(answer);
  }

  #forget(key: string): void {
    const answer = this.#answers.get(key);
    if (answer && this.#answers.delete(key)) this.#companies -= weightOf(answer);
  }
}

function weightOf({ entries }: Answer): number {
  return Math.max(1, entries.length);
}
