export interface TokenBucketOptions {
  /** Tokens that a full bucket holds: what may be taken at once. */
  burst: number;
  /** Tokens that come back in a minute. */
  perMinute: number;
  elapsedMs: () => number;
}

/** A limit of requests to one place. Nobody waits for a token: there is one, or there is none. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #filledAtMs: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
    this.#filledAtMs = options.elapsedMs();
  }

  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** How long until there is a token again. */
  get retryAfterMs(): number {
    this.#fill();
    return Math.ceil(Math.max(0, 1 - this.#tokens) * (60_000 / this.#options.perMinute));
  }

  #fill(): void {
    const { burst, perMinute, elapsedMs } = this.#options;
    const nowMs = elapsedMs();
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledAtMs) * perMinute) / 60_000);
    this.#filledAtMs = nowMs;
  }
}
