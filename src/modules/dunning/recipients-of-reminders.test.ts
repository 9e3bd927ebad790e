/** The recipients of reminders, by the rule for all mails about an invoice. */
import { beforeEach, describe, expect, it } from 'vitest';
import { draftOrderBody } from '#test/bodies';
import { useDunning } from '#test/dunning';
import { grossOf, INVOICING_NOW } from '#test/invoice-setup';

const { create, debtor, invoice, mailsAbout, pay, show, until, world } = useDunning();
let made = 0;
beforeEach(() => world().clock.set(INVOICING_NOW));

const contact = async (buyer: string, name: string, more: object = {}) => {
  const email = `${name}@${buyer}.example`;
  const body = { external_id: `${name}-${buyer}`, buyer_external_id: buyer, email, ...more };
  expect((await world().post('/v1/contacts', body)).status).toBe(201);
};
const forInvoices = { assign_to_all_invoices: true };

/** A buyer with its own address, and one contact without a role. */
async function buyerWith(contact_email: string | null = 'own@cafe.example'): Promise<string> {
  const buyer = await debtor(null);
  const body = { ...(await world().get(`/v1/buyers/${buyer}`)).body, contact_email };
  expect((await world().put(`/v1/buyers/${buyer}`, body)).status).toBe(200);
  await contact(buyer, 'other');
  return buyer;
}

/** An invoice of its own order, due like the others in this file. */
async function invoiceOfOrder(buyer: string, order: object): Promise<string> {
  const external_id = `ordered-${++made}`;
  const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
  const placed = await world().post(
    '/v1/orders',
    draftOrderBody({ external_id, buyer_external_id: buyer, ...term, ...order }),
  );
  expect(placed.status).toBe(201);
  const { body, status } = await create({
    ...{ external_id: `invoice-${external_id}`, order_external_ids: [external_id] },
    ...grossOf(placed.body.amount.gross),
  });
  expect(status).toBe(201);
  return body.external_id;
}

async function refuse(address: string): Promise<void> {
  const { platform, installation } = world();
  const vault = installation.vault.forPlatform(platform.code, platform.data_key_wrapped);
  await world().sql('insert into refused_addresses (platform_id, address_mac) values ($1, $2)', [
    platform.platform_id,
    vault.mac('refused_addresses', address),
  ]);
}

/** The recipients of the first reminder of an invoice. */
async function recipients(id: string): Promise<string[]> {
  await until('2026-01-30');
  const mails = (await mailsAbout(id)).filter(({ cause }) => !cause.endsWith('/copy'));
  const first = mails[0]?.createdAt;
  return mails
    .filter(({ createdAt }) => createdAt === first)
    .map(({ to }) => to)
    .toSorted();
}

describe('a reminder goes', () => {
  it('to the address of the order', async () => {
    const buyer = await buyerWith();
    await contact(buyer, 'bills', forInvoices);
    const id = await invoiceOfOrder(buyer, { contact_email: 'order@cafe.example' });
    expect(await recipients(id)).toEqual(['order@cafe.example']);
  });

  it('to the address for the invoice, where the order names one', async () => {
    const buyer = await buyerWith();
    const emails = { contact_email: 'order@cafe.example', invoice_email: 'ap@cafe.example' };
    expect(await recipients(await invoiceOfOrder(buyer, emails))).toEqual(['ap@cafe.example']);
  });

  it('else to every contact for invoices, each greeted by name, and once to the platform', async () => {
    await world().sql(`update platforms set communication_bcc_email = 'copies@market.example'`);
    const buyer = await buyerWith();
    await contact(buyer, 'ada', { ...forInvoices, first_name: 'Ada', last_name: 'Lovelace' });
    await contact(buyer, 'ben', { ...forInvoices, first_name: 'Ben', last_name: 'Okri' });
    const id = await invoice(buyer);
    expect(await recipients(id)).toEqual([`ada@${buyer}.example`, `ben@${buyer}.example`]);
    const [one, two, copy] = (await mailsAbout(id)).slice(0, 3).toSorted((a, b) => (a.to < b.to ? -1 : 1));
    expect(one?.text).toContain('Ada Lovelace');
    expect(two?.text).toContain('Ben Okri');
    expect([one?.bcc, two?.bcc, copy?.to]).toEqual([null, null, 'copies@market.example']);
    // A reader of the copy could act as the buyer.
    expect(copy?.text).not.toContain('/buyer/');
    await world().sql('update platforms set communication_bcc_email = null');
  });

  it('else to the address of the buyer', async () => {
    expect(await recipients(await invoice(await buyerWith()))).toEqual(['own@cafe.example']);
  });

  it('else to another contact', async () => {
    const buyer = await buyerWith(null);
    await contact(buyer, 'younger');
    expect(await recipients(await invoice(buyer))).toEqual([`other@${buyer}.example`]);
  });

  it('to the next of these, where a mail server has refused an address', async () => {
    const buyer = await buyerWith(`own@${made}.example`);
    await refuse(`own@${made}.example`);
    expect(await recipients(await invoice(buyer))).toEqual([`other@${buyer}.example`]);
  });

  it('to nobody where all were refused, until there is another address', async () => {
    const buyer = await buyerWith(null);
    await refuse(`other@${buyer}.example`);
    const id = await invoice(buyer);
    await until('2025-12-09');
    expect(await mailsAbout(id)).toEqual([]);
    expect((await show(id)).dunning).toMatchObject({ status: 'PAUSED', paused_by: 'NO_ADDRESS' });
    await contact(buyer, 'new', forInvoices);
    expect(await recipients(id)).toEqual([`new@${buyer}.example`]);
  });

  it('to the contacts that its invoices name', async () => {
    const buyer = await buyerWith();
    await contact(buyer, 'named');
    const id = await invoice(buyer, { contact_external_id: `named-${buyer}` });
    expect(await recipients(id)).toEqual([`named@${buyer}.example`]);
  });
});

describe('a letter about the invoices of two orders', () => {
  it('is one for each of their addresses, and is withdrawn and written again for each', async () => {
    const buyer = await buyerWith();
    const paid = await invoiceOfOrder(buyer, { contact_email: 'one@cafe.example' });
    const owed = await invoiceOfOrder(buyer, { contact_email: 'two@cafe.example' });
    const due = (await show(owed)).due_at;
    const day = (days: number) => new Date((due + days * 86_400) * 1_000).toISOString().slice(0, 10);
    const seen = new Set<string>();
    const news = async () => {
      const mails = (await mailsAbout(owed)).filter(
        ({ kind, mailId }) => kind === 'reminder_overdue' && !seen.has(mailId),
      );
      for (const { mailId } of mails) seen.add(mailId);
      return mails;
    };
    for (let after = 5; seen.size === 0 && after < 10; after++) {
      await until(day(after));
      const written = await news();
      if (written.length === 0) continue;
      expect(written.map(({ to }) => to).toSorted()).toEqual(['one@cafe.example', 'two@cafe.example']);
      for (const { text } of written) expect(text).toContain(paid);
    }
    expect((await pay(paid, (await show(paid)).outstanding_amount)).status).toBe(201);
    expect((await mailsAbout(paid)).every(({ status }) => status === 'WITHDRAWN')).toBe(true);
    world().clock.set(world().clock.now() + 3_600);
    await until(new Date((world().clock.now() + 86_400) * 1_000).toISOString().slice(0, 10));
    const again = await news();
    expect(again.map(({ to }) => to)).toEqual(['two@cafe.example']);
    expect(again[0]?.text).not.toContain(paid);
  });
});
