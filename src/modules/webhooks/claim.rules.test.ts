import { describe, expect, it } from 'vitest';
import { choose, countsOf, type CandidateGroup as Group, many } from '#test/delivery-candidates';
import { EXAMINED_MAX, HELD_FROM } from './claim.rules.ts';

describe('The choice of deliveries', () => {
  it.each<[string, Group[], Record<string, number>]>([
    ['four of a subscription that answered', [{ of: 'a', due: 6 }], { a: 4 }],
    ['four of one whose last attempt failed', [{ of: 'a', outcome: 'FAILED', due: 6 }], { a: 4 }],
    ['four of one that answered late', [{ of: 'a', outcome: 'SLOW', due: 6 }], { a: 4 }],
    ['one of a subscription that hung', [{ of: 'a', outcome: 'TIMEOUT', due: 6 }], { a: 1 }],
    ['one of a subscription that is new', [{ of: 'a', outcome: null, due: 6 }], { a: 1 }],
    ['what its attempts under way leave', [{ of: 'a', due: 6, running: 3 }], { a: 1 }],
    ['none where all its slots are taken', [{ of: 'a', due: 6, running: 4 }], {}],
    ['none of a disabled subscription', [{ of: 'a', status: 'DISABLED', due: 1 }], {}],
    ['three of what is recovered', [{ of: 'a', recovered: 6 }], { a: 3 }],
    ['what is recovered behind live events', [{ of: 'a', due: 2, recovered: 6 }], { a: 3 }],
    ['the next of what is held', [{ of: 'a', held: 3 }], { a: 3 }],
  ])('takes %s', (_, groups, expected) => {
    expect(countsOf(choose(groups).chosen)).toEqual(expected);
  });

  it.each<[string, Group[], object, Record<string, number>]>([
    [
      'an origin, whoever subscribed it',
      [
        { of: 'a', platform: 1, origin: 'https://one', due: 2, dueAt: 20 },
        { of: 'b', platform: 2, origin: 'https://one', due: 2, dueAt: 10 },
        { of: 'c', platform: 2, origin: 'https://two', due: 1, dueAt: 30 },
      ],
      { perOrigin: 3 },
      { a: 1, b: 2, c: 1 },
    ],
    [
      'an origin with attempts of a disabled subscription under way',
      [
        { of: 'a', origin: 'https://one', status: 'DISABLED', running: 2 },
        { of: 'b', origin: 'https://one', due: 3 },
      ],
      { perOrigin: 3 },
      { b: 1 },
    ],
    [
      'a platform',
      [
        { of: 'a', platform: 1, due: 3, running: 1, dueAt: 10 },
        { of: 'b', platform: 1, due: 3, dueAt: 11.5 },
        { of: 'c', platform: 2, due: 1, dueAt: 90 },
      ],
      { perPlatform: 4 },
      { a: 2, b: 1, c: 1 },
    ],
    [
      'receivers that fail, in turn by platform',
      [
        { of: 'a', platform: 1, outcome: 'FAILED', due: 4, dueAt: 10 },
        { of: 'b', platform: 2, outcome: 'FAILED', due: 4, dueAt: 50 },
        { of: 'c', platform: 2, due: 1, dueAt: 90 },
      ],
      { unproven: 4, unprovenPerPlatform: 3 },
      { a: 2, b: 2, c: 1 },
    ],
    [
      'receivers that fail on one platform',
      [
        { of: 'a', outcome: 'FAILED', due: 4, dueAt: 10 },
        { of: 'b', outcome: 'TIMEOUT', due: 4, dueAt: 5 },
      ],
      { unprovenPerPlatform: 3 },
      { a: 2, b: 1 },
    ],
    [
      'receivers that are slow and those that fail, apart from those that answer soon',
      [
        { of: 'a', outcome: 'SLOW', due: 4, dueAt: 10 },
        { of: 'b', outcome: 'FAILED', due: 4, dueAt: 20 },
        { of: 'c', due: 4, dueAt: 90 },
      ],
      { unproven: 5 },
      { a: 4, b: 1, c: 4 },
    ],
    [
      'receivers that are slow on one platform',
      [{ of: 'a', outcome: 'SLOW', due: 4, running: 2 }],
      { unprovenPerPlatform: 3 },
      { a: 1 },
    ],
    [
      'receivers that are new, apart from those that fail',
      [
        { of: 'a', outcome: null, running: 1 },
        { of: 'b', outcome: null, due: 1, dueAt: 10 },
        { of: 'c', outcome: null, due: 1, dueAt: 20 },
        { of: 'd', outcome: 'FAILED', due: 2, dueAt: 30 },
      ],
      { unproven: 2 },
      { b: 1, d: 2 },
    ],
  ])('shares the slots of %s', (_, groups, slots, expected) => {
    expect(countsOf(choose(groups, { slots }).chosen)).toEqual(expected);
  });

  it('gives what one gate leaves out no slot at the next', () => {
    // Two deliveries of a and b, which share an origin: the others take none of the three slots of the platform.
    const groups: Group[] = [
      { of: 'a', due: 4, dueAt: 10 },
      { of: 'b', origin: 'https://a', due: 1, dueAt: 5 },
      { of: 'c', due: 3, dueAt: 50 },
    ];
    expect(countsOf(choose(groups, { slots: { perOrigin: 2, perPlatform: 3 } }).chosen)).toEqual({
      ...{ a: 1, b: 1, c: 1 },
    });
  });

  it('takes platforms in turn, and of each the longest due first', () => {
    const { chosen } = choose(
      [
        { of: 'a', platform: 1, due: 3, dueAt: 10 },
        { of: 'b', platform: 2, due: 2, dueAt: 90 },
        { of: 'c', platform: 3, due: 2, dueAt: 1, running: 2 },
      ],
      { batchSizeMax: 5 },
    );
    expect(chosen.map(({ subscription_id, due_at }) => `${subscription_id}${due_at}`)).toEqual([
      ...['a10', 'b90', 'a11', 'b91', 'c1'],
    ]);
  });

  const FEW = HELD_FROM - 1;
  it.each<[string, Group[], number | undefined, Record<string, number>]>([
    ['nothing of few', [{ of: 'a', due: FEW }], undefined, {}],
    ['what waits for its subscription', [{ of: 'a', due: HELD_FROM }], undefined, { a: HELD_FROM - 4 }],
    ['nothing where the batch is full', [{ of: 'a', due: HELD_FROM }], 4, {}],
    [
      'what is due for a disabled subscription',
      [
        { of: 'a', due: FEW, status: 'DISABLED' },
        { of: 'b', due: 1 },
      ],
      undefined,
      { a: FEW },
    ],
    [
      'receivers that fail or are new, and not those that answer, without a slot of another kind',
      [
        ...many(40, { outcome: 'FAILED', due: 1 }, 'bad'),
        ...many(40, { outcome: null, due: 1 }, 'new'),
        ...many(20, { due: 1, running: 3, origin: 'https://one' }, 'good'),
      ],
      undefined,
      Object.fromEntries(
        ['bad', 'new'].flatMap((name) =>
          many(40, {}, name)
            .slice(16)
            .map(({ of }) => [of, 1]),
        ),
      ),
    ],
    [
      'all that has none of a full view',
      [
        { of: 'busy', running: 4, origin: 'https://one' },
        ...many(EXAMINED_MAX, { due: 1, origin: 'https://one' }),
      ],
      undefined,
      Object.fromEntries(
        many(EXAMINED_MAX, {})
          .slice(60)
          .map(({ of }) => [of, 1]),
      ),
    ],
    ['what is held already no more', [{ of: 'a', due: HELD_FROM, held: 4 }], undefined, { a: HELD_FROM - 4 }],
  ])('holds %s', (_, groups, batchSizeMax, expected) => {
    expect(countsOf(choose(groups, batchSizeMax === undefined ? {} : { batchSizeMax }).withoutSlot)).toEqual(
      expected,
    );
  });

  it('of a full view holds what waits for its subscription where those with a slot of theirs do not fill the batch', () => {
    const groups = [{ of: 'busy', due: EXAMINED_MAX - 10 }, ...many(10, { due: 1, dueAt: 1 })];
    expect(countsOf(choose(groups, { batchSizeMax: 14 }).withoutSlot)).toEqual({});
    expect(countsOf(choose(groups, { batchSizeMax: 15 }).withoutSlot)).toEqual({ busy: EXAMINED_MAX - 14 });
  });

  it.each([
    ['a full view', many(EXAMINED_MAX, { status: 'DISABLED', due: 1 }), true],
    ['a view that is not full', many(EXAMINED_MAX - 1, { status: 'DISABLED', due: 1 }), false],
    ['what is held, beside a view that is not full', [{ of: 'a', due: EXAMINED_MAX - 1, held: 3 }], false],
    ['a full claim', [1, 2].flatMap((platform) => many(32, { platform, due: 2 }, `p${platform}-`)), true],
  ] satisfies [string, Group[], boolean][])('says of %s whether more may be due', (_, groups, expected) => {
    expect(choose(groups).hasMore).toBe(expected);
  });
});
