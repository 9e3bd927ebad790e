/** The progress of a long command, on standard error. */
import type { Clock } from '#infra/time/clock';

const LINES_PER_SECOND_ON_A_TERMINAL = 4;
const SECONDS_BETWEEN_LINES_ELSEWHERE = 30;

/** On a terminal, prints one line that is overwritten; otherwise a new line every 30 seconds. */
export function progressWriter(clock: Clock): {
  show(parts: readonly string[], isLast?: boolean): void;
  end(): void;
} {
  const { isTTY } = process.stderr;
  const pauseMs = isTTY ? 1_000 / LINES_PER_SECOND_ON_A_TERMINAL : SECONDS_BETWEEN_LINES_ELSEWHERE * 1_000;
  let shownMs = clock.elapsedMs();
  let isLineOpen = false;
  return {
    show(parts, isLast = false) {
      if (clock.elapsedMs() - shownMs < pauseMs && !(isTTY && isLast)) return;
      shownMs = clock.elapsedMs();
      process.stderr.write(isTTY ? `\r\x1b[K${parts.join(' · ')}` : `${parts.join(' · ')}\n`);
      isLineOpen = isTTY;
    },
    end() {
      if (isLineOpen) process.stderr.write('\n');
      isLineOpen = false;
    },
  };
}

export const shownCount = (count: number) => count.toLocaleString('en');
