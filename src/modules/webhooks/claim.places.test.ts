import { describe, expect, it } from 'vitest';
import { choose, type CandidateGroup as Group, many } from '#test/delivery-candidates';
import { type Choice, DELIVERY_SLOTS, EXAMINED_MAX } from './claim.rules.ts';

describe('A claim keeps the last quarter of the places', () => {
  /** Two platforms with 32 attempts under way each, and 16 deliveries that lack only a place. */
  const twoBusy = [1, 2].flatMap((platform) =>
    many(16, { platform, running: 2, due: 1, dueAt: 2 }, `busy-${platform}-`),
  );
  const calm: Group = { of: 'calm', platform: 3, due: 3, dueAt: 90 };
  const countOf = (placesFree: number, groups: Group[]) => choose(groups, { placesFree }).chosen.length;

  it.each<[number, number, string]>([
    [200, 32, 'nothing where many are free'],
    [64 + 20, 20, 'from platforms with many attempts under way'],
    [64 + 1, 1, 'to the last one that any platform may take'],
    [64, 0, 'where no others are free'],
    [10, 0, 'where some of them are taken'],
  ])('of %s free ones gives away %s: %s', (placesFree, expected) => {
    expect(countOf(placesFree, twoBusy)).toBe(expected);
  });

  it('for platforms with few attempts under way, which come first', () => {
    const ofCalm = ({ chosen }: Choice) => chosen.filter(({ platform_id }) => platform_id === 3).length;
    for (const placesFree of [70, 64, 3]) {
      const choice = choose([...twoBusy, calm], { placesFree });
      expect([placesFree, choice.chosen.length, ofCalm(choice)]).toEqual([
        placesFree,
        Math.max(placesFree - DELIVERY_SLOTS.kept, 3),
        3,
      ]);
    }
  });

  it('up to 16 attempts of a platform', () => {
    const groups = many(10, { platform: 1, running: 1, due: 2 });
    expect(countOf(64, groups)).toBe(6);
  });

  it('and holds what lacks no more than a place only where it fills the view', () => {
    const lacking = many(EXAMINED_MAX / 4, { platform: 1, running: 2, due: 2 });
    const withoutAny = choose(lacking, { placesFree: 64, slots: { perPlatform: 1_000 } });
    expect(withoutAny.chosen).toEqual([]);
    expect(withoutAny.withoutSlot).toEqual([]);
    const fillingTheView = many(EXAMINED_MAX / 2, { platform: 1, running: 2, due: 2 });
    const full = choose(fillingTheView, { placesFree: 64, slots: { perPlatform: 1_000 } });
    expect(full.withoutSlot).toHaveLength(EXAMINED_MAX);
    expect(full.hasMore).toBe(true);
  });

  it('and holds nothing that lacks a place while attempts end and make room', () => {
    const groups = many(EXAMINED_MAX / 2, { platform: 1, running: 2, due: 2 });
    const choice = choose(groups, { placesFree: 64 + 8, slots: { perPlatform: 1_000 } });
    expect([choice.chosen.length, choice.withoutSlot.length]).toEqual([8, 0]);
    const slower = choose(groups, { placesFree: 64 + 7, slots: { perPlatform: 1_000 } });
    expect([slower.chosen.length, slower.withoutSlot.length]).toEqual([7, EXAMINED_MAX - 7]);
  });
});
