/** Financing compares the electronic invoice added as a file with the invoice to be financed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody, merchantBody } from '#test/bodies';
import { ciiInvoice, type EInvoiceTexts, ublInvoice } from '#test/e-invoices';
import { FILES } from '#test/files';
import { addFinancedParties, DAY, FINANCING_STARTS, requestFinancing } from '#test/financing';
import { createWorld, type World } from '#test/world';

let world: World;
let made = 0;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(FINANCING_STARTS);
  await addFinancedParties(world);
  const business_identifiers = [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }];
  const { external_id: _, ...merchant } = merchantBody({ business_identifiers, contact_emails: [] });
  expect((await world.put('/v1/merchants/merchant', merchant)).status).toBe(200);
});
afterAll(() => world.close());

async function addInvoice(more: object = {}): Promise<string> {
  const external_id = `invoice-${++made}`;
  const due_at = FINANCING_STARTS + 30 * DAY;
  const parties = { merchant_external_id: 'merchant', buyer_external_id: 'buyer' };
  const body = invoiceBody({ external_id, due_at, ...parties, invoice_number: 'R-2025-1', ...more });
  expect((await world.post('/v1/invoices', body)).status).toBe(201);
  return external_id;
}
async function addFile(invoice: string, name: string, bytes: Buffer): Promise<void> {
  const path = `/v1/invoices/${invoice}/files?file_external_id=${name}&kind=INVOICE&name=${name}`;
  const type = bytes.toString('latin1', 0, 4) === '%PDF' ? 'application/pdf' : 'application/xml';
  const reply = await world.post(path, bytes, { headers: { 'content-type': type } });
  expect(`${reply.status} ${reply.text}`).toMatch(/^201/);
}
const mismatch = (differences: string) => ({
  code: 'INVOICE_FILE_DATA_MISMATCH',
  description: `The last file of the kind INVOICE differs from the invoice in ${differences}.`,
});

describe('an electronic invoice', () => {
  it.each([
    ['UBL', ublInvoice()],
    ['CII', ciiInvoice()],
    ['one whose merchant is known by its VAT id', ublInvoice({ seller: 'Another name' })],
    ['one whose buyer is named without its form', ciiInvoice({ buyer: 'CAFE MORGENROT' })],
  ])('that says the same is accepted: %s', async (_, file) => {
    const invoice = await addInvoice();
    await addFile(invoice, 'file', file);
    expect((await requestFinancing(world, invoice)).body).toMatchObject({
      status: 'ACCEPTED',
      requirements: [],
    });
  });

  it('says any number of an invoice that has none', async () => {
    const invoice = await addInvoice({ invoice_number: undefined });
    await addFile(invoice, 'file', ublInvoice({ number: 'R-9' }));
    expect((await requestFinancing(world, invoice)).body.status).toBe('ACCEPTED');
  });

  it.each<[string, Partial<EInvoiceTexts>]>([
    ['the number', { number: 'R-2025-2' }],
    ['the date', { issuedOn: '2025-11-19' }],
    ['the currency', { currency: 'USD' }],
    ['the gross amount', { gross: '119.01' }],
    ['the merchant', { seller: 'Südlicht Teehaus GmbH', sellerVatId: 'DE123' }],
    ['the buyer', { buyer: 'Café Abendrot eG' }],
    ['the number, the date and the buyer', { number: '1', issuedOn: '2024-01-01', buyer: 'Nobody' }],
  ])('that differs in %s waits, and says so', async (differences, texts) => {
    const invoice = await addInvoice();
    await addFile(invoice, 'file', ublInvoice(texts));
    const dryRun = await world.get(`/v1/invoices/${invoice}/services/FINANCING/requirements`);
    expect(dryRun.body.requirements).toEqual([mismatch(differences)]);
    expect((await requestFinancing(world, invoice)).body).toMatchObject({
      status: 'IN_REVIEW',
      requirements: [mismatch(differences)],
    });
  });

  it('is followed by the right one, which is examined at once', async () => {
    const invoice = await addInvoice();
    await addFile(invoice, 'wrong', ublInvoice({ gross: '1.00' }));
    expect((await requestFinancing(world, invoice)).body.status).toBe('IN_REVIEW');
    await addFile(invoice, 'right', ublInvoice());
    const { body } = await world.get('/v1/sandbox/clock');
    await world.post('/v1/sandbox/clock', { now: body.now + 1 });
    expect((await world.get(`/v1/invoices/${invoice}/services/FINANCING`)).body.status).toBe('ACCEPTED');
    world.clock.set(FINANCING_STARTS);
  });
});

it.each([
  ['a PDF', FILES['application/pdf']],
  ['XML that is no invoice', FILES['application/xml']],
])('%s cannot be read, and is not compared', async (_, file) => {
  const invoice = await addInvoice({ invoiced_at: FINANCING_STARTS });
  await addFile(invoice, 'file', file);
  expect((await requestFinancing(world, invoice)).body.status).toBe('ACCEPTED');
});
