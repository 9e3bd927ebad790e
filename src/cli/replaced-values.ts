/** Values in copied rows that differ in the target database. */
import { Transform } from 'node:stream';

/** For each column, the values to replace, in the form in which they are in a line. */
export type ReplacedValues = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Bytes in the form in which they are in a line. */
export const bytesInLine = (bytes: Buffer) => `\\\\x${bytes.toString('hex')}`;

/** Passes lines through with replaced values; null if none of the columns has values to replace. */
export function replacingValues(columns: readonly string[], replaced: ReplacedValues): Transform | null {
  const affected = columns.flatMap((name, nth) => {
    const values = replaced.get(name);
    return values === undefined || values.size === 0 ? [] : [{ nth, values }];
  });
  if (affected.length === 0) return null;
  const lineOf = (line: string) => {
    const values = line.split('\t');
    for (const { nth, values: others } of affected) {
      const value = values[nth] ?? '';
      values[nth] = others.get(value) ?? value;
    }
    return values.join('\t');
  };
  // Kept as bytes, because a character can begin in one chunk and end in the next.
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const all = Buffer.concat([rest, chunk]);
      const end = all.lastIndexOf('\n') + 1;
      rest = all.subarray(end);
      const lines = all.subarray(0, end).toString().split('\n').slice(0, -1);
      done(null, lines.map((line) => `${lineOf(line)}\n`).join(''));
    },
    flush(done) {
      done(null, rest);
    },
  });
}
