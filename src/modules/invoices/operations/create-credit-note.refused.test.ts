import { describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { invoiceBody } from '#test/bodies';
import { creditNoteBody } from '#test/credit-notes';
import { grossOf as gross, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const DAY = 86_400;

const { create, order, invoiceOf, world } = useInvoicing();

let made = 0;
const credit = (invoice: string, more: object = {}, key?: string) =>
  world().post(
    '/v1/credit_notes',
    creditNoteBody({ external_id: `note-${++made}`, invoice_external_id: invoice, ...more }),
    key === undefined ? {} : { key },
  );
/** An invoice without orders over 100.00 and 19.00 tax, dated at noon. */
async function invoiced(more: object = {}): Promise<string> {
  const external_id = `plain-${++made}`;
  const { status } = await create(invoiceBody({ external_id, ...more }));
  expect(status).toBe(201);
  return external_id;
}
const stateOf = async (invoice: string) => ({
  invoice: (await world().get(`/v1/invoices/${invoice}`)).body,
  notes: (await world().get(`/v1/credit_notes?invoice_external_id=${invoice}`)).body.total,
  books: await balancesOf(world(), { invoice }),
});

describe('POST /v1/credit_notes', () => {
  describe('400', () => {
    it.each<[string, object, object]>([
      ['a fraction', { amount: { net: 1.5, gross: 2 } }, { code: 'INVALID_TYPE', path: 'body.amount.net' }],
      ['nothing', { amount: { net: 0, gross: 0 } }, { code: 'TOO_SMALL', path: 'body.amount.gross' }],
      ['less than nothing', { amount: { net: -1, tax: 2, gross: 1 } }, { code: 'TOO_SMALL' }],
      [
        'a gross that is not net and tax',
        { amount: { net: 1, tax: 1, gross: 3 } },
        { code: 'AMOUNT_MISMATCH' },
      ],
      ['a date to come', { invoiced_at: NOW + 3_600 }, { code: 'IN_THE_FUTURE', path: 'body.invoiced_at' }],
      ['an unknown reason', { reason_code: 'BORED' }, { code: 'INVALID_ENUM', path: 'body.reason_code' }],
      ['an unknown field', { merchant_external_id: 'merchant' }, { code: 'UNRECOGNIZED_KEYS' }],
      [
        'a line in another currency',
        { line_items: [{ name: 'a', category: 'b', price: 1, quantity: 1, currency: 'GBP' }] },
        { code: 'INVALID_VALUE', path: 'body.line_items.0.currency' },
      ],
    ])('for %s', async (_, more, issue) => {
      const invoice = await invoiced();
      const before = await stateOf(invoice);
      const { status, body } = await credit(invoice, more);
      expect([status, body.issues]).toEqual([400, [expect.objectContaining(issue)]]);
      expect(await stateOf(invoice)).toEqual(before);
    });

    it('for an amount written 1E5', async () => {
      const invoice = await invoiced();
      const { status, body } = await world().send('POST', '/v1/credit_notes', {
        body: JSON.stringify(creditNoteBody({ invoice_external_id: invoice })).replace('10000', '1E4'),
        headers: { 'content-type': 'application/json' },
      });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    });
  });

  describe('409', () => {
    it('EXTERNAL_ID_ALREADY_EXISTS, also where nothing is left to credit', async () => {
      const invoice = await invoiced();
      const body = { external_id: 'sent-twice' };
      expect((await credit(invoice, body)).status).toBe(201);
      expect((await credit(invoice, body)).body.reason).toBe('EXTERNAL_ID_ALREADY_EXISTS');
      expect((await stateOf(invoice)).notes).toBe(1);
    });
  });

  describe('422', () => {
    it.each([
      ['gross', { net: 10_001, tax: 1_900, gross: 11_901 }],
      ['net', { net: 10_001, gross: 10_001 }],
      ['tax', { net: 9_000, tax: 1_901, gross: 10_901 }],
    ])('CREDIT_NOTE_EXCEEDS_INVOICE: more %s than the invoice has', async (_, amount) => {
      const invoice = await invoiced();
      const before = await stateOf(invoice);
      const { status, body } = await credit(invoice, { amount });
      expect([status, body.reason]).toEqual([422, 'CREDIT_NOTE_EXCEEDS_INVOICE']);
      expect(body.details).toMatchObject({
        requested: { tax: 0, ...amount },
        available: { net: 10_000, tax: 1_900, gross: 11_900 },
        currency: 'EUR',
      });
      expect(await stateOf(invoice)).toEqual(before);
    });

    it('CREDIT_NOTE_EXCEEDS_INVOICE: a cent more than earlier ones left', async () => {
      const invoice = await invoiced();
      await credit(invoice, { amount: { net: 10_000, tax: 1_899, gross: 11_899 } });
      const { body } = await credit(invoice, { amount: { net: 0, tax: 2, gross: 2 } });
      expect(body).toMatchObject({
        reason: 'CREDIT_NOTE_EXCEEDS_INVOICE',
        details: { available: { net: 0, tax: 1, gross: 1 } },
      });
      expect((await credit(invoice, { amount: { net: 0, tax: 1, gross: 1 } })).status).toBe(201);
    });

    it('INVOICE_NOT_CREDITABLE: cancelled, in another currency, or of a later day', async () => {
      const invoice = await invoiced();
      const refused = async (more: object) => {
        const { status, body } = await credit(invoice, more);
        expect(body.details).toMatchObject({
          invoice_external_id: invoice,
          currency: 'EUR',
          invoiced_at: NOW,
        });
        return [status, body.reason];
      };
      const answer = [422, 'INVOICE_NOT_CREDITABLE'];
      expect(await refused({ amount: { net: 1, gross: 1, currency: 'GBP' } })).toEqual(answer);
      expect(await refused({ invoiced_at: NOW - DAY })).toEqual(answer);
      // Noon of the same day is allowed, because many callers send midnight.
      const earlier = { invoiced_at: NOW - DAY / 2, amount: { net: 1, gross: 1 } };
      expect((await credit(invoice, earlier)).status).toBe(201);
      await world().post(`/v1/invoices/${invoice}/refund`);
      expect(await refused(gross(1))).toEqual(answer);
    });

    it("REFERENCED_ENTITY_NOT_FOUND: an unknown invoice, another platform's, and one of another merchant for its key", async () => {
      const invoice = await invoiced();
      const { apiKey } = await world().addPlatform();
      const ofMerchant = await world().addKey({ merchantExternalId: 'other-merchant' });
      const details = { field: 'body.invoice_external_id' };
      for (const reply of [
        await credit('unknown'),
        await credit(invoice, {}, apiKey),
        await credit(invoice, {}, ofMerchant),
      ])
        expect(reply).toMatchObject({
          status: 422,
          body: { reason: 'REFERENCED_ENTITY_NOT_FOUND', details },
        });
    });
  });

  it('403: needs the scope invoices:write', async () => {
    const key = await world().addKey({ scopes: ['read'] });
    expect((await credit('any', {}, key)).body.reason).toBe('INSUFFICIENT_SCOPE');
  });

  describe('races', () => {
    it('of credit notes never credit more than the invoice', async () => {
      const invoice = await invoiced();
      const replies = await Promise.all(Array.from({ length: 8 }, () => credit(invoice, gross(2_500))));
      const outcomes = replies.map(({ status, body }) => body.reason ?? status);
      expect(outcomes.filter((outcome) => outcome === 201)).toHaveLength(4);
      expect(outcomes.filter((outcome) => outcome === 'CREDIT_NOTE_EXCEEDS_INVOICE')).toHaveLength(4);
      const { body } = await world().get(`/v1/invoices/${invoice}`);
      expect(body).toMatchObject({ credited_amount: 10_000, credit_note_summary: { count: 4 } });
    });

    it('of a credit note and a payment end the same, whichever comes first', async () => {
      const of = await order({});
      const { body } = await invoiceOf([of], gross(11_900));
      const id = body.external_id;
      const claim = body.outstanding_amount;
      const [note, paid] = await Promise.all([
        credit(id, gross(3_000)),
        world().post(`/v1/invoices/${id}/payments`, { amount: claim, received_by: 'PLATFORM' }),
      ]);
      expect([note.status, paid.status]).toEqual([201, 201]);
      expect((await stateOf(id)).invoice).toMatchObject({ status: 'CLOSED', paid_amount: claim - 3_000 });
      expect((await stateOf(id)).books).toEqual([
        `bank main: ${claim}`,
        'merchant_payable merchant: -8900',
        `term_fee_income: ${-body.term_fee.gross}`,
        'unapplied_cash buyer: -3000',
      ]);
    });
  });
});
