import { beforeEach, describe, expect, it } from 'vitest';
import { visit } from '#test/checkout';
import { useCheckout } from '#test/checkout-setup';
import { recordedEvents } from '#test/stored';

const DONE = { kind: 'DONE' };
const STALE = { kind: 'STALE' };

const setup = useCheckout({ isAudited: false });
beforeEach(() => setup.come());

const cancel = (by = setup.visitor) => by.send((forms, sender) => forms.cancelOrder(sender));
const order = async () => (await setup.world.get(`/v1/orders/${setup.drafted.id}`)).body;

describe('cancelling the order', () => {
  it('cancels a draft once, with the buyer as actor', async () => {
    const commits = setup.checkout.commits();
    expect((await setup.visitor.view()).isCancellable).toBe(true);
    const sender = setup.visitor.sender();
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => setup.checkout.forms.cancelOrder(sender)),
    );
    expect(sent).toEqual(sent.map(() => DONE));
    expect(setup.checkout.commits()).toBeGreaterThan(commits);
    expect(await order()).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'BUYER' });
    expect((await recordedEvents(setup.world, setup.drafted.id)).map(({ type }) => type)).toEqual([
      'ORDER.CANCELLED',
    ]);
    const [transition] = await setup.world.sql(
      `select actor from order_transitions where trigger = 'cancel' and order_external_id = $1`,
      [setup.drafted.id],
    );
    expect(transition).toEqual({ actor: 'buyer' });
    expect(await setup.visitor.view()).toMatchObject({
      step: 'outcome',
      outcome: 'CANCELLED',
      isCancellable: false,
    });
  });

  it('refuses every form afterwards', async () => {
    await setup.visitor.enterCompany();
    await cancel();
    expect(await setup.visitor.enterDetails()).toEqual(STALE);
    expect(await setup.visitor.choosePayment('PREPAYMENT')).toEqual(STALE);
    // The page shows the outcome.
    expect(await setup.visitor.placeOrder()).toEqual(DONE);
    expect((await order()).status).toBe('CANCELLED');
  });

  it('is allowed only to browsers that see the progress, once there is any', async () => {
    await setup.visitor.enterCompany();
    const other = await visit(setup.checkout, setup.drafted.token);
    expect((await other.view()).isCancellable).toBe(false);
    expect(await cancel(other)).toEqual(STALE);
    expect((await order()).status).toBe('DRAFT');
    expect(await cancel()).toEqual(DONE);
  });

  it('does not cancel a confirmed order', async () => {
    await setup.visitor.enterCompany();
    await setup.visitor.enterDetails();
    await setup.visitor.choosePayment('PREPAYMENT');
    await setup.visitor.placeOrder();
    expect((await setup.visitor.view()).isCancellable).toBe(false);
    expect(await cancel()).toEqual(STALE);
    expect((await order()).status).toBe('CONFIRMED');
  });

  it('refuses a stale page', async () => {
    const sender = setup.visitor.sender();
    await setup.visitor.enterCompany();
    expect(await setup.checkout.forms.cancelOrder(sender)).toEqual(STALE);
  });

  it('either cancels or confirms when both forms arrive at once', async () => {
    await setup.visitor.enterCompany();
    await setup.visitor.enterDetails();
    await setup.visitor.choosePayment('PREPAYMENT');
    const { termsVersion } = await setup.visitor.view();
    const sender = setup.visitor.sender();
    await Promise.all([
      setup.checkout.forms.cancelOrder(sender),
      setup.checkout.forms.placeOrder(sender, { isGiven: true, termsVersion }),
      setup.world.post(`/v1/orders/${setup.drafted.id}/cancel`, {}),
    ]);
    const events = await recordedEvents(setup.world, setup.drafted.id);
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
    await setup.world.sql(`update orders set ${columns} where external_id = $1`, [setup.drafted.id]);
    expect(await setup.visitor.view()).toMatchObject({ step: 'outcome', outcome, isCancellable: false });
    expect(await setup.checkout.forms.statusOf(setup.drafted.token)).toMatchObject({ outcome });
    expect(await setup.visitor.enterCompany()).toEqual(STALE);
  });
});
