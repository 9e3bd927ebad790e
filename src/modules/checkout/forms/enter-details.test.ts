import { beforeEach, describe, expect, it } from 'vitest';
import type { RiskSource } from '#kernel/risk-source';
import { RiskSourceFailed } from '#modules/underwriting';
import { type CheckoutWorld, createCheckout, NO_DELIVERY_ADDRESS, PERSON, visit } from '#test/checkout';
import { useCheckout } from '#test/checkout-setup';
import { grantFacility } from '#test/credit';
import { recordedEvents } from '#test/stored';
import type { FormResult } from '../state/checkout.view.ts';

const NOW = 1_800_000_000;
const DAY = 86_400;
const DONE = { kind: 'DONE' };
const CREDIT_DECIDED = { kind: 'CREDIT_DECIDED' };
const UNAVAILABLE = { kind: 'REFUSED', errors: [{ field: null, error: 'error.check_unavailable' }] };

/** An external risk source, whose answers each test sets. */
let requested = 0;
let answer: () => Promise<number | null> = async () => 90;
const risk: RiskSource = {
  name: 'AGENCY',
  async assess(_, now) {
    requested++;
    return { score: await answer(), data: {}, at: now };
  },
};

const setup = useCheckout({ risk });
beforeEach(async () => {
  setup.world.clock.set(NOW);
  answer = async () => 90;
  await come();
  requested = 0;
});

async function come(options: Parameters<CheckoutWorld['draft']>[0] = {}) {
  await setup.come(options);
  await setup.visitor.enterCompany();
}

/** A form after the decision finds no credit request due. */
function expectDecided(sent: FormResult[]) {
  expect(sent).toContainEqual(CREDIT_DECIDED);
  for (const each of sent) expect([CREDIT_DECIDED, DONE]).toContainEqual(each);
}

/** The mailed code, entered in each of these processes at the same time. */
async function enterCodeAtOnce(processes: CheckoutWorld[]): Promise<FormResult[]> {
  const sent = await setup.checkout.codes(setup.drafted.id);
  const code = sent.at(-1)?.code ?? '';
  return Promise.all(processes.map(({ forms }) => forms.enterCode(setup.visitor.sender(), code)));
}

const facility = async () => (await setup.world.get(`/v1/buyers/${setup.drafted.buyer}/facility`)).body;
const named = (local: string) => ({ person: { email: `${local}@morgenrot.example` } });

describe('entering the details', () => {
  it('completes the buyer and requests its credit, with the buyer as actor', async () => {
    const commits = setup.checkout.commits();
    expect(await setup.visitor.enterDetails(named('accepted'))).toEqual(CREDIT_DECIDED);
    expect(setup.checkout.commits()).toBeGreaterThan(commits);
    expect((await recordedEvents(setup.world, setup.drafted.buyer)).map(({ type }) => type)).toEqual([
      'BUYER.CREATED',
      'BUYER.UPDATED',
      'FACILITY.CREATION.ACCEPTED',
    ]);
    expect((await setup.world.get(`/v1/buyers/${setup.drafted.buyer}`)).body).toMatchObject({
      legal_name: 'Café Morgenrot eG',
      legal_form: 'COOPERATIVE',
      business_identifiers: [{ type: 'VAT_ID', value: 'DE811907980', country: 'DE' }],
      contact_email: 'einkauf@morgenrot.example',
      registry: null,
    });
    expect(await facility()).toMatchObject({ status: 'ACTIVE', currency: 'EUR', total_amount: 1_000_000 });
    const [transition] = await setup.world.sql(
      'select actor from facility_transitions where buyer_external_id = $1',
      [setup.drafted.buyer],
    );
    expect(transition).toEqual({ actor: 'buyer' });
    const view = await setup.visitor.view();
    expect(view).toMatchObject({ step: 'payment', credit: 'OFFERED' });
    expect(view.offers.length).toBeGreaterThan(1);
  });

  it('offers only prepayment to a rejected buyer, with the reason', async () => {
    expect(await setup.visitor.enterDetails(named('rejected'))).toEqual(CREDIT_DECIDED);
    expect(await facility()).toMatchObject({ status: 'REJECTED' });
    expect(await setup.visitor.view()).toMatchObject({
      step: 'payment',
      credit: 'REFUSED',
      offers: [{ payment_term: 'PREPAYMENT' }],
    });
    await setup.visitor.choosePayment('PREPAYMENT');
    expect(await setup.visitor.placeOrder()).toEqual(DONE);
    expect((await setup.visitor.view()).outcome).toBe('CONFIRMED');
  });

  it('lets a rejected buyer request credit again after a day', async () => {
    await setup.visitor.enterDetails(named('rejected'));
    requested = 0;
    setup.world.clock.set(NOW + DAY - 1);
    expect(await setup.visitor.enterDetails(named('accepted'))).toEqual(DONE);
    expect(requested).toBe(0);
    expect((await setup.visitor.view()).credit).toBe('REFUSED');
    setup.world.clock.set(NOW + DAY);
    expect(await setup.visitor.enterDetails(named('accepted'))).toEqual(CREDIT_DECIDED);
    expect(requested).toBe(1);
    expect((await setup.visitor.view()).credit).toBe('OFFERED');
  });

  it.each(['ACTIVE', 'FROZEN', 'EXPIRED', 'PENDING'] as const)(
    'requests nothing for a buyer whose facility is %s',
    async (status) => {
      await grantFacility(setup.world, { buyer: setup.drafted.buyer, totalMinor: 20_000, status });
      expect(await setup.visitor.enterDetails()).toEqual(DONE);
      expect(requested).toBe(0);
      expect((await setup.visitor.view()).step).toBe('payment');
    },
  );

  it('requests nothing while there are errors, and returns all of them', async () => {
    const sent = await setup.visitor.enterDetails({
      person: { firstName: '', email: 'x', phone: '1' },
      to: 'MOON',
    });
    expect(sent).toMatchObject({
      kind: 'REFUSED',
      errors: [{ field: 'firstName' }, { field: 'email' }, { field: 'phone' }, { field: 'delivery.to' }],
    });
    expect(requested).toBe(0);
    expect((await setup.visitor.view()).person).toBeNull();
    expect((await setup.world.get(`/v1/buyers/${setup.drafted.buyer}`)).body.legal_name).toBeNull();
  });

  it('can be corrected later, without a new request', async () => {
    await setup.visitor.enterDetails();
    expect(await setup.visitor.enterDetails({ person: { lastName: 'Demir' }, to: 'NOWHERE' })).toEqual(DONE);
    expect(requested).toBe(1);
    expect(await setup.visitor.view()).toMatchObject({
      person: { ...PERSON, lastName: 'Demir', phone: '+49301234567' },
      delivery: { to: 'NOWHERE' },
    });
  });
});

describe('a credit request without a decision', () => {
  beforeEach(() => {
    answer = () => Promise.reject(new RiskSourceFailed('TIMEOUT'));
  });

  it('is shown as an error, and the buyer may pay in advance or try again', async () => {
    expect(await setup.visitor.enterDetails()).toEqual(UNAVAILABLE);
    expect(await setup.visitor.view()).toMatchObject({
      step: 'payment',
      person: { email: PERSON.email },
      credit: 'OFFERED',
      offers: [{ payment_term: 'PREPAYMENT' }],
    });
    answer = async () => 90;
    expect(await setup.visitor.enterDetails()).toEqual(CREDIT_DECIDED);
    expect((await setup.visitor.view()).offers.length).toBeGreaterThan(1);
  });

  it('does not prevent prepayment', async () => {
    await setup.visitor.enterDetails();
    await setup.visitor.view();
    expect(await setup.visitor.choosePayment('PREPAYMENT')).toEqual(DONE);
    expect(await setup.visitor.placeOrder()).toEqual(DONE);
  });

  it('goes to review if the installation is configured so', async () => {
    const referring = await createCheckout(setup.world, { risk, onRiskFailure: 'refer' });
    const again = await visit(referring, setup.drafted.token, setup.visitor.session());
    expect(await again.enterDetails()).toEqual(CREDIT_DECIDED);
    expect(await facility()).toMatchObject({ status: 'PENDING' });
  });
});

describe('during the request to the risk source', () => {
  it('no transaction is open, and the details are saved', async () => {
    let open: unknown[] = [];
    answer = async () => {
      open = await setup.world.sql(
        `select mode from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.relation = 'checkouts'::regclass`,
      );
      const tab = await visit(setup.checkout, setup.drafted.token, setup.visitor.session());
      expect(await tab.view()).toMatchObject({ step: 'details', person: { email: PERSON.email } });
      return 90;
    };
    expect(await setup.visitor.enterDetails()).toEqual(CREDIT_DECIDED);
    expect([requested, open]).toEqual([1, []]);
  });

  it('a crash loses nothing: the next visit continues from the open page', async () => {
    answer = () => Promise.reject(new Error('killed'));
    await expect(setup.visitor.enterDetails()).rejects.toThrow('killed');
    answer = async () => 90;
    const next = await visit(setup.checkout, setup.drafted.token, setup.visitor.session());
    expect(await next.view()).toMatchObject({ step: 'details', person: { lastName: 'Yilmaz' } });
    expect(await setup.visitor.enterDetails()).toEqual(CREDIT_DECIDED);
    expect((await setup.visitor.view()).step).toBe('payment');
  });

  it('concurrent forms share one request and open one facility', async () => {
    const sender = setup.visitor.sender();
    const details = { person: PERSON, delivery: { to: 'COMPANY', address: NO_DELIVERY_ADDRESS } };
    const saved = await Promise.all(
      Array.from({ length: 10 }, () => setup.checkout.forms.enterDetails(sender, details)),
    );
    for (const each of saved) expect(each).toEqual(DONE);
    expectDecided(await enterCodeAtOnce(Array.from({ length: 10 }, () => setup.checkout)));
    const types = (await recordedEvents(setup.world, setup.drafted.buyer)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('FACILITY'))).toHaveLength(1);
    expect(types.filter((type) => type === 'BUYER.UPDATED')).toHaveLength(1);
    expect(requested).toBe(1);
  });

  it('two processes open one facility', async () => {
    const elsewhere = await createCheckout(setup.world, { risk });
    await setup.visitor.sendDetails();
    expectDecided(await enterCodeAtOnce([setup.checkout, elsewhere]));
    const types = (await recordedEvents(setup.world, setup.drafted.buyer)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('FACILITY'))).toHaveLength(1);
  });
});
