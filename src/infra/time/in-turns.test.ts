import { describe, expect, it } from 'vitest';
import { mapInTurns } from './in-turns.ts';

describe('items that are mapped in turns', () => {
  it('come in their order, and let others have a turn after eight of them', async () => {
    const done: (number | string)[] = [];
    const other = () => done.push('other');
    setImmediate(other);
    const mapped = await mapInTurns(
      Array.from({ length: 10 }, (_, nth) => nth),
      async (item, nth) => {
        done.push(item);
        return item + nth;
      },
    );
    expect(mapped).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 'other', 8, 9]);
  });
});
