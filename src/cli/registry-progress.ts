/** How far the import of a registry is, on standard error. */
import type { Clock } from '#infra/time/clock';
import type { ImportProgress } from '#modules/registry';

const LINES_PER_SECOND_ON_A_TERMINAL = 4;
const SECONDS_BETWEEN_LINES_ELSEWHERE = 30;

/** Prints progress: on a terminal one line that is overwritten, otherwise a new line every 30 seconds. */
export function progressLine(clock: Clock): { show(progress: ImportProgress): void; end(): void } {
  const { isTTY } = process.stderr;
  const pauseMs = isTTY ? 1_000 / LINES_PER_SECOND_ON_A_TERMINAL : SECONDS_BETWEEN_LINES_ELSEWHERE * 1_000;
  const rate = rateOf(clock);
  let shownMs = clock.elapsedMs();
  let isLineOpen = false;
  return {
    show(progress) {
      const perSecond = rate(progress);
      const isLast = isTTY && progress.phase === 'counting words';
      if (clock.elapsedMs() - shownMs < pauseMs && !isLast) return;
      shownMs = clock.elapsedMs();
      const parts = [
        `${Math.floor(progress.share * 100)} %`,
        `${shownCount(progress.recordsRead)} records`,
        `${shownCount(perSecond)}/s`,
        `${shownCount(progress.recordsRefused)} refused`,
        progress.phase,
      ];
      process.stderr.write(isTTY ? `\r\x1b[K${parts.join(' · ')}` : `${parts.join(' · ')}\n`);
      isLineOpen = isTTY;
    },
    end() {
      if (isLineOpen) process.stderr.write('\n');
      isLineOpen = false;
    },
  };
}

/** Records per second since the phase began. */
function rateOf(clock: Clock): (progress: ImportProgress) => number {
  let begun = { phase: '', records: 0, ms: 0 };
  let perSecond = 0;
  return ({ phase, recordsRead }) => {
    if (phase === 'counting words') return perSecond;
    if (phase !== begun.phase) begun = { phase, records: recordsRead, ms: clock.elapsedMs() };
    const seconds = (clock.elapsedMs() - begun.ms) / 1_000;
    perSecond = seconds > 0 ? Math.round((recordsRead - begun.records) / seconds) : 0;
    return perSecond;
  };
}

export const shownCount = (count: number) => count.toLocaleString('en');
