/** CLOSED permits every call, OPEN none, HALF_OPEN one, whose outcome decides. */
export type CircuitState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** A permitted call. Only its first reported outcome counts. */
export interface Passage {
  succeed(): void;
  /** With `pauseMs`, the circuit opens immediately and for that long. */
  fail(pauseMs?: number): void;
  /** The call ended and says nothing about the service. */
  forgive(): void;
}

export interface CircuitOptions {
  /** Consecutive failures that open the circuit. */
  failuresMax: number;
  /** Time from opening to the next attempt. */
  pauseMs: number;
  elapsedMs: () => number;
}

/** Stops calls to a service that fails, so that they fail immediately and the service can recover. */
export class CircuitBreaker {
  readonly #options: CircuitOptions;
  #failures = 0;
  /** Null while closed. */
  #openUntilMs: number | null = null;
  #isProbing = false;
  /** Counts openings and closings: the outcome of a call that started before the last one is ignored. */
  #era = 0;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  get state(): CircuitState {
    if (this.#openUntilMs === null) return 'CLOSED';
    return this.retryAfterMs > 0 ? 'OPEN' : 'HALF_OPEN';
  }

  /** Milliseconds until a call is permitted; 0 if one is permitted now or the trial call is running. */
  get retryAfterMs(): number {
    return Math.max(0, (this.#openUntilMs ?? 0) - this.#options.elapsedMs());
  }

  /** Permits a call; null while the circuit is open. */
  enter(): Passage | null {
    const { state } = this;
    if (state === 'OPEN' || this.#isProbing) return null;
    const isProbe = state === 'HALF_OPEN';
    this.#isProbing = isProbe;
    const era = this.#era;
    let isSettled = false;
    const settle = (run: () => void) => {
      if (isSettled || era !== this.#era) return;
      isSettled = true;
      run();
    };
    return {
      succeed: () => settle(() => this.#close()),
      fail: (pauseMs) => settle(() => this.#countFailure(isProbe, pauseMs)),
      forgive: () =>
        settle(() => {
          if (isProbe) this.#isProbing = false;
        }),
    };
  }

  #close(): void {
    this.#failures = 0;
    if (this.#openUntilMs === null) return;
    this.#openUntilMs = null;
    this.#isProbing = false;
    this.#era++;
  }

  #countFailure(isProbe: boolean, pauseMs: number | undefined): void {
    this.#failures++;
    if (!isProbe && pauseMs === undefined && this.#failures < this.#options.failuresMax) return;
    this.#openUntilMs = this.#options.elapsedMs() + (pauseMs ?? this.#options.pauseMs);
    this.#isProbing = false;
    this.#era++;
  }
}
