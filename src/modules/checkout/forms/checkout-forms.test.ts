import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckoutWorld, createCheckout, visit } from '#test/checkout';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { loadDemoRegistry } from '../../../cli/demo.ts';

const DONE = { kind: 'DONE' };

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

describe('a new company, typed by hand', () => {
  it('goes from the first visit to a confirmed order', async () => {
    const { id, buyer, token } = await checkout.draft();
    const visitor = await visit(checkout, token);
    expect(await visitor.view()).toMatchObject({
      step: 'company',
      steps: ['company', 'details', 'code', 'payment', 'review', 'outcome'],
      version: 1,
      code: null,
      company: null,
      outcome: null,
    });
    expect(await visitor.enterCompany()).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'details', companyName: 'Café Morgenrot eG' });
    expect(await visitor.sendDetails()).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'code', code: { isSent: true } });
    expect(await visitor.confirm()).toEqual({ kind: 'CREDIT_DECIDED' });
    expect(await visitor.view()).toMatchObject({
      step: 'payment',
      steps: ['company', 'details', 'code', 'payment', 'review', 'outcome'],
      isCompanyOnFile: true,
      person: { phone: '+49301234567' },
    });
    expect(await visitor.choosePayment('PREPAYMENT')).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'review', choice: 'PREPAYMENT' });
    expect(await visitor.placeOrder()).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'outcome', outcome: 'CONFIRMED' });
    const { body } = await world.get(`/v1/orders/${id}`);
    expect(body).toMatchObject({
      status: 'CONFIRMED',
      payment_term: 'PREPAYMENT',
      contact_email: 'amina@morgenrot.example',
      delivery_address: { street: 'Kastanienallee' },
    });
    expect((await recordedEvents(world, id)).map(({ type }) => type)).toEqual(['ORDER.CONFIRMED']);
    expect((await world.get(`/v1/buyers/${buyer}`)).body).toMatchObject({ legal_name: 'Café Morgenrot eG' });
  });
});

describe('the companies to try of a sandbox', () => {
  const companiesOf = async (token: string) => {
    const opened = await checkout.forms.open(token, null, { isCompanyPage: true });
    return opened.kind === 'OPEN' ? opened.view.sandbox?.companies : undefined;
  };

  it('are none without the demo registry', async () => {
    const { token } = await checkout.draft();
    expect(await companiesOf(token)).toEqual([]);
  });

  it('get credit at their own domain, and are not named again once they buy', async () => {
    await loadDemoRegistry(world.installation);
    const { token } = await checkout.draft();
    const names = (await companiesOf(token)) as string[];
    expect(names).toHaveLength(3);
    for (const legalName of names) {
      const [company] = await world.sql<{ id: string; domain: string }>(
        `select registry || '-' || registry_key as id, regexp_replace(website, '^https?://(www[.])?', '') as domain
        from registry_companies where legal_name = $1`,
        [legalName],
      );
      const { id = '', domain = '' } = company ?? {};
      const visitor = await visit(checkout, (await checkout.draft()).token);
      expect(await visitor.send((all, from) => all.chooseCompany(from, id))).toEqual(DONE);
      const person = { email: `einkauf@${domain}` };
      expect(await visitor.enterDetails({ person })).toEqual({ kind: 'CREDIT_DECIDED' });
      expect(await visitor.view()).toMatchObject({ step: 'payment', credit: 'OFFERED', refusal: null });
    }
    const next = await companiesOf(token);
    expect(next).toHaveLength(3);
    expect(next).not.toEqual(expect.arrayContaining(names.slice(0, 1)));
  });
});
