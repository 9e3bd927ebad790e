import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DisputeForm, PDF_FILE, PNG_FILE, pageText, tellDisputeForm, WHOLE } from '#test/dispute-form';

let form: DisputeForm;
beforeAll(async () => {
  form = await tellDisputeForm();
});
afterAll(() => form.close());
beforeEach(() => form.newInvoice());

describe('the disputes of an invoice', () => {
  const decided = async (path: string, body?: object, key = form.world.apiKey) => {
    const dispute = (await form.disputes())[0]?.external_id;
    const { status, text } = await form.world.post(
      `/v1/invoices/${form.invoice()}/disputes/${dispute}/${path}`,
      body,
      { key },
    );
    if (status !== 200) throw new Error(text);
  };
  const shown = async () => pageText(await form.page.get(`invoices/${form.invoice()}`));

  it('show what is contested, why, and the files', async () => {
    await form.send([
      ['about', 'LINES'],
      ['lines', '2'],
      ['amount2', '2'],
      ['reason', 'NOT_ORDERED'],
      ['comment', 'We have enough.'],
      ['files', PDF_FILE],
    ]);
    const text = await shown();
    expect(text).toMatch(
      /Under review €2\.00 Never ordered · Filter papers · \d+ \w+ 20\d\d We have enough\. delivery note\.pdf/,
    );
    const file = (await form.disputes())[0]?.file_external_ids[0];
    const { status, headers } = await form.page.get(`invoices/${form.invoice()}/files/${file}`);
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      "attachment; filename*=UTF-8''delivery%20note.pdf",
    ]);
    expect((await form.page.get(`invoices/overdue/files/${file}`)).status).toBe(404);
  });

  it('show who rejected one and why: the platform, or the merchant by its key', async () => {
    await form.send(WHOLE);
    await decided('reject', { comment: 'All bags were <whole>.' });
    expect(await shown()).toMatch(/Declined €119\.00 .* Markthalle · .* All bags were &lt;whole&gt;\./);
    await form.send([
      ['about', 'AMOUNT'],
      ['amount', '5'],
      ['reason', 'WRONG_PRICE'],
    ]);
    const key = await form.world.addKey({ merchantExternalId: 'merchant' });
    const open = (await form.disputes()).find(({ status }) => status === 'OPEN');
    await form.world.post(
      `/v1/invoices/${form.invoice()}/disputes/${open?.external_id}/reject`,
      { comment: 'As agreed.' },
      { key },
    );
    expect(await shown()).toMatch(
      /Declined €5\.00 .* Nordlicht Kaffeerösterei GmbH · .* As agreed\. Declined €119\.00/,
    );
  });

  it('show what was accepted', async () => {
    await form.send(WHOLE);
    await decided('accept', { amount: { net: 1_000, tax: 190, gross: 1_190 }, comment: 'We are sorry.' });
    expect(await shown()).toMatch(/Accepted · €11\.90 €119\.00 .* We are sorry\./);
  });

  it('can be withdrawn while open, once, in whatever window', async () => {
    await form.send(WHOLE);
    const dispute = (await form.disputes())[0]?.external_id;
    const path = `invoices/${form.invoice()}/disputes/${dispute}/withdraw`;
    expect((await form.page.get(`invoices/${form.invoice()}`)).text).toContain('Withdraw dispute');
    const replies = [await form.page.post(path), await form.page.post(path)];
    expect(replies.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, `../../../../invoices/${form.invoice()}`],
      [303, `../../../../invoices/${form.invoice()}`],
    ]);
    expect(await form.disputes()).toMatchObject([{ status: 'WITHDRAWN', decided_by: 'buyer' }]);
    const text = await shown();
    expect(text).toMatch(/Withdrawn €119\.00 .* Café Morgenrot eG ·/);
    expect(text).not.toContain('Withdraw dispute');
    expect(text).toContain('Dispute this invoice');
  });

  it('leave a file of one to the buyer: a key of the merchant cannot delete it', async () => {
    await form.send([...WHOLE, ['files', PNG_FILE]]);
    const file = (await form.files())[0]?.external_id;
    const key = await form.world.addKey({ merchantExternalId: 'merchant' });
    const path = `/v1/invoices/${form.invoice()}/files/${file}`;
    expect(await form.world.delete(path, { key })).toMatchObject({
      ...{ status: 403, body: { reason: 'MERCHANT_NOT_ALLOWED' } },
    });
    expect((await form.world.delete(path)).status).toBe(200);
    expect((await form.page.get(`invoices/${form.invoice()}`)).status).toBe(200);
  });

  it('name the first day of a month as the language writes it', async () => {
    await form.send(WHOLE);
    await form.world.sql(`update disputes set opened_on = '2026-01-01' where invoice_external_id = $1`, [
      form.invoice(),
    ]);
    const shownIn = async (language: string) => {
      expect((await form.world.put('/v1/buyers/buyer/settings', { language })).status).toBe(200);
      return shown();
    };
    expect(await shownIn('FR')).toContain('· 1er janvier 2026');
    expect(await shownIn('IT')).toContain('· 1º gennaio 2026');
    await shownIn('EN');
  });
});
