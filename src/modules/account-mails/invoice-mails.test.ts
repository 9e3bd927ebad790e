import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { notifyOfEvents, retryMails } from '#modules/notifications';
import { sealedSettings } from '#modules/platforms';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { mailsOf } from '#test/mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { invoiceNotifier } from './invoice-mails.ts';

const NOW = 1_763_640_000;
const DAY = 86_400;
const IBAN = 'DE89370400440532013000';

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
let made = 0;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { name: 'Markthalle', communication_bcc_email: 'archive@m.example' },
  });
  world.clock.set(NOW);
  const { code, data_key_wrapped } = world.platform;
  const vault = world.installation.vault.forPlatform(code, data_key_wrapped);
  await world.sql(
    `update platforms set iban_sealed = $1, account_holder = 'Markthalle GmbH', bic = 'COBADEFFXXX'`,
    [sealedSettings(vault, { iban: IBAN }).iban_sealed],
  );
  await world.post('/v1/merchants', merchantBody({ trading_name: 'Rösterei Nord' }));
  worker = await openWorkerProcess(world);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

const emailOf = (buyer: string) => `${buyer}@example.com`;

/** A new buyer with an address. */
async function newBuyer(more: object = {}): Promise<string> {
  const id = `buyer-${++made}`;
  const body = buyerBody({ external_id: id, contact_email: emailOf(id), ...more });
  expect((await world.post('/v1/buyers', body)).status).toBe(201);
  await world.put(`/v1/buyers/${id}/settings`, { language: 'EN' });
  return id;
}

/** An invoice of the buyer, named after it. */
async function invoice(buyer: string, more: object = {}): Promise<string> {
  const id = `invoice-${++made}`;
  const body = {
    external_id: id,
    buyer_external_id: buyer,
    due_at: NOW + 30 * DAY,
    invoice_number: `RE ${id}`,
    ...more,
  };
  const { status, text } = await world.post('/v1/invoices', invoiceBody(body));
  expect([status, text]).toEqual([201, expect.anything()]);
  return id;
}

async function queue(): Promise<number> {
  await positionEvents(world.installation.db, 1_000);
  return notifyOfEvents(worker, [invoiceNotifier]);
}

/** The mails to the buyer from one more run of the notifier. */
async function mailed(buyer: string) {
  const before = new Set((await mailsOf(world)).map(({ mailId }) => mailId));
  await queue();
  return (await mailsOf(world, { to: emailOf(buyer) })).filter(({ mailId }) => !before.has(mailId));
}

const pay = async (id: string, amount: number) => {
  const { status, body } = await world.post(`/v1/invoices/${id}/payments`, { amount });
  expect(status).toBe(201);
  return body.external_id as string;
};

describe('an invoice', () => {
  it('is mailed with its payment details, and copied to the platform', async () => {
    const buyer = await newBuyer();
    const id = await invoice(buyer);
    const [mail, ...more] = await mailed(buyer);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      kind: 'invoice_issued',
      // The copy is a separate mail, without the link to the buyer's page.
      bcc: null,
      subject: `Invoice RE ${id} from Rösterei Nord – Markthalle`,
    });
    expect(mail?.text).toContain(`  Total: €119.00
  Account holder: Markthalle GmbH
  IBAN: DE89 3704 0044 0532 0130 00
  BIC: COBADEFFXXX
  Payment reference: RF`);
    expect(mail?.text).toContain('Pay by: 20 December 2025');
    expect(mail?.text).toContain(`${world.baseUrl}/buyer/`);
    const copies = (await mailsOf(world, { to: 'archive@m.example' })).filter(({ text }) =>
      text.includes(id),
    );
    expect(copies).toHaveLength(1);
    expect(`${copies[0]?.text}${copies[0]?.html}`).not.toContain('/buyer/');
    expect(await mailed(buyer)).toEqual([]);
  });

  it('that is due already was sent long ago', async () => {
    const buyer = await newBuyer();
    await invoice(buyer, { invoiced_at: NOW - 40 * DAY, due_at: NOW - DAY });
    expect(await mailed(buyer)).toEqual([]);
  });

  it('that is collected by direct debit asks for no transfer', async () => {
    const buyer = await newBuyer();
    const id = await invoice(buyer);
    await world.sql(`update invoices set payment_method = 'DEBIT' where external_id = $1`, [id]);
    const [mail] = await mailed(buyer);
    expect(mail?.text).toContain('by direct debit');
    expect(mail?.text).not.toContain('IBAN');
  });

  it('is not mailed where the platform has switched the kind off', async () => {
    const buyer = await newBuyer();
    await world.sql(`update platforms set mails_off = '{invoice_issued}'`);
    await invoice(buyer);
    expect(await mailed(buyer)).toEqual([]);
    await world.sql(`update platforms set mails_off = '{}'`);
  });

  it('goes to every contact for invoices, each copied once', async () => {
    const buyer = await newBuyer();
    for (const name of ['ann', 'bob'])
      await world.post('/v1/contacts', {
        ...{ external_id: `${buyer}-${name}`, buyer_external_id: buyer, assign_to_all_invoices: true },
        ...{ first_name: name, last_name: 'Doe', email: `${name}@${buyer}.example` },
      });
    const id = await invoice(buyer);
    expect(await mailed(buyer)).toEqual([]);
    const mails = (await mailsOf(world)).filter(({ cause }) => cause.includes(id));
    expect(mails.map(({ to, bcc }) => `${to} ${bcc}`).sort()).toEqual([
      `ann@${buyer}.example null`,
      'archive@m.example null',
      `bob@${buyer}.example null`,
    ]);
    expect(mails.find(({ to }) => to.endsWith(`${buyer}.example`))?.text).toMatch(/Hello (ann|bob) Doe,/);
  });

  it.each(['PENDING', 'FAILED'])('is withdrawn when it is paid while the mail is %s', async (status) => {
    const buyer = await newBuyer();
    const id = await invoice(buyer);
    await queue();
    await world.sql('update mails set status = $1 where cause like $2', [status, `invoice/${id}/%`]);
    await pay(id, 11_900);
    await queue();
    expect(await retryMails(world.installation.db, world.platform.platform_id, null)).toBe(0);
    const mails = await mailsOf(world, { to: emailOf(buyer) });
    expect(mails.map((mail) => `${mail.kind} ${mail.status}`).sort()).toEqual([
      'account_settled PENDING',
      'invoice_issued WITHDRAWN',
    ]);
  });
});

describe('a claim that has moved', () => {
  it('is told once, as a notice, with the payment details', async () => {
    const buyer = await newBuyer();
    const id = await invoice(buyer);
    await world.sql('update invoices set is_financed = true where external_id = $1', [id]);
    const [mail] = await mailed(buyer);
    expect(mail).toMatchObject({ kind: 'invoice_assigned', cause: `invoice/${id}/assigned` });
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toMatch(
      /has assigned the claim under this invoice to Markthalle GmbH\. Only payments to Markthalle GmbH discharge this debt\..*IBAN/,
    );
    const notices = await world.sql('select kind from notices where cause = $1', [`invoice/${id}/assigned`]);
    expect(notices).toEqual([{ kind: 'invoice_assigned' }]);
    const name = `assignment-notice-${id}.pdf`;
    expect(mail?.files).toEqual([{ documentId: expect.stringMatching(/^[\da-f]{32}$/), name }]);
    await world.sql("update event_followers set position_last = 0 where follower = 'invoice_mails'");
    expect(await mailed(buyer)).toEqual([]);
  });
});

describe('a payment', () => {
  it('of a part says what is left, and the last one that nothing is', async () => {
    const buyer = await newBuyer();
    const id = await invoice(buyer);
    const other = await invoice(buyer);
    await queue();
    await pay(id, 1_900);
    const [part] = await mailed(buyer);
    expect(part).toMatchObject({ kind: 'payment_received', subject: 'Payment received – Markthalle' });
    expect(part?.text).toContain('Still to pay: €100.00');
    await pay(id, 10_000);
    const [whole] = await mailed(buyer);
    expect(whole?.kind).toBe('payment_received');
    expect(whole?.text).toContain('Still to pay: €0.00');
    await pay(other, 11_900);
    const [last] = await mailed(buyer);
    expect(last).toMatchObject({ kind: 'account_settled', subject: 'All invoices are paid – Markthalle' });
    expect(last?.text.replaceAll(/\s+/g, ' ')).toContain('has no open invoices at Markthalle.');
  });

  it('that closes the account is only received where that kind is off', async () => {
    const buyer = await newBuyer();
    const id = await invoice(buyer);
    await queue();
    await world.sql(`update platforms set mails_off = '{account_settled}'`);
    await pay(id, 11_900);
    expect((await mailed(buyer)).map(({ kind }) => kind)).toEqual(['payment_received']);
    await world.sql(`update platforms set mails_off = '{}'`);
  });

  it('that is returned is asked for again', async () => {
    const buyer = await newBuyer();
    const id = await invoice(buyer);
    const payment = await pay(id, 11_900);
    await queue();
    const reply = await world.post(`/v1/invoices/${id}/payments/${payment}/reverse`, { reason: 'Returned.' });
    expect(reply.status).toBe(200);
    const [mail] = await mailed(buyer);
    expect(mail?.kind).toBe('payment_returned');
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(
      `€119.00 for invoice RE ${id} from Rösterei Nord was returned`,
    );
    expect(mail?.text).toContain('IBAN');
  });
});

describe('a credit note', () => {
  it('is mailed with what is left to pay', async () => {
    const buyer = await newBuyer();
    const id = await invoice(buyer);
    await queue();
    const { status } = await world.post('/v1/credit_notes', {
      ...{ external_id: `note-${id}`, invoice_external_id: id, reason_code: 'RETURN', invoiced_at: NOW },
      amount: { net: 2_500, tax: 475, gross: 2_975 },
    });
    expect(status).toBe(201);
    const [mail] = await mailed(buyer);
    expect(mail).toMatchObject({
      kind: 'credit_note_issued',
      subject: `Credit note for invoice RE ${id} – Markthalle`,
    });
    expect(mail?.text).toContain('Still to pay: €89.25');
  });
});

describe('a buyer', () => {
  it('without an address is not written to', async () => {
    const buyer = await newBuyer({ contact_email: null });
    await invoice(buyer);
    expect(await queue()).toBe(0);
  });

  it('is written to at another address once one was refused', async () => {
    const buyer = await newBuyer();
    await world.post('/v1/contacts', {
      ...{ external_id: `${buyer}-other`, buyer_external_id: buyer, email: `other@${buyer}.example` },
    });
    const { code, data_key_wrapped } = world.platform;
    const vault = world.installation.vault.forPlatform(code, data_key_wrapped);
    await world.sql('insert into refused_addresses (platform_id, address_mac) values ($1, $2)', [
      world.platform.platform_id,
      vault.mac('refused_addresses', emailOf(buyer)),
    ]);
    const id = await invoice(buyer);
    await queue();
    const mails = (await mailsOf(world)).filter(
      ({ cause }) => cause.includes(id) && !cause.endsWith('/copy'),
    );
    expect(mails.map(({ to }) => to)).toEqual([`other@${buyer}.example`]);
  });

  it('whose data cannot be opened delays no other', async () => {
    const [spoiled, good] = [await newBuyer(), await newBuyer()];
    await invoice(spoiled);
    await invoice(good);
    await world.sql(
      `update buyers set contact_email_sealed = (
        select contact_email_sealed from buyers where platform_id = $3 and external_id = $1
      ) where platform_id = $3 and external_id = $2`,
      [good, spoiled, world.platform.platform_id],
    );
    expect((await mailed(good)).map(({ kind }) => kind)).toEqual(['invoice_issued']);
  });
});
