import { beforeAll, describe, expect, it } from 'vitest';
import { translatorOf } from '#messages';
import { sealedSettings } from '#modules/platforms';
import { invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { addLateCharge } from '#test/late-charges';
import { plainOf, type ReadPdf, readPdf } from '#test/pdf';

const DAY = 86_400;
const IBAN = 'DE89370400440532013000';
const german = translatorOf('DE', 'FORMAL');
const { create, world, order, invoiceOf } = useInvoicing();

const pathOf = (invoice: string, kind = 'SUMMARY') => `/v1/invoices/${invoice}/documents/${kind}`;
const make = (external_id: string, more: object = {}) =>
  create(invoiceBody({ external_id, buyer_external_id: 'buyer', due_at: NOW + 10 * DAY, ...more }));
const setAccount = (iban: string | null) => {
  const { code, data_key_wrapped } = world().platform;
  const vault = world().installation.vault.forPlatform(code, data_key_wrapped);
  return world().sql('update platforms set iban_sealed = $1, account_holder = $2, bic = $3', [
    sealedSettings(vault, { iban }).iban_sealed,
    iban === null ? null : 'Markthalle GmbH',
    iban === null ? null : 'COBADEFFXXX',
  ]);
};

async function documentOf(invoice: string, kind?: string): Promise<ReadPdf> {
  const { baseUrl, apiKey } = world();
  const headers = { authorization: `Bearer ${apiKey}` };
  const reply = await fetch(`${baseUrl}${pathOf(invoice, kind)}`, { headers });
  expect(reply.status).toBe(200);
  return readPdf(new Uint8Array(await reply.arrayBuffer()));
}

const says = ({ text }: ReadPdf, ...expected: string[]) => {
  const said = plainOf(text);
  expect(expected.filter((each) => !said.includes(plainOf(each)))).toEqual([]);
};

describe('GET /v1/invoices/{external_id}/documents/{kind}', () => {
  beforeAll(() => world().sql("update buyers set language = 'DE', formality = 'FORMAL'"));

  it('200: shows instalments, payments, credit notes and late charges with their computation', async () => {
    await setAccount(IBAN);
    const payment_term = 'SPLIT_3M';
    const split = await order({ payment_term });
    const { body } = await invoiceOf([split], { amount: { net: 10_000, tax: 1_900, gross: 11_900 } });
    const id = body.external_id;
    await world().post(`/v1/invoices/${id}/payments`, { amount: 1_000, received_by: 'PLATFORM' });
    await addLateCharge(world(), id, { amountMinor: 258 });
    const pdf = await documentOf(id);
    const { text, money, shortDay, percent } = german;
    const { outstanding_amount: outstanding, installments } = (await world().get(`/v1/invoices/${id}`)).body;
    says(
      pdf,
      text('document.summary_title'),
      text('payment.instalments'),
      ...installments.map(({ due_at }: { due_at: number }) => shortDay(due_at)),
      text('document.PAYMENT', { number: id }),
      text('document.INTEREST', { number: id }),
      text('document.calculation'),
      '19 / 365',
      percent(1_027),
      money(258, 'EUR'),
      money(outstanding + 258, 'EUR'),
      'Nordlicht Kaffeerösterei GmbH',
    );
    expect(pdf.roles).toMatchObject({ Table: 3, Figure: 1 });
    const codeOf = (minor: number) =>
      `BCD\n002\n1\nSCT\nCOBADEFFXXX\nMarkthalle GmbH\n${IBAN}\nEUR${(minor / 100).toFixed(2)}\n\n${body.payment_reference}`;
    // Only the charge is due.
    expect(pdf.qrTexts).toEqual([codeOf(258)]);
    world().clock.set(installments[0].due_at);
    // The first instalment is still open, and due with the charge.
    const next = installments[0].amount + (installments[0].fee_amount ?? 0) - 1_000 + 258;
    expect((await documentOf(id)).qrTexts).toEqual([codeOf(next)]);
    world().clock.set(NOW);
  });

  it('200: asks for what is due without what is disputed, and names that', async () => {
    await setAccount(IBAN);
    const { body } = await make('contested');
    const dispute = (more: object) => world().post('/v1/invoices/contested/disputes', more);
    await dispute({ external_id: 'part', reason: 'DAMAGED', amount: 1_900 });
    const pdf = await documentOf('contested');
    says(pdf, `${german.text('dispute.title')}${german.money(1_900, 'EUR')}`);
    expect(pdf.qrTexts).toEqual([expect.stringContaining(`EUR100.00\n\n${body.payment_reference}`)]);
    await dispute({ external_id: 'rest', reason: 'OTHER' });
    expect((await documentOf('contested')).qrTexts).toEqual([]);
  });

  it('200: says in words how to pay where no QR code fits', async () => {
    await setAccount(IBAN);
    await make('debit');
    await world().sql("update invoices set payment_method = 'DEBIT' where external_id = 'debit'");
    const debit = await documentOf('debit');
    says(debit, german.text('document.direct_debit', { platform: world().platform.name }));
    await setAccount(null);
    await make('merchant-paid');
    const direct = await documentOf('merchant-paid');
    expect(direct.text).not.toContain('IBAN');
    await world().sql("update invoices set is_financed = true where external_id = 'merchant-paid'");
    says(
      await documentOf('merchant-paid'),
      german.text('transfer.no_account', { platform: world().platform.name }),
    );
    expect([debit.qrTexts, direct.qrTexts]).toEqual([[], []]);
    await world().sql("update invoices set is_financed = false where external_id = 'merchant-paid'");
  });

  it('200: says what French law wants of an invoice, in French, where the merchant is in France', async () => {
    const inCountry = (country: string) =>
      world().sql(
        `update merchants set business_address = business_address || jsonb_build_object('country', $1::text)`,
        [country],
      );
    const sentence = 'Une indemnité forfaitaire pour frais de recouvrement de 40,00';
    await make('of-france');
    expect((await documentOf('of-france')).text).not.toContain('indemnité');
    await inCountry('FR');
    const pdf = await documentOf('of-france');
    await inCountry('DE');
    says(pdf, german.text('document.summary_title'), 'majoré de 10 points de pourcentage.', sentence);
    expect(pdf).toMatchObject({ language: 'de', isTagged: true });
  });

  it('200: of a cancelled invoice nothing is owed', async () => {
    await setAccount(IBAN);
    await make('cancelled');
    await world().post('/v1/invoices/cancelled/refund');
    const pdf = await documentOf('cancelled');
    says(pdf, german.text('document.CANCELLATION', { number: 'cancelled' }), german.money(0, 'EUR'));
    expect(pdf.qrTexts).toEqual([]);
  });

  it('200: the notice of assignment names the new creditor and the account, with a QR code', async () => {
    await setAccount(IBAN);
    const { body } = await make('assigned', grossOf(119_000));
    expect((await world().get(pathOf('assigned', 'ASSIGNMENT_NOTICE'))).status).toBe(404);
    await world().sql("update invoices set is_financed = true where external_id = 'assigned'");
    const pdf = await documentOf('assigned', 'ASSIGNMENT_NOTICE');
    const names = { merchant: 'Nordlicht Kaffeerösterei GmbH', assignee: 'Markthalle GmbH' };
    says(
      pdf,
      german.text('document.assignment_title'),
      german.text('assignment.notice', names),
      body.payment_reference,
    );
    expect(pdf.qrTexts).toEqual([expect.stringContaining('\nEUR1190.00\n')]);
    expect(pdf.title).toBe(german.text('document.assignment_title'));
    says(await documentOf('assigned'), german.text('assignment.notice', names));
    await world().sql("update invoices set is_financed = false where external_id = 'assigned'");
  });

  it('400: for a document that there is not', async () => {
    expect((await world().get(pathOf('assigned', 'RECEIPT'))).status).toBe(400);
  });

  it('404: for an unknown invoice, and for one of another merchant or platform', async () => {
    const stranger = await world().addKey({ merchantExternalId: 'other-merchant' });
    const { apiKey } = await world().addPlatform();
    const replies = [
      await world().get(pathOf('nobody')),
      await world().get(pathOf('assigned'), { key: stranger }),
      await world().get(pathOf('assigned'), { key: apiKey }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
