import { describe, expect, it } from 'vitest';
import { ciiInvoice, type EInvoiceTexts, ublInvoice } from '#test/e-invoices';
import { readEInvoice } from './e-invoice.ts';

describe.each([
  ['UBL', ublInvoice],
  ['CII', ciiInvoice],
])('an invoice in %s', (_, file) => {
  it('says its number, day, currency, amount and parties', async () => {
    expect(await readEInvoice(file())).toEqual({
      number: 'R-2025-1',
      issuedOn: '2025-11-20',
      currency: 'EUR',
      grossMinor: 11_900,
      seller: { names: ['Nordlicht Kaffeerösterei GmbH'], identifiers: ['DE136695976'] },
      buyer: { names: ['Café Morgenrot eG'], identifiers: [] },
    });
  });

  it.each<[string, string, number | null]>([
    ['EUR', '119', 11_900],
    ['EUR', '119.5', 11_950],
    ['EUR', '119.0000', 11_900],
    ['JPY', '119', 119],
    ['JPY', '119.00', 119],
    ['XAU', '119', null],
  ])('has %s %s as %s minor units', async (currency, gross, minor) => {
    expect(await readEInvoice(file({ currency, gross }))).toMatchObject({ currency, grossMinor: minor });
  });

  it.each<Partial<EInvoiceTexts>>([
    { number: '' },
    { issuedOn: '' },
    { issuedOn: 'yesterday' },
    { currency: '' },
    { gross: '' },
    { gross: '-119.00' },
    { gross: '1e5' },
    { gross: '119.001' },
    { currency: 'JPY', gross: '119.50' },
    { gross: '99999999999999' },
  ])('is not read with %j', async (texts) => {
    expect(await readEInvoice(file(texts))).toBeNull();
  });

  it('is not read if it says one thing twice', async () => {
    const twice = file()
      .toString()
      .replace(/<(cbc:TaxInclusiveAmount|ram:GrandTotalAmount)[^>]*>[^<]*<\/\1>/, '$&$&');
    expect(await readEInvoice(Buffer.from(twice))).toBeNull();
  });
});

it.each([
  ['another document', '<Order><ID>1</ID></Order>'],
  ['a credit note', ublInvoice().toString().replaceAll('ubl:Invoice', 'ubl:CreditNote')],
  [
    'an invoice with a document type',
    `<!DOCTYPE Invoice [<!ENTITY x "y">]>${ublInvoice().toString().slice(39)}`,
  ],
  ['what is no XML', '<Invoice'],
  ['nothing', ''],
])('%s is not read', async (_, text) => {
  expect(await readEInvoice(Buffer.from(text))).toBeNull();
});

it('is read whatever its number of lines is', async () => {
  const line = '<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>';
  const long = ublInvoice().toString().replace(line, line.repeat(50_000));
  expect(await readEInvoice(Buffer.from(long))).toMatchObject({ grossMinor: 11_900 });
});
