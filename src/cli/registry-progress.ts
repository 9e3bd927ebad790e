/** The progress of a registry import, on standard error. */
import type { Clock } from '#infra/time/clock';
import type { ImportProgress } from '#modules/registry';
import { progressWriter, shownCount } from './terminal-progress.ts';

/** Prints the progress of an import. */
export function progressLine(clock: Clock): { show(progress: ImportProgress): void; end(): void } {
  const writer = progressWriter(clock);
  const rate = rateOf(clock);
  return {
    show(progress) {
      const parts = [
        `${Math.floor(progress.share * 100)} %`,
        `${shownCount(progress.recordsRead)} records`,
        `${shownCount(rate(progress))}/s`,
        `${shownCount(progress.recordsRefused)} refused`,
        progress.phase,
      ];
      writer.show(parts, progress.phase === 'counting words');
    },
    end: () => writer.end(),
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
