import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { translatorOf } from '#messages';
import { termsParagraphs } from '#modules/checkout';
import { COMPANY, NO_DELIVERY_ADDRESS, PERSON, visit } from '#test/checkout';
import { useCheckout } from '#test/checkout-setup';
import { addOverdue, facilityOf, setFacilityStatus, setLimits } from '#test/credit';
import { recordedEvents } from '#test/stored';

const NOW = 1_800_000_000;
const DAY = 86_400;
const DONE = { kind: 'DONE' };
const STALE = { kind: 'STALE' };
const GONE = { kind: 'REFUSED', errors: [{ field: 'term', error: 'error.offer_gone' }] };

const setup = useCheckout();
beforeEach(() => setup.world.clock.set(NOW));

async function come(
  to: 'details' | 'review',
  term = 'DEFER_30D',
  order: Record<string, unknown> = {},
): Promise<void> {
  await setup.arrive(to, { term, order });
}

const orderOf = async (id = setup.drafted.id) => (await setup.world.get(`/v1/orders/${id}`)).body;
const eventsOf = async () => (await recordedEvents(setup.world, setup.drafted.id)).map(({ type }) => type);
const consents = () =>
  setup.world.sql<Record<string, unknown>>('select * from checkout_consents where order_external_id = $1', [
    setup.drafted.id,
  ]);

describe('placing the order', () => {
  it('confirms it with the chosen term at the instant of the click, with the buyer as actor', async () => {
    await come('review');
    setup.world.clock.set(NOW + 40 * 60);
    expect(await setup.visitor.placeOrder()).toEqual(DONE);
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
    expect(await facilityOf(setup.world, setup.drafted.buyer)).toMatchObject({ pending: 11_900 });
    const [transition] = await setup.world.sql(
      `select actor from order_transitions where order_external_id = $1 and trigger = 'complete_checkout'`,
      [setup.drafted.id],
    );
    expect(transition).toEqual({ actor: 'buyer' });
    expect(await setup.visitor.view()).toMatchObject({
      step: 'outcome',
      outcome: 'CONFIRMED',
      agreed: { payment_term: 'DEFER_30D', installments: [{ due_at: NOW + 40 * 60 + 30 * DAY }] },
      notifiedEmail: PERSON.email,
    });
  });

  it('stores the consent with the hash of its text', async () => {
    await come('review');
    await setup.visitor.send((forms, sender) => forms.chooseLanguage(sender, 'EN'));
    const { termsVersion } = await setup.visitor.view();
    await setup.visitor.placeOrder();
    const sentences = [
      termsVersion,
      `I’m ordering on behalf of ${COMPANY.legalName}, am authorised to do so, and agree to the payment terms.`,
      `These terms apply between your company and ${setup.world.platform.name} for this order. The goods or services are sold by Nordlicht Kaffeerösterei GmbH.`,
    ];
    const paragraphs = termsParagraphs(translatorOf('EN', 'NEUTRAL'), {
      platform: setup.world.platform.name,
      merchant: 'Nordlicht Kaffeerösterei GmbH',
      company: null,
    });
    expect(paragraphs[0]).toBe(sentences[2]);
    const text = [...sentences.slice(0, 2), ...paragraphs].join('\n');
    expect(await consents()).toEqual([
      {
        platform_id: setup.world.platform.platform_id,
        order_external_id: setup.drafted.id,
        consented_at: `${NOW}`,
        terms_version: termsVersion,
        language: 'EN',
        formality: 'NEUTRAL',
        terms_sha256: createHash('sha256').update(text).digest(),
        payment_term: 'DEFER_30D',
      },
    ]);
  });

  it('adds the person who ordered as a contact, once', async () => {
    await come('review');
    await setup.visitor.placeOrder();
    const { body } = await setup.world.get(`/v1/contacts?buyer_external_id=${setup.drafted.buyer}`);
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

  it('keeps the contact address of an order that has one', async () => {
    await come('review', 'PREPAYMENT', { contact_email: 'einkauf@nordlicht.example' });
    await setup.visitor.placeOrder();
    expect((await orderOf()).contact_email).toBe('einkauf@nordlicht.example');
    expect((await setup.visitor.view()).notifiedEmail).toBe('einkauf@nordlicht.example');
  });

  it('saves another delivery address, or none', async () => {
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
      await setup.visitor.send((forms, sender) =>
        forms.enterDetails(sender, { person: PERSON, delivery: { to, address } }),
      );
      await setup.visitor.choosePayment('PREPAYMENT');
      await setup.visitor.placeOrder();
      expect((await orderOf()).delivery_address).toEqual(expected);
    }
  });

  it('happens once for concurrent forms of several windows', async () => {
    await come('review');
    const { termsVersion } = await setup.visitor.view();
    const tab = await visit(setup.checkout, setup.drafted.token, setup.visitor.session());
    const senders = [setup.visitor.sender(), tab.sender()];
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        setup.checkout.forms.placeOrder(senders[nth % 2] ?? setup.visitor.sender(), {
          isGiven: true,
          termsVersion,
        }),
      ),
    );
    expect(sent).toEqual(sent.map(() => DONE));
    expect(await consents()).toHaveLength(1);
    expect(await eventsOf()).toEqual(['ORDER.CONFIRMED']);
    expect(await facilityOf(setup.world, setup.drafted.buyer)).toMatchObject({ pending: 11_900 });
    expect((await setup.world.get(`/v1/contacts?buyer_external_id=${setup.drafted.buyer}`)).body.total).toBe(
      1,
    );
  });

  it('reports the commit to the worker', async () => {
    await come('review');
    const commits = setup.checkout.commits();
    await setup.visitor.placeOrder();
    expect(setup.checkout.commits()).toBeGreaterThan(commits);
  });
});

describe('refused', () => {
  beforeEach(() => come('review'));
  afterEach(async () => {
    await setup.world.sql('update platforms set max_payment_term = default');
    expect(await orderOf()).toMatchObject({ status: 'DRAFT', contact_email: null });
    expect(await consents()).toEqual([]);
    expect((await setup.world.get(`/v1/contacts?buyer_external_id=${setup.drafted.buyer}`)).body.total).toBe(
      0,
    );
  });

  it('an order without consent', async () => {
    expect(await setup.visitor.placeOrder({ isGiven: false })).toEqual({
      kind: 'REFUSED',
      errors: [{ field: 'consent', error: 'error.consent' }],
    });
  });

  it.each(['', '2020-01-01'])('consent to another version of the terms: %j', async (termsVersion) => {
    expect(await setup.visitor.placeOrder({ termsVersion })).toEqual(STALE);
  });

  it('a stale page', async () => {
    const { termsVersion } = await setup.visitor.view();
    const sender = setup.visitor.sender();
    await setup.visitor.choosePayment('DEFER_14D');
    expect(await setup.checkout.forms.placeOrder(sender, { isGiven: true, termsVersion })).toEqual(STALE);
  });

  it('a page in a language that has been changed since', async () => {
    const { termsVersion } = await setup.visitor.view();
    const sender = setup.visitor.sender();
    await setup.visitor.send((forms, from) => forms.chooseLanguage(from, 'FR'));
    expect(await setup.checkout.forms.placeOrder(sender, { isGiven: true, termsVersion })).toEqual(STALE);
  });

  it('a form of another browser', async () => {
    const other = await visit(setup.checkout, setup.drafted.token);
    expect(await other.placeOrder()).toEqual(STALE);
  });

  const gone: [what: string, happens: () => Promise<unknown>][] = [
    ['the facility is frozen', () => setFacilityStatus(setup.world, setup.drafted.buyer, 'FROZEN')],
    ['an invoice is long overdue', () => addOverdue(setup.world, setup.drafted.buyer, 60, 90_000)],
    [
      'the platform no longer allows such a long term',
      () =>
        setup.world.sql('update platforms set max_payment_term = 14 where platform_id = $1', [
          setup.world.platform.platform_id,
        ]),
    ],
    ['the fee of the term has risen', () => setPrices(setup.drafted.buyer)],
  ];
  it.each(gone)('an offer that is gone: %s', async (_, happens) => {
    const { termsVersion } = await setup.visitor.view();
    const sender = setup.visitor.sender();
    await happens();
    expect(await setup.checkout.forms.placeOrder(sender, { isGiven: true, termsVersion })).toEqual(GONE);
    expect(await setup.visitor.view()).toMatchObject({ step: 'payment', choice: null });
    expect(await setup.visitor.choosePayment('PREPAYMENT')).toEqual(DONE);
    expect(await setup.visitor.view()).toMatchObject({ step: 'review' });
  });

  it('an offer that is gone: another order has taken what was available, and a higher limit needs the code', async () => {
    const { termsVersion } = await setup.visitor.view();
    const sender = setup.visitor.sender();
    const other = await setup.world.post('/v1/orders', {
      external_id: `${setup.drafted.id}-other`,
      buyer_external_id: setup.drafted.buyer,
      merchant_external_id: 'merchant',
      amount: { net: 19_000, gross: 19_000 },
      payment_method: 'TRANSFER',
      payment_term: 'DEFER_14D',
    });
    expect(other.status).toBe(201);
    expect(await setup.checkout.forms.placeOrder(sender, { isGiven: true, termsVersion })).toEqual(GONE);
    expect(await setup.visitor.view()).toMatchObject({ step: 'code', code: { purpose: 'APPLICATION' } });
    expect(await setup.visitor.send((forms, from) => forms.skipCode(from))).toEqual(DONE);
    expect(await setup.visitor.view()).toMatchObject({ step: 'payment', choice: null, credit: 'REFUSED' });
  });
});

/** Prices above the default for every term. */
function setPrices(buyer: string): Promise<void> {
  const dear = Object.fromEntries(['DEFER_14D', 'DEFER_30D'].map((term) => [term, 900]));
  const table = { tax_basis_points: 0, fee_basis_points: { A: dear, B: dear, C: dear, D: dear } };
  return setLimits(setup.world, { price_table: table }, buyer);
}
