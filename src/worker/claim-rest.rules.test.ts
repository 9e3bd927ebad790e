import { describe, expect, it } from 'vitest';
import { claimRestMs } from './claim-rest.rules.ts';

const fresh = { isServing: true, roomRestMsMax: 10, restedMs: 0 };

describe('A queue in which more is due rests before its next claim', () => {
  it.each([
    ['not at all with room, in an idle process', { slotsFree: 256, turnMs: 0 }, 0],
    ['not at all with an eighth of its slots free', { slotsFree: 32, turnMs: 0 }, 0],
    ['for more room with fewer', { slotsFree: 31, turnMs: 0 }, 10],
    ['for more room with none', { slotsFree: 0, turnMs: 0 }, 10],
    ['not at all after short turns of the event loop', { slotsFree: 256, turnMs: 5 }, 0],
    ['twice as long as a long turn', { slotsFree: 256, turnMs: 8 }, 16],
    ['not at all after a long turn without a request', { slotsFree: 256, turnMs: 8, isServing: false }, 0],
    ['for what is longer of both', { slotsFree: 0, turnMs: 8 }, 16],
    ['no longer than 50 ms, however busy the process is', { slotsFree: 0, turnMs: 10_000 }, 50],
    ['only once for requests', { slotsFree: 256, turnMs: 8, restedMs: 16 }, 0],
    ['again while there is no room', { slotsFree: 31, turnMs: 8, restedMs: 16, roomRestMsMax: 50 }, 10],
    ['no longer than its jobs can wait', { slotsFree: 31, turnMs: 0, restedMs: 46, roomRestMsMax: 50 }, 4],
    ['no more when they have waited', { slotsFree: 0, turnMs: 0, restedMs: 10 }, 0],
  ])('%s', (_, load, restMs) => {
    expect(claimRestMs({ ...fresh, ...load, slotsMax: 256 })).toBe(restMs);
  });

  it.each([
    ['for more room with less than half of a few slots free', { slotsFree: 3, slotsMax: 7 }, 10],
    ['not at all with more of them free', { slotsFree: 4, slotsMax: 7 }, 0],
    ['for more room with fewer than four of thirty free', { slotsFree: 3, slotsMax: 30 }, 10],
    ['not at all with one of two free', { slotsFree: 1, slotsMax: 2 }, 0],
  ])('%s', (_, load, restMs) => {
    expect(claimRestMs({ ...fresh, turnMs: 0, ...load })).toBe(restMs);
  });
});
