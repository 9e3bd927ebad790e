/** Shows progress: one line that is overwritten in a terminal, one line per step elsewhere. */
export interface ProgressLine extends Disposable {
  show(sentence: string): void;
}

export function progressLine(name: string): ProgressLine {
  const isTerminal = process.stderr.isTTY;
  return {
    show(sentence) {
      process.stderr.write(isTerminal ? `\r\x1b[K${name}: ${sentence}` : `${name}: ${sentence}\n`);
    },
    [Symbol.dispose]() {
      if (isTerminal) process.stderr.write('\r\x1b[K');
    },
  };
}
