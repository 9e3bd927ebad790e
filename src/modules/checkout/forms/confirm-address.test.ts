import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RiskSource } from '#kernel/risk-source';
import { RiskSourceFailed } from '#modules/underwriting';
import { buyerBody } from '#test/bodies';
import {
  type CheckoutWorld,
  createCheckout,
  type Drafted,
  PERSON,
  type Visitor,
  visit,
} from '#test/checkout';
import { registeredCompany } from '#test/registered-company';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;
const DONE = { kind: 'DONE' };
const CREDIT_DECIDED = { kind: 'CREDIT_DECIDED' };
const EXPIRED = { kind: 'REFUSED', errors: [{ field: 'code', error: 'error.code_expired' }] };

let world: World;
let checkout: CheckoutWorld;
let drafted: Drafted;
let visitor: Visitor;
let requested = 0;
let answer: () => Promise<number> = async () => 90;
/** An external risk source, whose answers each test sets. */
const risk: RiskSource = {
  name: 'AGENCY',
  async assess(_, now) {
    requested++;
    return { score: await answer(), data: {}, at: now };
  },
};
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  checkout = await createCheckout(world, { risk });
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  answer = async () => 90;
  requested = 0;
  await come();
});

/** A browser at the details of a new draft. */
async function come(draft: Parameters<CheckoutWorld['draft']>[0] = {}): Promise<void> {
  drafted = await checkout.draft(draft);
  visitor = await visit(checkout, drafted.token);
  await visitor.enterCompany();
}

const enter = (code: string, by = visitor) => by.send((forms, sender) => forms.enterCode(sender, code));
const skip = (by = visitor) => by.send((forms, sender) => forms.skipCode(sender));
const sent = (id = drafted.id) => checkout.codes(id);
const lastCode = async (id = drafted.id) => (await sent(id)).at(-1)?.code as string;
const decisionsOf = (buyer = drafted.buyer) =>
  world.sql<{ proof: string; sources: { name: string; data: object }[] }>(
    `select inputs ->> 'applicant_proof' as proof, sources from credit_decisions
    where buyer_external_id = $1 order by decided_at`,
    [buyer],
  );
const proofs = async (buyer?: string) => (await decisionsOf(buyer)).map(({ proof }) => proof);
/** With a phone number that needs no country: a browser that may not see the company has none. */
const withEmail = (email: string) => ({ person: { email, phone: '+49 30 1234567' } });

describe('a person who applies for credit', () => {
  it('is mailed a code at once, and nothing is decided before it is entered', async () => {
    expect(await visitor.sendDetails()).toEqual(DONE);
    const view = await visitor.view();
    expect(view).toMatchObject({
      step: 'code',
      steps: ['company', 'details', 'code', 'payment', 'review', 'outcome'],
      code: { purpose: 'APPLICATION', email: PERSON.email, isSent: true, againInSeconds: 30 },
    });
    const [mail] = await sent();
    expect(mail).toMatchObject({ to: PERSON.email, kind: 'checkout_code' });
    expect(mail?.text).toMatch(/no one\s+can get credit in your company’s name/);
    expect([requested, await decisionsOf()]).toEqual([0, []]);
  });

  it('gets the decision with the code, and the step stays among those done', async () => {
    await visitor.sendDetails();
    expect(await visitor.confirm()).toEqual(CREDIT_DECIDED);
    expect(await visitor.view()).toMatchObject({
      step: 'payment',
      steps: ['company', 'details', 'code', 'payment', 'review', 'outcome'],
      code: null,
    });
    expect(await proofs()).toEqual(['CONFIRMED_ADDRESS']);
  });

  it('gets one decision for a code entered many times at once', async () => {
    await visitor.sendDetails();
    const code = await lastCode();
    const results = await Promise.all(Array.from({ length: 8 }, () => enter(code)));
    for (const result of results) expect(['CREDIT_DECIDED', 'DONE']).toContain(result.kind);
    expect([requested, await proofs()]).toEqual([1, ['CONFIRMED_ADDRESS']]);
  });

  it('may correct the address, whose own code is needed then', async () => {
    await visitor.sendDetails(withEmail('amina@morgenrto.example'));
    const wrongMailbox = await lastCode();
    expect(await visitor.sendDetails()).toEqual(DONE);
    expect(await sent()).toMatchObject([{ to: 'amina@morgenrto.example' }, { to: PERSON.email }]);
    if (wrongMailbox !== (await lastCode()))
      expect(await enter(wrongMailbox)).toMatchObject({ errors: [{ error: 'error.code_wrong' }] });
    expect(await visitor.confirm()).toEqual(CREDIT_DECIDED);
  });

  it('cannot use the code of a former address, also once it is the last one sent', async () => {
    await visitor.sendDetails();
    await visitor.sendDetails(withEmail('other@morgenrot.example'));
    const code = await lastCode();
    // Back to the first address, for which only an older code exists.
    const back = await visitor.send((forms, sender) =>
      forms.enterDetails(sender, { person: PERSON, delivery: { to: 'NOWHERE', address: NOWHERE } }),
    );
    expect(back).toEqual(DONE);
    expect(await sent()).toHaveLength(3);
    if (code !== (await lastCode())) expect((await enter(code)).kind).toBe('REFUSED');
    expect(await decisionsOf()).toEqual([]);
  });

  it('opens no other checkout with the code, and no other browser', async () => {
    await visitor.sendDetails();
    const code = await lastCode();
    const elsewhere = await checkout.draft();
    const other = await visit(checkout, elsewhere.token);
    await other.enterCompany();
    await other.sendDetails();
    if (code !== (await lastCode(elsewhere.id))) expect((await enter(code, other)).kind).toBe('REFUSED');
    expect(await decisionsOf(elsewhere.buyer)).toEqual([]);

    const stranger = await visit(checkout, drafted.token);
    expect((await stranger.view()).code).toMatchObject({ purpose: 'FILE', isSent: false });
    expect(await enter(code, stranger)).toEqual(EXPIRED);
    expect(await decisionsOf()).toEqual([]);
  });

  it('asks for a new code after ten minutes', async () => {
    await visitor.sendDetails();
    world.clock.set(NOW + 600);
    expect(await enter(await lastCode())).toEqual(EXPIRED);
    await visitor.send((forms, sender) => forms.sendCode(sender));
    expect(await visitor.confirm()).toEqual(CREDIT_DECIDED);
  });

  it('tries again without another code where no decision could be made', async () => {
    answer = async () => {
      throw new RiskSourceFailed('TIMEOUT');
    };
    await visitor.sendDetails();
    expect(await visitor.confirm()).toMatchObject({ errors: [{ error: 'error.check_unavailable' }] });
    expect((await visitor.view()).step).toBe('payment');
    answer = async () => 90;
    expect(await visitor.sendDetails()).toEqual(CREDIT_DECIDED);
    expect(await sent()).toHaveLength(1);
  });
});

describe('without a code', () => {
  it('only ways to pay without credit are offered, and nothing is decided', async () => {
    await visitor.sendDetails();
    expect(await skip()).toEqual(DONE);
    const view = await visitor.view();
    expect(view).toMatchObject({ step: 'payment', code: null });
    expect(view.offers.map(({ payment_term }) => payment_term)).toEqual(['PREPAYMENT']);
    expect(await decisionsOf()).toEqual([]);
    await visitor.choosePayment('PREPAYMENT');
    expect(await visitor.placeOrder()).toEqual(DONE);
    expect((await visitor.view()).outcome).toBe('CONFIRMED');
  });

  it('nobody gets credit by the API for the company that the person named, until somebody vouches', async () => {
    const company = { legalName: 'Skip Handel GmbH', legalForm: 'LIMITED_COMPANY' as const };
    const { legalName: legal_name, legalForm: legal_form } = company;
    const { business_identifiers } = await registeredCompany(
      world,
      buyerBody({ external_id: 'skip', legal_name, legal_form }),
      { website: 'https://skip.example' },
    );
    drafted = await checkout.draft({ buyer: { contact_email: 'kim@skip.example' } });
    visitor = await visit(checkout, drafted.token);
    await visitor.enterCompany({
      ...company,
      street: 'Skipweg',
      vatId: '',
      registerId: business_identifiers[0]?.value ?? '',
    });
    await visitor.sendDetails();
    await skip();
    await visitor.choosePayment('PREPAYMENT');
    expect(await visitor.placeOrder()).toEqual(DONE);
    const { status, body } = await world.post(`/v1/buyers/${drafted.buyer}/facility`, {});
    expect([status, body.status]).toEqual([202, 'PENDING']);
    const [decision] = await world.sql<{ reasons: string[] }>(
      'select reasons from credit_decisions where buyer_external_id = $1',
      [drafted.buyer],
    );
    expect([decision?.reasons[0], await proofs()]).toEqual(['APPLICANT_UNPROVEN', ['UNPROVEN']]);
  });

  it('the person may still apply, with the details once more', async () => {
    await visitor.sendDetails();
    await skip();
    expect(await visitor.sendDetails()).toEqual(DONE);
    expect((await visitor.view()).step).toBe('code');
    expect(await visitor.confirm()).toEqual(CREDIT_DECIDED);
  });

  it('a skip changes nothing before the details', async () => {
    expect(await skip()).toEqual(DONE);
    expect((await visitor.view()).step).toBe('details');
  });
});

describe('a buyer that the platform vouches for', () => {
  const order = { vouched_by: 'key-account-team' };

  it('needs no proof of its own, and the decision names who vouches, since when, and the API key', async () => {
    const { external_id: _, ...company } = buyerBody({});
    drafted = await checkout.draft({ buyer: company, order });
    visitor = await visit(checkout, drafted.token);
    // This code opens only the stored details: it is not the proof of the applicant.
    await visitor.send((forms, sender) => forms.sendCode(sender));
    await visitor.confirm();
    expect(await visitor.sendDetails(withEmail('someone@else.example'))).toEqual(CREDIT_DECIDED);
    const [decision] = await decisionsOf();
    expect(decision?.proof).toBe('VOUCHED');
    expect(decision?.sources).toContainEqual({
      name: 'VOUCHED',
      at: NOW,
      data: { by: 'key-account-team', actor: expect.stringMatching(/^api_key:/) },
    });
  });

  it('needs one for a company that it names itself', async () => {
    await come({ order });
    expect(await visitor.sendDetails()).toEqual(DONE);
    expect((await visitor.view()).step).toBe('code');
    expect(await sent()).toHaveLength(1);
    await visitor.confirm();
    expect(
      (await decisionsOf()).map(({ proof, sources }) => [
        proof,
        sources.map(({ name }) => name).includes('VOUCHED'),
      ]),
    ).toEqual([['CONFIRMED_ADDRESS', false]]);
  });
});

const NOWHERE = { street: '', house: '', postcode: '', city: '', country: '', additional: '' };
