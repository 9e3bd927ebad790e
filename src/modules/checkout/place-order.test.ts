import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { speakerOf } from '#messages';
import { type Step, termsParagraphs } from '#modules/checkout';
import { buyerBody } from '#test/bodies';
import {
  type CheckoutWorld,
  COMPANY,
  createCheckout,
  type Drafted,
  NO_DELIVERY_ADDRESS,
  PERSON,
  type Visitor,
  visit,
} from '#test/checkout';
import {
  addOverdue,
  auditCredit,
  facilityOf,
  grantFacility,
  setFacilityStatus,
  setLimits,
} from '#test/credit';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;
const DAY = 86_400;
const DONE = { kind: 'DONE' };
const STALE = { kind: 'STALE' };
const GONE = { kind: 'REFUSED', errors: [{ field: 'term', error: 'error.offer_gone' }] };

let world: World;
let checkout: CheckoutWorld;
let drafted: Drafted;
let visitor: Visitor;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});
beforeEach(() => world.clock.set(NOW));

/** On credit: a buyer that was invited, and has a limit of 20,000 already. */
async function come(to: Step, term = 'DEFER_30D', order: Record<string, unknown> = {}): Promise<void> {
  drafted = await checkout.draft({ order });
  await grantFacility(world, { buyer: drafted.buyer, totalMinor: 20_000 });
  visitor = await visit(checkout, drafted.token);
  if (to === 'company') return;
  await visitor.enterCompany();
  if (to === 'details') return;
  await visitor.enterDetails();
  if (to === 'payment') return;
  expect(await visitor.choosePayment(term)).toEqual(DONE);
}

const orderOf = async (id = drafted.id) => (await world.get(`/v1/orders/${id}`)).body;
const eventsOf = async () => (await recordedEvents(world, drafted.id)).map(({ type }) => type);
const consents = () =>
  world.sql<Record<string, unknown>>('select * from checkout_consents where order_external_id = $1', [
    drafted.id,
  ]);

describe('placing the order', () => {
  it('confirms it with what was chosen, in the name of the buyer, from the instant of the click', async () => {
    await come('review');
    world.clock.set(NOW + 40 * 60);
    expect(await visitor.placeOrder()).toEqual(DONE);
    expect(await orderOf()).toMatchObject({
      status: 'CONFIRMED',
      ordered_at: NOW + 40 * 60,
      payment_method: 'TRANSFER',
      payment_term: 'DEFER_30D',
      contact_email: PERSON.email,
      delivery_address: {
        street: 'Kastanienallee',
        house: '85',
        postcode: '10435',
        city: 'Berlin',
        country: 'DE',
      },
    });
    expect(await facilityOf(world, drafted.buyer)).toMatchObject({ pending: 11_900 });
    const [move] = await world.sql(
      `select actor from order_moves where order_external_id = $1 and trigger = 'complete_checkout'`,
      [drafted.id],
    );
    expect(move).toEqual({ actor: 'buyer' });
    expect(await visitor.view()).toMatchObject({
      step: 'outcome',
      outcome: 'CONFIRMED',
      agreed: { payment_term: 'DEFER_30D', installments: [{ due_at: NOW + 40 * 60 + 30 * DAY }] },
      notifiedEmail: PERSON.email,
    });
  });

  it('keeps what was consented to, in which words', async () => {
    await come('review');
    await visitor.send((forms, sender) => forms.chooseLanguage(sender, 'EN'));
    const { termsVersion } = await visitor.view();
    await visitor.placeOrder();
    const sentences = [
      termsVersion,
      `I order on behalf of ${COMPANY.legalName}, which I may represent, and I agree to the payment terms.`,
      `These terms hold between your company and ${world.platform.name} for this order. The goods or services are sold by Nordlicht Kaffeerösterei GmbH.`,
    ];
    const paragraphs = termsParagraphs(speakerOf('EN', 'NEUTRAL'), {
      platform: world.platform.name,
      merchant: 'Nordlicht Kaffeerösterei GmbH',
      company: null,
    });
    expect(paragraphs[0]).toBe(sentences[2]);
    const text = [...sentences.slice(0, 2), ...paragraphs].join('\n');
    expect(await consents()).toEqual([
      {
        platform_id: world.platform.platform_id,
        order_external_id: drafted.id,
        consented_at: `${NOW}`,
        terms_version: termsVersion,
        language: 'EN',
        formality: 'NEUTRAL',
        terms_sha256: createHash('sha256').update(text).digest(),
        payment_term: 'DEFER_30D',
      },
    ]);
  });

  it('registers whoever ordered as a contact, once', async () => {
    await come('review');
    await visitor.placeOrder();
    const { body } = await world.get(`/v1/contacts?buyer_external_id=${drafted.buyer}`);
    expect(body.items).toMatchObject([
      {
        salutation: 'MS',
        first_name: 'Amina',
        last_name: 'Yilmaz',
        email: PERSON.email,
        phone: '+49301234567',
        assign_to_all_invoices: true,
      },
    ]);
  });

  it('leaves the address of an order that came with one', async () => {
    await come('review', 'PREPAYMENT', { contact_email: 'einkauf@nordlicht.example' });
    await visitor.placeOrder();
    expect((await orderOf()).contact_email).toBe('einkauf@nordlicht.example');
    expect((await visitor.view()).notifiedEmail).toBe('einkauf@nordlicht.example');
  });

  it('delivers to another address, or nowhere', async () => {
    const address = {
      ...NO_DELIVERY_ADDRESS,
      street: 'Am Hafen',
      postcode: '20457',
      city: 'Hamburg',
      country: 'DE',
    };
    for (const [to, expected] of [
      [
        'OTHER',
        {
          street: 'Am Hafen',
          house: null,
          postcode: '20457',
          city: 'Hamburg',
          country: 'DE',
          additional: null,
        },
      ],
      ['NOWHERE', null],
    ] as const) {
      await come('details');
      await visitor.send((forms, sender) =>
        forms.enterDetails(sender, { person: PERSON, delivery: { to, address } }),
      );
      await visitor.choosePayment('PREPAYMENT');
      await visitor.placeOrder();
      expect((await orderOf()).delivery_address).toEqual(expected);
    }
  });

  it('happens once, however often and from wherever it is sent at once', async () => {
    await come('review');
    const { termsVersion } = await visitor.view();
    const tab = await visit(checkout, drafted.token, visitor.session());
    const senders = [visitor.sender(), tab.sender()];
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        checkout.forms.placeOrder(senders[nth % 2] ?? visitor.sender(), { isGiven: true, termsVersion }),
      ),
    );
    expect(sent).toEqual(sent.map(() => DONE));
    expect(await consents()).toHaveLength(1);
    expect(await eventsOf()).toEqual(['ORDER.CONFIRMED']);
    expect(await facilityOf(world, drafted.buyer)).toMatchObject({ pending: 11_900 });
    expect((await world.get(`/v1/contacts?buyer_external_id=${drafted.buyer}`)).body.total).toBe(1);
  });

  it('tells who waits that something is due', async () => {
    await come('review');
    const commits = checkout.commits();
    await visitor.placeOrder();
    expect(checkout.commits()).toBeGreaterThan(commits);
  });
});

describe('what is refused', () => {
  beforeEach(() => come('review'));
  afterEach(async () => {
    await world.sql('update platforms set max_payment_term = default');
    expect(await orderOf()).toMatchObject({ status: 'DRAFT', contact_email: null });
    expect(await consents()).toEqual([]);
    expect((await world.get(`/v1/contacts?buyer_external_id=${drafted.buyer}`)).body.total).toBe(0);
  });

  it('is an order without consent', async () => {
    expect(await visitor.placeOrder({ isGiven: false })).toEqual({
      kind: 'REFUSED',
      errors: [{ field: 'consent', error: 'error.consent' }],
    });
  });

  it.each(['', '2020-01-01'])('is consent to other terms than those shown: %j', async (termsVersion) => {
    expect(await visitor.placeOrder({ termsVersion })).toEqual(STALE);
  });

  it('is an older page', async () => {
    const { termsVersion } = await visitor.view();
    const sender = visitor.sender();
    await visitor.choosePayment('DEFER_14D');
    expect(await checkout.forms.placeOrder(sender, { isGiven: true, termsVersion })).toEqual(STALE);
  });

  it('is what somebody else sends', async () => {
    const other = await visit(checkout, drafted.token);
    expect(await other.placeOrder()).toEqual(STALE);
  });

  const gone: [what: string, happens: () => Promise<unknown>][] = [
    ['the facility is frozen', () => setFacilityStatus(world, drafted.buyer, 'FROZEN')],
    ['an invoice is long overdue', () => addOverdue(world, drafted.buyer, 60, 90_000)],
    [
      'another order has taken what was available',
      async () => {
        const sent = await world.post('/v1/orders', {
          external_id: `${drafted.id}-other`,
          buyer_external_id: drafted.buyer,
          merchant_external_id: 'merchant',
          amount: { net: 19_000, gross: 19_000 },
          payment_method: 'TRANSFER',
          payment_term: 'DEFER_14D',
        });
        expect(sent.status).toBe(201);
      },
    ],
    [
      'the platform allows no terms as long',
      () =>
        world.sql('update platforms set max_payment_term = 14 where platform_id = $1', [
          world.platform.platform_id,
        ]),
    ],
    ['the term has become dearer', () => setPrices(world, drafted.buyer)],
  ];
  it.each(gone)('is an offer that is gone: %s', async (_, happens) => {
    const { termsVersion } = await visitor.view();
    const sender = visitor.sender();
    await happens();
    expect(await checkout.forms.placeOrder(sender, { isGiven: true, termsVersion })).toEqual(GONE);
    expect(await visitor.view()).toMatchObject({ step: 'payment', choice: null });
    expect(await visitor.choosePayment('PREPAYMENT')).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'review' });
  });
});

describe('choosing how to pay', () => {
  it('shows what is offered, at which price, and why no other', async () => {
    await come('payment');
    const view = await visitor.view();
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

  it.each(['', 'LATER', 'constructor'])('refuses what is no term: %j', async (term) => {
    await come('payment');
    expect(await visitor.choosePayment(term)).toEqual({
      kind: 'REFUSED',
      errors: [{ field: 'term', error: 'error.choose' }],
    });
  });

  it('refuses a term that is not offered', async () => {
    await come('payment');
    await setFacilityStatus(world, drafted.buyer, 'FROZEN');
    expect(await visitor.choosePayment('DEFER_30D')).toEqual(GONE);
    expect(await visitor.view()).toMatchObject({
      credit: 'REFUSED',
      offers: [{ payment_term: 'PREPAYMENT' }],
      unavailable: expect.arrayContaining([{ term: 'DEFER_30D', reason: 'FACILITY_FROZEN' }]),
    });
  });

  it('may be changed until the order is placed', async () => {
    await come('review', 'DEFER_14D');
    expect(await visitor.choosePayment('SPLIT_3M')).toEqual(DONE);
    await visitor.placeOrder();
    expect((await orderOf()).payment_term).toBe('SPLIT_3M');
    expect(await visitor.choosePayment('DEFER_14D')).toEqual(STALE);
  });

  it('offers no credit to who a script of the sandbox refuses', async () => {
    drafted = await checkout.draft({ order: { contact_email: 'rejected@morgenrot.example' } });
    await grantFacility(world, { buyer: drafted.buyer, totalMinor: 20_000 });
    visitor = await visit(checkout, drafted.token);
    await visitor.enterCompany();
    await visitor.enterDetails();
    expect(await visitor.view()).toMatchObject({
      credit: 'REFUSED',
      offers: [{ payment_term: 'PREPAYMENT' }],
      unavailable: expect.arrayContaining([{ term: 'DEFER_30D', reason: 'RISK' }]),
    });
    await visitor.choosePayment('PREPAYMENT');
    expect(await visitor.placeOrder()).toEqual(DONE);
    expect((await visitor.view()).outcome).toBe('CONFIRMED');
  });

  it('leaves an order to a person where an invoice is a little late', async () => {
    await come('payment');
    await addOverdue(world, drafted.buyer, 8, 5_000);
    await visitor.choosePayment('DEFER_30D');
    expect(await visitor.placeOrder()).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({
      step: 'outcome',
      outcome: 'UNDER_REVIEW',
      isCancellable: true,
    });
    expect(await visitor.send((forms, sender) => forms.cancelOrder(sender))).toEqual(DONE);
    expect(await orderOf()).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'BUYER' });
    expect(await facilityOf(world, drafted.buyer)).toMatchObject({ pending: 0 });
    const [review] = await world.sql('select status from credit_reviews where order_external_id = $1', [
      drafted.id,
    ]);
    expect(review).toEqual({ status: 'WITHDRAWN' });
  });
});

describe('a returning buyer', () => {
  it('pays in three clicks: code, payment, order', async () => {
    const id = `returning-${Date.now()}`;
    await world.post('/v1/buyers', buyerBody({ external_id: id, contact_email: 'ada@morgenrot.example' }));
    await world.post('/v1/contacts', {
      external_id: `contact-of-${id}`,
      buyer_external_id: id,
      first_name: 'Ada',
      last_name: 'Baum',
      email: 'ada@morgenrot.example',
    });
    await grantFacility(world, { buyer: id, totalMinor: 20_000 });
    drafted = await checkout.draft({ buyer: null, order: { buyer_external_id: id } });
    visitor = await visit(checkout, drafted.token);
    await visitor.send((forms, sender) => forms.sendCode(sender));
    const [mail] = await checkout.codes(drafted.id);
    await visitor.send((forms, sender) => forms.enterCode(sender, mail?.code ?? ''));
    expect(await visitor.view()).toMatchObject({
      step: 'payment',
      companyName: 'Café Morgenrot eG',
      person: { firstName: 'Ada', lastName: 'Baum', email: 'ada@morgenrot.example', phone: '' },
      isPersonOnFile: true,
      delivery: { to: 'COMPANY' },
    });
    await visitor.choosePayment('DEFER_14D');
    expect(await visitor.placeOrder()).toEqual(DONE);
    expect(await orderOf()).toMatchObject({
      status: 'CONFIRMED',
      contact_email: 'ada@morgenrot.example',
      delivery_address: { postcode: '10435' },
    });
    expect((await world.get(`/v1/contacts?buyer_external_id=${id}`)).body.total).toBe(1);
  });
});

/** A table in which every term costs more than in the default one. */
function setPrices(of: World, buyer: string): Promise<void> {
  const dear = Object.fromEntries(['DEFER_14D', 'DEFER_30D'].map((term) => [term, 900]));
  const table = { tax_basis_points: 0, fee_basis_points: { A: dear, B: dear, C: dear, D: dear } };
  return setLimits(of, { price_table: JSON.stringify(table) }, buyer);
}
