import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '#kernel/language';
import { translatorOf } from '#messages';
import { sealedSettings } from '#modules/platforms';
import { invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { expectProblem } from '#test/problem';

const DAY = 86_400;
const IBAN = 'DE89370400440532013000';
const { create, invoiceOf, order, world } = useInvoicing();

const detailsOf = async (id: string) => (await world().get(`/v1/invoices/${id}/payment_details`)).body;
const vault = () => {
  const { code, data_key_wrapped } = world().platform;
  return world().installation.vault.forPlatform(code, data_key_wrapped);
};
const setAccount = (iban: string | null, holder: string | null = 'Markthalle GmbH') =>
  world().sql('update platforms set iban_sealed = $1, account_holder = $2, bic = $3', [
    sealedSettings(vault(), { iban }).iban_sealed,
    holder,
    iban === null ? null : 'COBADEFFXXX',
  ]);
const ofStranger = (external_id: string, more: object = {}) =>
  create(invoiceBody({ external_id, buyer_external_id: 'stranger', due_at: NOW + 10 * DAY, ...more }));

describe('GET /v1/invoices/{external_id}/payment_details', () => {
  describe('200', () => {
    it('says that there is no account, and shows the rest', async () => {
      const { body } = await ofStranger('plain');
      expect(await detailsOf('plain')).toEqual({
        invoice_external_id: 'plain',
        beneficiary: null,
        amount: 11_900,
        due_amount: 11_900,
        currency: 'EUR',
        due_at: NOW + 10 * DAY,
        due_on: '2025-11-30',
        payment_method: 'TRANSFER',
        payment_reference: body.payment_reference,
        epc_qr: null,
        installments: [
          { number: 1, due_at: NOW + 10 * DAY, due_on: '2025-11-30', amount: 11_900, epc_qr: null },
        ],
        notice_of_assignment: null,
      });
    });

    describe('with an account', () => {
      beforeAll(() => setAccount(IBAN));
      afterAll(() => setAccount(null, null));

      it('names it, with a QR code over what is still owed', async () => {
        const { body } = await ofStranger('partly');
        await world().post('/v1/invoices/partly/payments', { amount: 1_900 });
        const details = await detailsOf('partly');
        expect(details).toMatchObject({
          beneficiary: { name: 'Markthalle GmbH', iban: IBAN, bic: 'COBADEFFXXX' },
          amount: 10_000,
        });
        const qr = `BCD\n002\n1\nSCT\nCOBADEFFXXX\nMarkthalle GmbH\n${IBAN}\nEUR100.00\n\n${body.payment_reference}`;
        expect(details.epc_qr).toBe(qr);
        expect(details.installments).toMatchObject([{ number: 1, amount: 10_000, epc_qr: qr }]);
      });

      it('names the platform as its holder if the account has no other', async () => {
        await setAccount(IBAN, null);
        expect((await detailsOf('partly')).beneficiary.name).toBe(world().platform.name);
        await setAccount(IBAN);
      });

      it('shows each instalment that is owed, with its day in the time zone of the platform', async () => {
        await world().sql(`update platforms set time_zone = 'Pacific/Auckland'`);
        const { body } = await invoiceOf([await order({ payment_term: 'SPLIT_3M' })], grossOf(9_000));
        await world().sql(`update platforms set time_zone = 'UTC'`);
        const [first, second, third] = body.installments;
        await world().post(`/v1/invoices/${body.external_id}/payments`, { amount: first.amount + 1_000 });
        const { installments, ...details } = await detailsOf(body.external_id);
        // 30.02, 29.99 and 29.99: the remainder is in the first.
        expect(details).toMatchObject({
          amount: 4_998,
          due_amount: 1_999,
          due_at: second.due_at,
          due_on: '2026-01-21',
        });
        expect(installments).toMatchObject([
          { number: 2, amount: 1_999, due_at: second.due_at, due_on: '2026-01-21' },
          { number: 3, amount: 2_999, due_at: third.due_at, due_on: '2026-02-21' },
        ]);
        expect(installments[0].epc_qr).toContain('\nEUR19.99\n');
        expect(details.epc_qr).toContain('\nEUR49.98\n');
      });

      it.each([
        ['paid', (id: string) => world().post(`/v1/invoices/${id}/paid`)],
        ['cancelled', (id: string) => world().post(`/v1/invoices/${id}/refund`)],
      ])('asks for nothing once it is %s', async (id, end) => {
        await ofStranger(id);
        expect((await end(id)).status).toBe(200);
        expect(await detailsOf(id)).toMatchObject({
          ...{ amount: 0, due_amount: 0, epc_qr: null, installments: [], beneficiary: { iban: IBAN } },
        });
      });

      it('asks for what is due, without what a dispute keeps back', async () => {
        await ofStranger('contested');
        const dispute = { external_id: 'part', reason: 'DAMAGED', amount: 1_900 };
        await world().post('/v1/invoices/contested/disputes', dispute);
        expect(await detailsOf('contested')).toMatchObject({ amount: 11_900, due_amount: 10_000 });
      });

      it('has no QR code in pounds, or where the buyer is debited', async () => {
        await ofStranger('pounds', { amount: { net: 1_000, gross: 1_000, currency: 'GBP' } });
        expect(await detailsOf('pounds')).toMatchObject({ beneficiary: { iban: IBAN }, epc_qr: null });
        await ofStranger('debited');
        await world().sql(`update invoices set payment_method = 'DEBIT' where external_id = 'debited'`);
        expect(await detailsOf('debited')).toMatchObject({ payment_method: 'DEBIT', epc_qr: null });
      });
    });

    describe('of an invoice whose claim has moved', () => {
      beforeAll(async () => {
        await ofStranger('moved');
        await world().sql(`update invoices set is_financed = true where external_id = 'moved'`);
        await setAccount(IBAN);
      });
      const speak = (language: string | null) =>
        world().put('/v1/buyers/stranger/settings', { language, formality: 'FORMAL' });

      it('has the notice of assignment in the language of the buyer, with the account', async () => {
        await speak('DE');
        expect((await detailsOf('moved')).notice_of_assignment).toEqual({
          language: 'DE',
          text:
            'Nordlicht Kaffeerösterei GmbH hat die Forderung aus dieser Rechnung an Markthalle GmbH abgetreten. Zahlungen mit ' +
            'schuldbefreiender Wirkung können nur an Markthalle GmbH geleistet werden.\n' +
            'Konto für die Zahlung: Markthalle GmbH, IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX',
        });
      });

      it.each(LANGUAGES)('names both parties and the account in %s', async (language) => {
        await speak(language);
        const { notice_of_assignment: notice } = await detailsOf('moved');
        const { text } = translatorOf(language, 'FORMAL');
        const parties = { merchant: 'Nordlicht Kaffeerösterei GmbH', assignee: 'Markthalle GmbH' };
        const [first, second] = notice.text.split('\n');
        expect(notice.language).toBe(language);
        expect(first).toBe(text('assignment.notice', parties));
        // Named once as the new creditor, and again as the only party that can be paid.
        expect(first.split('Markthalle GmbH').length).toBeGreaterThanOrEqual(3);
        expect(first).toContain('Nordlicht Kaffeerösterei GmbH');
        expect(second).toContain('IBAN DE89 3704 0044 0532 0130 00');
      });

      it('has it without an account too', async () => {
        await setAccount(null, null);
        await speak('EN');
        const { name } = world().platform;
        const { beneficiary, notice_of_assignment: notice } = await detailsOf('moved');
        expect(beneficiary).toBeNull();
        expect(notice.text).toBe(
          `Nordlicht Kaffeerösterei GmbH has assigned the claim under this invoice to ${name}. Only payments to ${name} discharge this debt.`,
        );
      });
    });
  });

  it('is open to the key of the merchant, who prints it', async () => {
    await ofStranger('mine');
    const key = await world().addKey({ scopes: ['read'], merchantExternalId: 'merchant' });
    expect((await world().get('/v1/invoices/mine/payment_details', { key })).status).toBe(200);
    const other = await world().addKey({ scopes: ['read'], merchantExternalId: 'other-merchant' });
    expectProblem(await world().get('/v1/invoices/mine/payment_details', { key: other }), 'NOT_FOUND');
  });

  it('404 for an unknown invoice', async () => {
    expectProblem(await world().get('/v1/invoices/nothing/payment_details'), 'NOT_FOUND');
  });
});
