import { describe, expect, it } from 'vitest';
import { cursorPageOf } from '#operation/list';
import { addOrdinaryBuyer, recorded } from '#test/credit-applications';
import { OPENED_AT, reviewSetup } from '#test/credit-reviews';
import { findDueScriptedReviews, listReviewRows } from './review.queries.ts';

const DAY = 86_400;

const setup = reviewSetup();
const { db, decide, propose } = setup;

describe('the list of reviews', () => {
  it('begins with the open ones, the oldest first, and is of one platform', async () => {
    const { platform, apiKey } = await setup.world.addPlatform();
    const elsewhere = { ...setup.world, platform };
    await addOrdinaryBuyer(setup.world, 'listed', {}, { key: apiKey });
    const open = async (at: number) => {
      setup.world.clock.set(at);
      const { reviewId } = await recorded(elsewhere, 'listed', { script: 'in-review' });
      return reviewId as string;
    };
    const [third, first, second, decided] = [
      await open(OPENED_AT + 3),
      await open(OPENED_AT + 1),
      await open(OPENED_AT + 2),
      await open(OPENED_AT),
    ];
    setup.world.clock.set(OPENED_AT);
    const id = platform.platform_id;
    await decide(decided, { outcome: 'REJECT', platformId: id });
    await propose(first, 9_000_000, { platformId: id });
    const vault = setup.world.installation.vault.forPlatform(platform.code, platform.data_key_wrapped);
    const list = (filter: Parameters<typeof listReviewRows>[1], page: object = {}) =>
      listReviewRows({ db: db(), platformId: id, vault }, filter, cursorPageOf(page));
    const ids = async (...[filter, page]: Parameters<typeof list>) =>
      (await list(filter, page)).rows.map(({ review_id }) => review_id);
    expect(await ids({})).toEqual([second, third, first, decided]);
    expect(await ids({ status: ['AWAITING_APPROVAL', 'DECIDED'] })).toEqual([first, decided]);
    expect(await ids({ buyer_external_id: ['listed'], subject: ['FACILITY_CREATION'] })).toHaveLength(4);
    expect(await ids({ buyer_external_id: ['nobody'] })).toEqual([]);
    expect(await ids({ order_external_id: ['nobody'] })).toEqual([]);
    expect(await ids({}, { limit: 2, offset: 1 })).toEqual([third, first]);
    const page = await list({}, { limit: 1 });
    expect(page.listed.total).toBe(4);
    expect(await ids({}, { after: page.listed.next })).toEqual([third, first, decided]);
    expect(await ids({ status: [] })).toEqual([]);
  });
});

describe('scripted reviews', () => {
  it('are due a day later, in order, while they are open', async () => {
    const open = async (script: 'review-then-accept' | 'review-then-reject', at: number) => {
      setup.world.clock.set(at);
      return (await recorded(setup.world, setup.buyer, { script })).reviewId as string;
    };
    const later = await open('review-then-reject', OPENED_AT + 10);
    const sooner = await open('review-then-accept', OPENED_AT + 5);
    const touched = await open('review-then-accept', OPENED_AT + 1);
    setup.world.clock.set(OPENED_AT);
    await propose(touched);
    const due = async (until: number) =>
      (await findDueScriptedReviews(db(), setup.platformId, until, 9)).map(({ review_id }) => review_id);
    expect(await due(OPENED_AT + DAY + 4)).toEqual([]);
    expect(await due(OPENED_AT + DAY + 5)).toEqual([sooner]);
    expect(await due(OPENED_AT + DAY + 10)).toEqual([sooner, later]);
    const [first, ...more] = await findDueScriptedReviews(db(), setup.platformId, OPENED_AT + DAY + 10, 1);
    expect(more).toEqual([]);
    const outcome = first?.scripted_outcome ?? 'REJECT';
    const { review } = await decide(sooner, { outcome, actor: 'sandbox script', now: OPENED_AT + DAY + 5 });
    expect(review).toMatchObject({ outcome: 'ACCEPT', decided_limit_minor: 3_000_000 });
    expect(await due(OPENED_AT + DAY + 10)).toEqual([later]);
  });
});
