import { beforeEach, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { PERSON } from '#test/checkout';
import { useCheckout } from '#test/checkout-setup';

const NOW = 1_800_000_000;
const DONE = { kind: 'DONE' };
const CREDIT_DECIDED = { kind: 'CREDIT_DECIDED' };

const setup = useCheckout({ world: { settings: { TRADELINE_WORKER: 'off' } } });
beforeEach(() => setup.world.clock.set(NOW));

const skip = () => setup.visitor.send((forms, sender) => forms.skipCode(sender));
const sent = () => setup.checkout.codes(setup.drafted.id);
const proofs = async () => {
  const decisions = await setup.world.sql<{ proof: string }>(
    "select inputs ->> 'applicant_proof' as proof from credit_decisions where buyer_external_id = $1",
    [setup.drafted.buyer],
  );
  return decisions.map(({ proof }) => proof);
};
/** With a phone number that needs no country: a browser that may not see the company has none. */
const withEmail = (email: string) => ({ person: { email, phone: '+49 30 1234567' } });

describe('an address on file', () => {
  /** A buyer whose company the platform named. */
  const known = async (more: object) => {
    const { external_id: _, ...company } = buyerBody({ ...more });
    await setup.come({ buyer: company });
  };
  const openFile = async () => {
    await setup.visitor.send((forms, sender) => forms.sendCode(sender));
    return setup.visitor.confirm();
  };

  it('speaks for a company that the platform named: one code opens the data and the application', async () => {
    await known({ contact_email: 'einkauf@morgenrot.example' });
    await openFile();
    expect(await setup.visitor.sendDetails(withEmail('someone@else.example'))).toEqual(CREDIT_DECIDED);
    expect(await sent()).toHaveLength(1);
    expect(await proofs()).toEqual(['ADDRESS_ON_FILE']);
  });

  it('counts where the person types it for a buyer without another address', async () => {
    await known({ contact_email: null });
    await setup.world.post('/v1/contacts', {
      external_id: `contact-of-${setup.drafted.id}`,
      buyer_external_id: setup.drafted.buyer,
      email: 'Konto@Morgenrot.example',
    });
    await setup.visitor.send((forms, sender) => forms.sendCode(sender));
    await setup.visitor.confirm();
    await setup.visitor.sendDetails();
    expect(await proofs()).toEqual(['ADDRESS_ON_FILE']);
  });

  it('says nothing of a company that the buyer itself named', async () => {
    await setup.come();
    await setup.visitor.enterCompany();
    await setup.visitor.sendDetails();
    await skip();
    await setup.visitor.choosePayment('PREPAYMENT');
    await setup.visitor.placeOrder();
    await setup.come({ buyer: null, order: { buyer_external_id: setup.drafted.buyer } });
    await openFile();
    expect(await setup.visitor.sendDetails()).toEqual(DONE);
    expect((await setup.visitor.view()).code).toMatchObject({ purpose: 'APPLICATION', email: PERSON.email });
    expect(await setup.visitor.confirm()).toEqual(CREDIT_DECIDED);
    expect(await proofs()).toEqual(['CONFIRMED_ADDRESS']);
  });

  it('says nothing of the company that the platform names instead of the former one', async () => {
    await known({ contact_email: 'einkauf@morgenrot.example' });
    setup.world.clock.set(NOW + 1);
    const renamed = { legal_name: 'Nordlicht Energie GmbH', legal_form: 'LIMITED_COMPANY' };
    const { external_id: _, ...body } = buyerBody({ ...renamed, business_identifiers: [] });
    expect((await setup.world.put(`/v1/buyers/${setup.drafted.buyer}`, body)).status).toBe(200);
    await openFile();
    expect(await setup.visitor.sendDetails(withEmail('einkauf@morgenrot.example'))).toEqual(CREDIT_DECIDED);
    expect(await proofs()).toEqual(['CONFIRMED_ADDRESS']);
  });

  it('proves no other domain that the person names', async () => {
    await known({ contact_email: 'einkauf@morgenrot.example' });
    await openFile();
    await setup.visitor.sendDetails(withEmail('someone@else.example'));
    const [decision] = await setup.world.sql(
      "select inputs ->> 'email_domain' as domain from credit_decisions where buyer_external_id = $1",
      [setup.drafted.buyer],
    );
    expect(decision).toEqual({ domain: 'OTHER' });
  });

  it('does not count if only an earlier checkout added it', async () => {
    await known({ contact_email: null });
    await setup.visitor.sendDetails(withEmail('stranger@example.com'));
    await skip();
    await setup.visitor.choosePayment('PREPAYMENT');
    await setup.visitor.placeOrder();
    await setup.come({ buyer: null, order: { buyer_external_id: setup.drafted.buyer } });
    await openFile();
    await setup.visitor.sendDetails(withEmail('stranger@example.com'));
    expect(await proofs()).toEqual(['CONFIRMED_ADDRESS']);
  });

  it('is not shown to a person who confirmed another one', async () => {
    await known({ contact_email: null });
    expect(await setup.visitor.enterDetails(withEmail(PERSON.email))).toEqual(CREDIT_DECIDED);
    const view = await setup.visitor.view();
    expect([view.companyName, view.company]).toEqual([null, null]);
    expect(JSON.stringify(view)).not.toContain('Kastanienallee');
  });
});
