import { beforeEach, describe, expect, it } from 'vitest';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';

const { debtor, eventsAbout, invoice, mailsAbout, pay, show, until, world } = useDunning();
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1_000;
const promise = (id: string, body: object, more: object = {}) =>
  world().post(`/v1/invoices/${id}/promises`, body, more);
beforeEach(() => world().clock.set(INVOICING_NOW));

describe('POST /v1/invoices/{external_id}/promises', () => {
  describe('201', () => {
    it('stops the reminders until its day; they go on the day after it, where it is broken', async () => {
      const late = await invoice(await debtor());
      await until('2025-12-12');
      const body = {
        external_id: `of-${late}`,
        amount: 60_000,
        currency: 'EUR',
        until: noonOf('2025-12-17'),
      };
      const { status, body: made } = await promise(late, body);
      expect(status).toBe(201);
      expect(made).toEqual({
        ...{ external_id: `of-${late}`, invoice_external_id: late, amount: 60_000, currency: 'EUR' },
        ...{ until: noonOf('2025-12-17') + 43_200, created_at: noonOf('2025-12-12'), withdrawn_at: null },
      });
      await until('2025-12-17');
      expect((await show(late)).dunning).toMatchObject({ status: 'PAUSED', paused_by: 'PROMISE', step: 2 });
      await until('2025-12-18');
      expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', paused_by: null, step: 3 });
      expect(await eventsAbout(late)).toEqual(['STEP 1', 'STEP 2', 'PAUSED 2', 'RESUMED 2', 'STEP 3']);
    });

    it('can last until the last instant of a request', async () => {
      const late = await invoice(await debtor());
      await until('2025-12-12');
      const made = await promise(late, { until: 253_402_300_799 });
      expect(made.status).toBe(201);
      await until('2025-12-15');
      expect((await show(late)).dunning).toMatchObject({ status: 'PAUSED', paused_by: 'PROMISE', step: 2 });
    });

    it('is over all that is outstanding, and has a UUID, unless said; today is its first possible day', async () => {
      const late = await invoice(await debtor());
      await pay(late, 40_000);
      const { status, body } = await promise(late, { until: INVOICING_NOW });
      expect(status).toBe(201);
      expect(body).toMatchObject({ amount: 60_000, external_id: expect.stringMatching(/^[\da-f-]{36}$/) });
    });

    it('withdraws the reminder that waits', async () => {
      const late = await invoice(await debtor());
      await until('2025-12-15');
      await promise(late, { until: noonOf('2025-12-20') });
      await until('2025-12-15');
      expect((await mailsAbout(late)).map(({ status }) => status)).toEqual(Array(3).fill('WITHDRAWN'));
    });

    it('is made once for an Idempotency-Key', async () => {
      const late = await invoice(await debtor());
      const more = { headers: { 'idempotency-key': `promise-${late}` } };
      const first = await promise(late, { until: noonOf('2025-12-20') }, more);
      const again = await promise(late, { until: noonOf('2025-12-20') }, more);
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect((await world().get(`/v1/invoices/${late}/promises`)).body.total).toBe(1);
    });

    it('is taken of a merchant for its own claim', async () => {
      const late = await invoice(await debtor());
      const key = await world().addKey({ merchantExternalId: 'merchant' });
      expect((await promise(late, { until: noonOf('2025-12-20') }, { key })).status).toBe(201);
    });
  });

  it.each([
    ['that ends before today', { until: INVOICING_NOW - 86_400 }, 'body.until'],
    ['over nothing', { until: INVOICING_NOW, amount: 0 }, 'body.amount'],
    ['in another currency', { until: INVOICING_NOW, currency: 'PLN' }, 'body.currency'],
    ['without an end', {}, 'body.until'],
    ['until a word', { until: 'tomorrow' }, 'body.until'],
  ])('400: for one %s', async (_, body, path) => {
    const reply = await promise(await invoice(await debtor()), body);
    expect(reply).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(reply.text).toContain(path);
  });

  it('403: by a merchant, once its claim is the platform’s', async () => {
    const late = await invoice(await debtor());
    await world().sql('update invoices set is_financed = true where external_id = $1', [late]);
    const key = await world().addKey({ merchantExternalId: 'merchant' });
    expect(await promise(late, { until: noonOf('2025-12-20') }, { key })).toMatchObject({
      ...{ status: 403, body: { reason: 'MERCHANT_NOT_ALLOWED' } },
    });
  });

  it('404: for an unknown invoice, and one of another merchant', async () => {
    const late = await invoice(await debtor());
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    expect((await promise('unknown', { until: INVOICING_NOW })).status).toBe(404);
    expect((await promise(late, { until: INVOICING_NOW }, { key })).status).toBe(404);
  });

  it('409: for an external_id that is taken', async () => {
    const late = await invoice(await debtor());
    const body = { external_id: `twice-${late}`, until: INVOICING_NOW };
    expect((await promise(late, body)).status).toBe(201);
    expect(await promise(await invoice(await debtor()), body)).toMatchObject({
      ...{ status: 409, body: { reason: 'EXTERNAL_ID_ALREADY_EXISTS' } },
    });
  });

  it('422: over more than is outstanding, and of an invoice that is paid', async () => {
    const late = await invoice(await debtor());
    expect(await promise(late, { amount: 100_001, until: INVOICING_NOW })).toMatchObject({
      status: 422,
      body: { reason: 'PROMISE_EXCEEDS_OUTSTANDING', details: { outstanding: 100_000 } },
    });
    await pay(late, 100_000);
    expect((await promise(late, { until: INVOICING_NOW })).status).toBe(422);
  });
});
