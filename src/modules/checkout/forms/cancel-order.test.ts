import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CheckoutWorld, createCheckout, type Drafted, type Visitor, visit } from '#test/checkout';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const DONE = { kind: 'DONE' };
const STALE = { kind: 'STALE' };

let world: World;
let checkout: CheckoutWorld;
let drafted: Drafted;
let visitor: Visitor;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  drafted = await checkout.draft();
  visitor = await visit(checkout, drafted.token);
});

const cancel = (by = visitor) => by.send((forms, sender) => forms.cancelOrder(sender));
const order = async () => (await world.get(`/v1/orders/${drafted.id}`)).body;

describe('cancelling the order', () => {
  it('cancels a draft once, with the buyer as actor', async () => {
    const commits = checkout.commits();
    expect((await visitor.view()).isCancellable).toBe(true);
    const sender = visitor.sender();
    const sent = await Promise.all(Array.from({ length: 10 }, () => checkout.forms.cancelOrder(sender)));
    expect(sent).toEqual(sent.map(() => DONE));
    expect(checkout.commits()).toBeGreaterThan(commits);
    expect(await order()).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'BUYER' });
    expect((await recordedEvents(world, drafted.id)).map(({ type }) => type)).toEqual(['ORDER.CANCELLED']);
    const [transition] = await world.sql(
      `select actor from order_transitions where trigger = 'cancel' and order_external_id = $1`,
      [drafted.id],
    );
    expect(transition).toEqual({ actor: 'buyer' });
    expect(await visitor.view()).toMatchObject({
      step: 'outcome',
      outcome: 'CANCELLED',
      isCancellable: false,
    });
  });

  it('refuses every form afterwards', async () => {
    await visitor.enterCompany();
    await cancel();
    expect(await visitor.enterDetails()).toEqual(STALE);
    expect(await visitor.choosePayment('PREPAYMENT')).toEqual(STALE);
    // The page shows the outcome.
    expect(await visitor.placeOrder()).toEqual(DONE);
    expect((await order()).status).toBe('CANCELLED');
  });

  it('is allowed only to browsers that see the progress, once there is any', async () => {
    await visitor.enterCompany();
    const other = await visit(checkout, drafted.token);
    expect((await other.view()).isCancellable).toBe(false);
    expect(await cancel(other)).toEqual(STALE);
    expect((await order()).status).toBe('DRAFT');
    expect(await cancel()).toEqual(DONE);
  });

  it('does not cancel a confirmed order', async () => {
    await visitor.enterCompany();
    await visitor.enterDetails();
    await visitor.choosePayment('PREPAYMENT');
    await visitor.placeOrder();
    expect((await visitor.view()).isCancellable).toBe(false);
    expect(await cancel()).toEqual(STALE);
    expect((await order()).status).toBe('CONFIRMED');
  });

  it('refuses a stale page', async () => {
    const sender = visitor.sender();
    await visitor.enterCompany();
    expect(await checkout.forms.cancelOrder(sender)).toEqual(STALE);
  });

  it('either cancels or confirms when both forms arrive at once', async () => {
    await visitor.enterCompany();
    await visitor.enterDetails();
    await visitor.choosePayment('PREPAYMENT');
    const { termsVersion } = await visitor.view();
    const sender = visitor.sender();
    await Promise.all([
      checkout.forms.cancelOrder(sender),
      checkout.forms.placeOrder(sender, { isGiven: true, termsVersion }),
      world.post(`/v1/orders/${drafted.id}/cancel`, {}),
    ]);
    const events = await recordedEvents(world, drafted.id);
    const { status } = await order();
    expect(events.at(-1)?.type).toBe(`ORDER.${status}`);
    // The platform may cancel an order that was confirmed first.
    expect(events.map(({ type }) => type)).toEqual(
      events.length === 2 ? ['ORDER.CONFIRMED', 'ORDER.CANCELLED'] : [`ORDER.${status}`],
    );
  });
});

describe('an order that ended outside the checkout', () => {
  const ends: [outcome: string, columns: string][] = [
    ['CANCELLED', `status = 'CANCELLED', cancellation_reason = 'MERCHANT'`],
    ['REFUSED', `status = 'CANCELLED', cancellation_reason = 'RISK'`],
    ['EXPIRED', `status = 'EXPIRED'`],
  ];
  it.each(ends)('shows %s', async (outcome, columns) => {
    await world.sql(`update orders set ${columns} where external_id = $1`, [drafted.id]);
    expect(await visitor.view()).toMatchObject({ step: 'outcome', outcome, isCancellable: false });
    expect(await checkout.forms.statusOf(drafted.token)).toMatchObject({ outcome });
    expect(await visitor.enterCompany()).toEqual(STALE);
  });
});
