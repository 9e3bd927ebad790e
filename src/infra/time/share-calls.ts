export interface SharedCalls {
  call(): void;
  stop(): void;
}

/** Runs `work` immediately at the first call. Calls within the next `ms` share one run at the end of that time. */
export function shareCalls(work: () => void, ms: number): SharedCalls {
  let resting: NodeJS.Timeout | undefined;
  let isCalled = false;
  const run = () => {
    isCalled = false;
    resting = setTimeout(() => {
      resting = undefined;
      if (isCalled) run();
    }, ms);
    work();
  };
  return {
    call() {
      if (resting) isCalled = true;
      else run();
    },
    stop: () => clearTimeout(resting),
  };
}
