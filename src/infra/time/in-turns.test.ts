import { describe, expect, it } from 'vitest';
import { mapInTurns } from './in-turns.ts';

describe('items that are mapped in turns', () => {
  it('come in their order, and let others have a turn after each', async () => {
    const done: (number | string)[] = [];
    const other = () => done.push('other');
    setImmediate(other);
    const mapped = await mapInTurns([0, 1, 2], async (item, nth) => {
      done.push(item);
      return item + nth;
    });
    expect(mapped).toEqual([0, 2, 4]);
    expect(done).toEqual([0, 'other', 1, 2]);
  });

  it('give way before each but the first', async () => {
    const done: (number | string)[] = [];
    const giveWay = async () => void done.push('gave way');
    await mapInTurns([0, 1, 2], (item) => done.push(item), giveWay);
    expect(done).toEqual([0, 'gave way', 1, 'gave way', 2]);
  });
});
