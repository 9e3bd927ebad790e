import { afterAll, beforeAll, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { type CheckoutWorld, createCheckout, NO_DELIVERY_ADDRESS, PERSON, visit } from '#test/checkout';
import { mailsOf } from '#test/mails';
import { createWorld, type World } from '#test/world';

const DONE = { kind: 'DONE' };
const CREDIT_DECIDED = { kind: 'CREDIT_DECIDED' };
const tooMany = (error: string) => ({ kind: 'REFUSED', errors: [{ field: null, error }] });

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
beforeAll(async () => {
  checkout = await createCheckout(world, { companyApplicationsPerHour: 10 });
});
afterAll(() => world.close());

async function apply(company: object, email: string) {
  const draft = await checkout.draft();
  const browser = await visit(checkout, draft.token);
  await browser.enterCompany(company);
  const result = await browser.sendDetails({ person: { ...PERSON, email } });
  return { browser, draft, result };
}

const mailsSent = async () => (await mailsOf(world)).length;
const decisions = () => world.sql('select from credit_decisions');

it('a flood for one company sends ten codes an hour and gives no credit, and others are not affected', async () => {
  const flood = [];
  for (let nth = 0; nth < 40; nth++) flood.push(await apply({}, `person-${nth}@domain-${nth}.example`));
  const refused = flood.filter(({ result }) => result.kind === 'REFUSED');
  expect(refused).toHaveLength(30);
  for (const { result } of refused) expect(result).toEqual(tooMany('error.applications_too_many'));
  expect(await mailsSent()).toBe(10);
  expect(await decisions()).toEqual([]);

  // The page of a refused one offers ways to continue.
  const { browser } = refused.at(-1) as (typeof flood)[number];
  expect(await browser.view()).toMatchObject({ step: 'code', code: { isSent: false } });
  expect(await browser.send((forms, sender) => forms.sendCode(sender))).toEqual(
    tooMany('error.applications_too_many'),
  );
  await browser.send((forms, sender) => forms.skipCode(sender));
  expect((await browser.view()).step).toBe('payment');

  const other = await apply({ legalName: 'Bistro am Kanal GmbH', vatId: 'DE136695976' }, 'a@kanal.example');
  expect(other.result).toEqual(DONE);
  const { external_id: _, ...known } = buyerBody({});
  const { token } = await checkout.draft({ buyer: known, order: { vouched_by: 'sales' } });
  const vouched = await visit(checkout, token);
  await vouched.send((forms, sender) => forms.sendCode(sender));
  await vouched.confirm();
  const details = { person: { ...PERSON, phone: '+49 30 1234567' } };
  expect(await vouched.sendDetails(details)).toEqual(CREDIT_DECIDED);
});

it('another spelling of the company does not raise the limit', async () => {
  const names = ['Bäckerei Sonne GmbH', 'BÄCKEREI  SONNE  GMBH', 'Bäckerei-Sonne GmbH'];
  const results = [];
  for (let nth = 0; nth < 12; nth++)
    results.push((await apply({ legalName: names[nth % 3], vatId: '' }, `b-${nth}@sonne.example`)).result);
  expect(results.slice(0, 10)).toEqual(Array(10).fill(DONE));
  expect(results.slice(10)).toEqual(Array(2).fill(tooMany('error.applications_too_many')));
});

it('a mailbox gets at most twice as many codes, whatever the companies', async () => {
  const before = await mailsSent();
  const results = [];
  for (let nth = 0; nth < 22; nth++)
    results.push((await apply({ legalName: `Firma ${nth} GmbH`, vatId: '' }, 'one@mailbox.example')).result);
  expect(await mailsSent()).toBe(before + 20);
  expect(results.slice(20)).toEqual(Array(2).fill(tooMany('error.code_too_many')));
});

it('a public network gets at most twelve times as many, and a proxy is not limited', async () => {
  const results = [];
  for (let nth = 0; nth < 122; nth++) {
    const draft = await checkout.draft();
    const browser = await visit(checkout, draft.token);
    await browser.enterCompany({ legalName: `Netz ${nth} GmbH`, vatId: '' });
    results.push(
      await checkout.forms.enterDetails(
        { ...browser.sender(), network: nth === 0 ? null : '2001:db8:0:1' },
        {
          person: { ...PERSON, email: `n-${nth}@netz.example` },
          delivery: { to: 'NOWHERE', address: NO_DELIVERY_ADDRESS },
        },
      ),
    );
  }
  expect(results.slice(0, 121)).toEqual(Array(121).fill(DONE));
  expect(results.at(-1)).toEqual(tooMany('error.code_too_many'));
});
