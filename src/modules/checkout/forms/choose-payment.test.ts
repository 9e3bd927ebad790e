import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { useCheckout } from '#test/checkout-setup';
import { addOverdue, facilityOf, grantFacility, setFacilityStatus } from '#test/credit';

const NOW = 1_800_000_000;
const DAY = 86_400;
const DONE = { kind: 'DONE' };
const STALE = { kind: 'STALE' };
const GONE = { kind: 'REFUSED', errors: [{ field: 'term', error: 'error.offer_gone' }] };

const setup = useCheckout();
beforeEach(() => setup.world.clock.set(NOW));

async function come(to: 'payment' | 'review', term?: string): Promise<void> {
  await setup.arrive(to, { ...(term !== undefined && { term }) });
}

const orderOf = async () => (await setup.world.get(`/v1/orders/${setup.drafted.id}`)).body;

describe('choosing the payment term', () => {
  it('shows the offers with fees, and the reasons for the other terms', async () => {
    await come('payment');
    const view = await setup.visitor.view();
    expect(view.credit).toBe('OFFERED');
    expect(view.offers[0]).toMatchObject({ payment_term: 'PREPAYMENT', fee: { gross: 0 } });
    expect(view.offers.find((offer) => offer.payment_term === 'DEFER_30D')).toMatchObject({
      // 0.75 % of 119.00.
      fee: { gross: 89 },
      installments: [{ due_at: NOW + 30 * DAY, amount: { value: 11_900, currency: 'EUR' } }],
    });
    const terms = [
      ...view.offers.map((offer) => offer.payment_term),
      ...view.unavailable.map(({ term }) => term),
    ];
    expect(new Set(terms).size).toBe(13);
  });

  it.each(['', 'LATER', 'constructor'])('refuses an invalid term: %j', async (term) => {
    await come('payment');
    expect(await setup.visitor.choosePayment(term)).toEqual({
      kind: 'REFUSED',
      errors: [{ field: 'term', error: 'error.choose' }],
    });
  });

  it('refuses a term that is not offered', async () => {
    await come('payment');
    await setFacilityStatus(setup.world, setup.drafted.buyer, 'FROZEN');
    expect(await setup.visitor.choosePayment('DEFER_30D')).toEqual(GONE);
    expect(await setup.visitor.view()).toMatchObject({
      credit: 'REFUSED',
      offers: [{ payment_term: 'PREPAYMENT' }],
      unavailable: expect.arrayContaining([{ term: 'DEFER_30D', reason: 'FACILITY_FROZEN' }]),
    });
  });

  it('may be changed until the order is placed', async () => {
    await come('review', 'DEFER_14D');
    expect(await setup.visitor.choosePayment('SPLIT_3M')).toEqual(DONE);
    await setup.visitor.placeOrder();
    expect((await orderOf()).payment_term).toBe('SPLIT_3M');
    expect(await setup.visitor.choosePayment('DEFER_14D')).toEqual(STALE);
  });

  it('offers no credit to a buyer whom a sandbox script rejects', async () => {
    await setup.come({ order: { contact_email: 'rejected@morgenrot.example' } });
    await grantFacility(setup.world, { buyer: setup.drafted.buyer, totalMinor: 20_000 });
    await setup.visitor.enterCompany();
    await setup.visitor.enterDetails();
    expect(await setup.visitor.view()).toMatchObject({
      credit: 'REFUSED',
      offers: [{ payment_term: 'PREPAYMENT' }],
      unavailable: expect.arrayContaining([{ term: 'DEFER_30D', reason: 'RISK' }]),
    });
    await setup.visitor.choosePayment('PREPAYMENT');
    expect(await setup.visitor.placeOrder()).toEqual(DONE);
    expect((await setup.visitor.view()).outcome).toBe('CONFIRMED');
  });

  it('sends the order to review if an invoice is slightly overdue', async () => {
    await come('payment');
    await addOverdue(setup.world, setup.drafted.buyer, 8, 5_000);
    await setup.visitor.choosePayment('DEFER_30D');
    expect(await setup.visitor.placeOrder()).toEqual(DONE);
    expect(await setup.visitor.view()).toMatchObject({
      step: 'outcome',
      outcome: 'UNDER_REVIEW',
      isCancellable: true,
    });
    expect(await setup.visitor.send((forms, sender) => forms.cancelOrder(sender))).toEqual(DONE);
    expect(await orderOf()).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'BUYER' });
    expect(await facilityOf(setup.world, setup.drafted.buyer)).toMatchObject({ pending: 0 });
    const [review] = await setup.world.sql('select status from credit_reviews where order_external_id = $1', [
      setup.drafted.id,
    ]);
    expect(review).toEqual({ status: 'WITHDRAWN' });
  });
});

describe('a returning buyer', () => {
  it('pays in three clicks: code, payment, order', async () => {
    const id = `returning-${randomUUID()}`;
    await setup.world.post(
      '/v1/buyers',
      buyerBody({ external_id: id, contact_email: 'ada@morgenrot.example' }),
    );
    await setup.world.post('/v1/contacts', {
      external_id: `contact-of-${id}`,
      buyer_external_id: id,
      first_name: 'Ada',
      last_name: 'Baum',
      email: 'ada@morgenrot.example',
    });
    await grantFacility(setup.world, { buyer: id, totalMinor: 20_000 });
    await setup.come({ buyer: null, order: { buyer_external_id: id } });
    await setup.visitor.send((forms, sender) => forms.sendCode(sender));
    const [mail] = await setup.checkout.codes(setup.drafted.id);
    await setup.visitor.send((forms, sender) => forms.enterCode(sender, mail?.code ?? ''));
    expect(await setup.visitor.view()).toMatchObject({
      step: 'payment',
      companyName: 'Café Morgenrot eG',
      person: { firstName: 'Ada', lastName: 'Baum', email: 'ada@morgenrot.example', phone: '' },
      isPersonOnFile: true,
      delivery: { to: 'COMPANY' },
    });
    await setup.visitor.choosePayment('DEFER_14D');
    expect(await setup.visitor.placeOrder()).toEqual(DONE);
    expect(await orderOf()).toMatchObject({
      status: 'CONFIRMED',
      contact_email: 'ada@morgenrot.example',
      delivery_address: { postcode: '10435' },
    });
    expect((await setup.world.get(`/v1/contacts?buyer_external_id=${id}`)).body.total).toBe(1);
  });
});
