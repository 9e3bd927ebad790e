/** CLOSED lets everybody through, OPEN nobody; HALF_OPEN one, whose outcome decides. */
export type CircuitState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** One call that was let through. Only the first outcome that is told counts. */
export interface Passage {
  succeed(): void;
  /** With a pause, the circuit opens at once and for that long. */
  fail(pauseMs?: number): void;
  /** The call ended without saying anything about the other side. */
  forgive(): void;
}

export interface CircuitOptions {
  /** Failures in a row that open the circuit. */
  failuresMax: number;
  /** From opening to the next try. */
  pauseMs: number;
  elapsedMs: () => number;
}

/** Keeps calls away from what failed just now, so that they fail at once and it can recover. */
export class CircuitBreaker {
  readonly #options: CircuitOptions;
  #failures = 0;
  /** Null: closed. */
  #openUntilMs: number | null = null;
  #isProbing = false;
  /** Counts the openings and closings: what began before the last of them is old news when it ends. */
  #era = 0;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  get state(): CircuitState {
    if (this.#openUntilMs === null) return 'CLOSED';
    return this.retryAfterMs > 0 ? 'OPEN' : 'HALF_OPEN';
  }

  /** How long nobody is let through; 0 when somebody would be, or is already trying. */
  get retryAfterMs(): number {
    return Math.max(0, (this.#openUntilMs ?? 0) - this.#options.elapsedMs());
  }

  /** Null: not now. */
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
