import { beforeEach, describe, expect, it } from 'vitest';
import { COMPANY, PERSON, type Visitor, visit } from '#test/checkout';
import { useCheckout } from '#test/checkout-setup';

const DONE = { kind: 'DONE' };
const STALE = { kind: 'STALE' };

const setup = useCheckout();
beforeEach(() => setup.come());

const secondTab = () => visit(setup.checkout, setup.drafted.token, setup.visitor.session());
const secondBrowser = () => visit(setup.checkout, setup.drafted.token);
async function confirmedBrowser() {
  const browser = await secondBrowser();
  await browser.send((forms, sender) => forms.sendCode(sender));
  const code = (await setup.checkout.codes(setup.drafted.id)).at(-1)?.code ?? '';
  expect(await browser.send((forms, sender) => forms.enterCode(sender, code))).toEqual(DONE);
  return browser;
}

describe('two tabs of one browser', () => {
  it('cannot overwrite each other unnoticed: the second one gets a stale result', async () => {
    const tab = await secondTab();
    expect(await setup.visitor.enterCompany()).toEqual(DONE);
    expect(await tab.enterCompany({ legalName: 'Another eG' })).toEqual(STALE);
    expect(await tab.view()).toMatchObject({ company: COMPANY, version: 2 });
    expect(await tab.enterCompany({ legalName: 'Another eG' })).toEqual(DONE);
    expect(await setup.visitor.enterDetails()).toEqual(STALE);
  });

  it.each([
    ['the company', DONE, (by: Visitor) => by.enterCompany()],
    ['the details', { kind: 'CREDIT_DECIDED' }, (by: Visitor) => by.enterDetails()],
    ['the payment', DONE, (by: Visitor) => by.choosePayment('PREPAYMENT')],
  ])('may send the same form twice: %s', async (what, first, send) => {
    if (what !== 'the company') await setup.visitor.enterCompany();
    if (what === 'the payment') await setup.visitor.enterDetails();
    const sender = await secondTab();
    expect(await send(setup.visitor)).toEqual(first);
    const { version } = await setup.visitor.view();
    expect(await send(sender)).toEqual(DONE);
    expect((await setup.visitor.view()).version).toBe(version);
  });

  it('are refused without a version', async () => {
    const sender = { ...setup.visitor.sender(), version: null };
    expect(await setup.checkout.forms.enterCompany(sender, COMPANY)).toEqual(STALE);
  });

  it('save exactly one of several concurrent changes', async () => {
    const sender = setup.visitor.sender();
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, nth) =>
        setup.checkout.forms.enterCompany(sender, { ...COMPANY, legalName: `Company ${nth}` }),
      ),
    );
    expect(sent.filter(({ kind }) => kind === 'DONE')).toHaveLength(1);
    expect((await setup.visitor.view()).version).toBe(2);
  });
});

describe('another browser with the same link', () => {
  it('does not see the progress, and needs the code', async () => {
    await setup.visitor.enterCompany();
    const browser = await secondBrowser();
    const view = await browser.view();
    expect(view).toMatchObject({
      step: 'code',
      company: null,
      companyName: null,
      code: { email: 'e•••@m•••.example' },
    });
    expect(JSON.stringify(view)).not.toContain(COMPANY.legalName);
    expect(await browser.enterCompany()).toEqual(STALE);
    expect(await setup.visitor.view()).toMatchObject({ step: 'details', company: COMPANY });
  });

  it('continues from the progress after the code', async () => {
    await setup.visitor.enterCompany();
    const browser = await confirmedBrowser();
    expect(await browser.view()).toMatchObject({ step: 'details', company: COMPANY, code: null });
    expect(await browser.enterDetails()).toEqual({ kind: 'CREDIT_DECIDED' });
    expect(await browser.view()).toMatchObject({ step: 'payment', person: { email: PERSON.email } });
  });

  it('owns the progress after its own entry: the first browser then needs the code', async () => {
    await setup.visitor.enterCompany();
    const browser = await confirmedBrowser();
    await browser.enterDetails();
    expect(await setup.visitor.view()).toMatchObject({ step: 'code', company: null, person: null });
  });

  it('needs no code before anything is entered', async () => {
    const browser = await secondBrowser();
    expect(await browser.view()).toMatchObject({ step: 'company', code: null });
    expect(await browser.enterCompany()).toEqual(DONE);
  });

  it('starts again if there is no e-mail address', async () => {
    const { token } = await setup.checkout.draft({
      buyer: {
        external_id: `mute-${setup.drafted.id}`,
        contact_email: null,
        legal_name: 'Stumm GmbH',
        legal_form: 'LIMITED_COMPANY',
        business_address: { postcode: '53111', city: 'Bonn', country: 'DE' },
      },
    });
    const one = await visit(setup.checkout, token);
    const phone = '+49 30 1234567';
    expect(await one.enterDetails({ person: { phone } })).toEqual({ kind: 'CREDIT_DECIDED' });
    const other = await visit(setup.checkout, token);
    expect(await other.view()).toMatchObject({ step: 'details', person: null, companyName: null });
    expect(await other.enterDetails({ person: { phone, lastName: 'Other' } })).toEqual(DONE);
    expect(await one.view()).toMatchObject({ step: 'details', person: null });
  });

  it('sees the outcome, with the mailed address masked', async () => {
    await setup.visitor.enterCompany();
    await setup.visitor.enterDetails();
    await setup.visitor.choosePayment('PREPAYMENT');
    await setup.visitor.placeOrder();
    expect(await setup.visitor.view()).toMatchObject({ outcome: 'CONFIRMED', notifiedEmail: PERSON.email });
    const browser = await secondBrowser();
    const view = await browser.view();
    expect(view).toMatchObject({
      step: 'outcome',
      outcome: 'CONFIRMED',
      agreed: { payment_term: 'PREPAYMENT' },
      notifiedEmail: 'a•••@m•••.example',
      companyName: null,
      company: null,
      person: null,
      code: null,
      isCancellable: false,
    });
    expect(await setup.checkout.forms.statusOf(setup.drafted.token)).toEqual({
      outcome: 'CONFIRMED',
      version: 5,
    });
  });
});

describe('returning after the tab was closed', () => {
  it('shows each step as saved', async () => {
    await setup.visitor.enterCompany();
    expect(await (await secondTab()).view()).toMatchObject({ step: 'details', company: COMPANY });
    await setup.visitor.enterDetails({ to: 'NOWHERE' });
    expect(await (await secondTab()).view()).toMatchObject({
      step: 'payment',
      person: { ...PERSON, phone: '+49301234567' },
      delivery: { to: 'NOWHERE', address: null },
    });
    await setup.visitor.choosePayment('PREPAYMENT');
    expect(await (await secondTab()).view()).toMatchObject({ step: 'review', choice: 'PREPAYMENT' });
  });

  it('refuses a step before its turn', async () => {
    expect(await setup.visitor.enterDetails()).toEqual(STALE);
    expect(await setup.visitor.choosePayment('PREPAYMENT')).toEqual(STALE);
    expect(await setup.visitor.placeOrder()).toEqual(STALE);
    await setup.visitor.enterCompany();
    expect(await setup.visitor.choosePayment('PREPAYMENT')).toEqual(STALE);
    await setup.visitor.enterDetails();
    expect(await setup.visitor.placeOrder()).toEqual(STALE);
    // The company is on file now.
    expect(await setup.visitor.enterCompany({ legalName: 'Another eG' })).toEqual(STALE);
  });
});

describe('a buyer that the platform completes during the checkout', () => {
  const company = {
    legal_name: 'Known GmbH',
    legal_form: 'LIMITED_COMPANY',
    business_address: { postcode: '53111', city: 'Bonn', country: 'DE' },
    business_identifiers: [],
    contact_email: 'buero@known.example',
  };

  it('keeps the platform’s data, and shows them only after the code', async () => {
    await setup.visitor.enterCompany();
    await setup.world.put(`/v1/buyers/${setup.drafted.buyer}`, company);
    expect(await setup.visitor.enterDetails()).toEqual(STALE);
    expect(await setup.visitor.view()).toMatchObject({
      step: 'code',
      company: null,
      code: { email: 'b•••@k•••.example' },
    });
    const { body } = await setup.world.get(`/v1/buyers/${setup.drafted.buyer}`);
    expect(body.legal_name).toBe('Known GmbH');
  });
});
