/** Keeps kinds of work that can wait apart while requests are served: two at once delay requests more than one after the other. */

/** One of the kinds. Any number of works of one kind run at once. */
export interface KeptApart {
  /**
   * Resolves when no work of another kind runs, at once while no requests are served, and at the latest after the longest wait of
   * the kind.
   */
  whenAlone(): Promise<void>;
  /** Runs work of the kind, without waiting. Fails as the work does. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Of work that is kept apart from none. */
export const NOT_KEPT_APART: KeptApart = { whenAlone: async () => {}, run: (work) => work() };

export interface KeepApartOptions {
  /** Whether requests came lately. */
  isServing(): boolean;
}

/** Two kinds, with the longest wait of each in milliseconds. */
export function keepApart(
  { isServing }: KeepApartOptions,
  waitMsMax: readonly [number, number],
): [KeptApart, KeptApart] {
  const kinds = waitMsMax.map(() => ({ running: 0, onNone: new Set<() => void>() }));
  const keptApart = (own: number): KeptApart => {
    const [kind, other] = [kinds[own], kinds[1 - own]] as [Kind, Kind];
    return {
      async whenAlone() {
        if (other.running === 0 || !isServing()) return;
        await new Promise<void>((resolve) => {
          const end = () => {
            clearTimeout(timer);
            other.onNone.delete(end);
            resolve();
          };
          const timer = setTimeout(end, waitMsMax[own]);
          other.onNone.add(end);
        });
      },
      async run(work) {
        kind.running++;
        try {
          return await work();
        } finally {
          kind.running--;
          if (kind.running === 0) for (const end of [...kind.onNone]) end();
        }
      },
    };
  };
  return [keptApart(0), keptApart(1)];
}

interface Kind {
  running: number;
  onNone: Set<() => void>;
}
