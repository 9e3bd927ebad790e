/** The company can be changed until credit is decided for it or, if no credit is requested, until the order. */
import { describe, expect, it } from 'vitest';
import { COMPANY } from '#test/checkout';
import { useCheckout } from '#test/checkout-setup';
import { recordedEvents } from '#test/stored';

const DONE = { kind: 'DONE' };
const CREDIT_DECIDED = { kind: 'CREDIT_DECIDED' };
const STALE = { kind: 'STALE' };
const OTHER = {
  ...COMPANY,
  legalName: 'Bäckerei Kornblume GmbH',
  legalForm: 'LIMITED_COMPANY' as const,
  street: 'Am Markt',
  house: '7',
  vatId: 'DE136695976',
};

const setup = useCheckout();
const buyerOf = async () => (await setup.world.get(`/v1/buyers/${setup.drafted.buyer}`)).body;
const orderOf = async () => (await setup.world.get(`/v1/orders/${setup.drafted.id}`)).body;

async function comeToTheCode(): Promise<void> {
  await setup.come();
  expect(await setup.visitor.enterCompany()).toEqual(DONE);
  expect(await setup.visitor.sendDetails()).toEqual(DONE);
  expect(await setup.visitor.view()).toMatchObject({ step: 'code', isCompanyOnFile: false });
}

describe('after the details', () => {
  it('the buyer gets the company that was entered last, and nothing of the first one', async () => {
    await comeToTheCode();
    expect(await buyerOf()).toMatchObject({ legal_name: null, business_identifiers: [] });
    expect(await setup.visitor.enterCompany(OTHER)).toEqual(DONE);
    expect(await setup.visitor.view()).toMatchObject({ step: 'code', companyName: OTHER.legalName });
    expect(await setup.visitor.confirm()).toEqual(CREDIT_DECIDED);
    expect(await buyerOf()).toMatchObject({
      legal_name: OTHER.legalName,
      legal_form: 'LIMITED_COMPANY',
      business_address: { street: 'Am Markt', house: '7' },
      business_identifiers: [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
    });
    const types = (await recordedEvents(setup.world, setup.drafted.buyer)).map(({ type }) => type);
    expect(types.filter((type) => type === 'BUYER.UPDATED')).toHaveLength(1);
  });

  it('an incomplete company is asked for again before the code', async () => {
    await comeToTheCode();
    const refused = await setup.visitor.enterCompany({ ...OTHER, legalName: '' });
    expect(refused).toMatchObject({ kind: 'REFUSED', errors: [{ field: 'legalName' }] });
    expect(await setup.visitor.view()).toMatchObject({ step: 'code', companyName: COMPANY.legalName });
  });

  it('it stays once credit was decided', async () => {
    await comeToTheCode();
    expect(await setup.visitor.confirm()).toEqual(CREDIT_DECIDED);
    expect(await setup.visitor.enterCompany(OTHER)).toEqual(STALE);
    expect(await setup.visitor.view()).toMatchObject({
      isCompanyOnFile: true,
      companyName: COMPANY.legalName,
    });
    expect((await buyerOf()).legal_name).toBe(COMPANY.legalName);
  });

  it('a change that meets the code comes before the decision, or is refused', async () => {
    for (let round = 0; round < 5; round++) {
      await comeToTheCode();
      const { visitor, drafted } = setup;
      const [changed, confirmed] = await Promise.all([
        visitor.send((forms, sender) => forms.enterCompany(sender, OTHER)),
        visitor.confirm(),
      ]);
      expect(confirmed).toEqual(CREDIT_DECIDED);
      const { legal_name } = await buyerOf();
      expect(legal_name).toBe(changed.kind === 'DONE' ? OTHER.legalName : COMPANY.legalName);
      expect((await visitor.view()).companyName).toBe(legal_name);
      const [decision] = await setup.world.sql<{ form: string }>(
        "select inputs ->> 'legal_form' as form from credit_decisions where buyer_external_id = $1",
        [drafted.buyer],
      );
      expect(decision?.form).toBe(changed.kind === 'DONE' ? OTHER.legalForm : COMPANY.legalForm);
    }
  });
});

describe('without a request for credit', () => {
  it('it can be changed until the order, which goes to its address', async () => {
    await comeToTheCode();
    const { visitor } = setup;
    expect(await visitor.send((forms, sender) => forms.skipCode(sender))).toEqual(DONE);
    expect(await visitor.choosePayment('PREPAYMENT')).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'review', isCompanyOnFile: false });
    expect(await visitor.enterCompany(OTHER)).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'review', companyName: OTHER.legalName });
    expect((await buyerOf()).legal_name).toBeNull();
    expect(await visitor.placeOrder()).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'outcome', companyName: OTHER.legalName });
    expect((await buyerOf()).legal_name).toBe(OTHER.legalName);
    expect(await orderOf()).toMatchObject({
      status: 'CONFIRMED',
      delivery_address: { street: 'Am Markt', house: '7' },
    });
    expect(await visitor.enterCompany()).toEqual(STALE);
  });
});
