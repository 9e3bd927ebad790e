import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  approveOverride,
  decideReview,
  listReviews,
  overrideRejection,
  proposeOverride,
} from '#modules/reviews';
import {
  type CheckoutWorld,
  createCheckout,
  type Drafted,
  PERSON,
  type Visitor,
  visit,
} from '#test/checkout';
import { mailsOf } from '#test/mails';
import { operate } from '#test/operator';
import { tablesHolding } from '#test/stored';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { answerReviews } from '../mails/answer-reviews.ts';

const NOW = 1_800_000_000;
const DONE = { kind: 'DONE' };
const reason = 'As I see it.';

let world: World;
let checkout: CheckoutWorld;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
let drafted: Drafted;
let visitor: Visitor;
let made = 0;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  checkout = await createCheckout(world);
  worker = await openWorkerProcess(world);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

/** A buyer that the policy has just refused. */
beforeEach(async () => {
  drafted = await checkout.draft({ buyer: { external_id: `cafe-${++made}-rejected` } });
  visitor = await visit(checkout, drafted.token);
  expect(await visitor.send((forms, sender) => forms.chooseLanguage(sender, 'DE'))).toEqual(DONE);
  await visitor.enterCompany();
  await visitor.enterDetails();
});

const request = (by = visitor) => by.send((forms, sender) => forms.requestReview(sender));
const refusal = async () => (await visitor.view()).refusal;
const reviews = async () =>
  (await operate(world, listReviews, { query: { buyer_external_id: [drafted.buyer] } })).items;
const mailsToBuyer = async (kind: string) =>
  (await mailsOf(world, { to: PERSON.email })).filter((mail) => mail.kind === kind);
const answered = async () => {
  await answerReviews(worker, 10);
  return (await mailsOf(world, { to: PERSON.email })).filter(({ cause }) => cause.startsWith('review/'));
};

describe('a refusal', () => {
  it('gives the reasons in words, on the page and in a mail with a link to it', async () => {
    expect(await visitor.view()).toMatchObject({
      step: 'payment',
      credit: 'REFUSED',
      refusal: { reasons: ['NOT_POSSIBLE_NOW'], review: 'POSSIBLE' },
    });
    const mail = (await mailsToBuyer('credit_refused')).at(-1);
    expect(mail).toMatchObject({ to: PERSON.email, cause: `checkout/${drafted.id}/refused/1` });
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(
      'Einen (höheren) Kreditrahmen können wir zurzeit nicht anbieten.',
    );
    const [, token] = /\/checkout\/([\w-]{48})/.exec(mail?.text ?? '') ?? [];
    expect(await checkout.orderOf(token as string)).toBe(drafted.id);
  });

  it('is explained only to a browser that may see the company', async () => {
    const stranger = await visit(checkout, drafted.token);
    expect((await stranger.view()).refusal).toBeNull();
    expect(await request(stranger)).toEqual({ kind: 'STALE' });
    expect(await reviews()).toEqual([]);
  });

  it('leaves prepayment', async () => {
    await visitor.choosePayment('PREPAYMENT');
    expect(await visitor.placeOrder()).toEqual(DONE);
    expect((await visitor.view()).outcome).toBe('CONFIRMED');
  });
});

describe('the button', () => {
  it('opens one review for a decision, however often it is clicked', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => request()));
    expect(results).toEqual(Array.from({ length: 6 }, () => DONE));
    expect(await reviews()).toMatchObject([{ status: 'OPEN', subject: 'FACILITY_CREATION' }]);
    expect(await refusal()).toEqual({ reasons: ['NOT_POSSIBLE_NOW'], review: 'ASKED' });
    expect(await request()).toEqual(DONE);
    expect(await reviews()).toHaveLength(1);
  });

  it('opens one review from two checkouts of the buyer', async () => {
    const second = await checkout.draft({ buyer: null, order: { buyer_external_id: drafted.buyer } });
    const other = await visit(checkout, second.token);
    await other.send((forms, sender) => forms.sendCode(sender));
    await other.confirm();
    await other.sendDetails();
    expect(await Promise.all([request(), request(other)])).toEqual([DONE, DONE]);
    expect(await reviews()).toHaveLength(1);
  });

  it('joins a review that an operator has opened', async () => {
    await operate(world, overrideRejection, {
      params: { buyer_external_id: drafted.buyer },
      body: { limit_amount: 70_000, reason },
    });
    expect(await request()).toEqual(DONE);
    expect(await reviews()).toMatchObject([{ status: 'AWAITING_APPROVAL' }]);
    expect((await refusal())?.review).toBe('ASKED');
  });

  it('stores the address of the answer sealed', async () => {
    await request();
    expect(await tablesHolding(world, [PERSON.email])).toEqual([]);
  });

  it('does nothing without a refusal', async () => {
    const accepted = await checkout.draft({ buyer: { external_id: `cafe-${++made}-accepted` } });
    const other = await visit(checkout, accepted.token);
    await other.enterCompany();
    await other.enterDetails();
    expect(await request(other)).toEqual({ kind: 'STALE' });
  });
});

describe('the answer', () => {
  const reviewId = async () => (await reviews())[0].review_id as string;

  it('is mailed once the review has ended, and not before', async () => {
    await request();
    const before = (await answered()).length;
    await operate(world, decideReview, {
      params: { review_id: await reviewId() },
      body: { outcome: 'REJECT', reason },
    });
    await Promise.all([answered(), answered()]);
    const mails = await answered();
    expect(mails).toHaveLength(before + 1);
    expect(mails.at(-1)).toMatchObject({ kind: 'review_refused', to: PERSON.email });
    expect(mails.at(-1)?.subject).toContain('Unsere Entscheidung bleibt bestehen');
    expect((await refusal())?.review).toBe('DECIDED');
    expect(await request()).toEqual(DONE);
    expect(await reviews()).toHaveLength(1);
  });

  it('of a granted limit leads back to the checkout', async () => {
    await request();
    const params = { review_id: await reviewId() };
    await operate(world, proposeOverride, { params, body: { limit_amount: 70_000, reason } });
    await operate(world, approveOverride, { params, body: { reason } }, 'jan');
    const mail = (await answered()).at(-1);
    expect(mail?.kind).toBe('review_granted');
    const [, token] = /\/checkout\/([\w-]{48})/.exec(mail?.text ?? '') ?? [];
    expect(await checkout.orderOf(token as string)).toBe(drafted.id);
    expect(await refusal()).toBeNull();
    const { body } = await world.get(`/v1/buyers/${drafted.buyer}/facility`);
    expect(body).toMatchObject({ status: 'ACTIVE', total_amount: 70_000 });
  });
});
