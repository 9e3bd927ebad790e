export interface TokenBucketOptions {
  /** Tokens in a full bucket: the number that can be taken at once. */
  burst: number;
  /** Tokens added per second. */
  perSecond: number;
  /** Milliseconds of a monotonic clock. */
  elapsedMs: () => number;
}

/** A token bucket, full at first. `take` succeeds while tokens are left, and never waits. */
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

  /** Whole tokens left now. */
  get remaining(): number {
    this.#fill();
    return Math.floor(this.#tokens);
  }

  /** Milliseconds until the next token; 0 if there is one. */
  get retryAfterMs(): number {
    this.#fill();
    return this.#msUntil(1);
  }

  /** Milliseconds until the bucket is full. */
  get fullAfterMs(): number {
    this.#fill();
    return this.#msUntil(this.#options.burst);
  }

  #msUntil(tokens: number): number {
    return Math.ceil((Math.max(0, tokens - this.#tokens) * 1_000) / this.#options.perSecond);
  }

  #fill(): void {
    const { burst, perSecond, elapsedMs } = this.#options;
    const nowMs = elapsedMs();
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledAtMs) * perSecond) / 1_000);
    this.#filledAtMs = nowMs;
  }
}
