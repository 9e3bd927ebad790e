import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import { type MailServer, startMailServer } from '#test/mail-server';
import { sendMails } from '#test/send-mails';

const { debtor, invoice, pay, until, world } = useDunning();
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());
beforeEach(() => world().clock.set(INVOICING_NOW));

const filed = (id: string, key?: string) =>
  world().get(`/v1/invoices/${id}/filed_documents`, key === undefined ? {} : { key });
const kindsOf = async (id: string) => (await filed(id)).body.items.map(({ kind }: { kind: string }) => kind);

describe('GET /v1/invoices/{external_id}/filed_documents', () => {
  it('200: a reminder with each invoice that it names, once its mail has left', async () => {
    const buyer = await debtor();
    const [one, other] = [await invoice(buyer), await invoice(buyer)];
    await until('2025-12-15');
    expect((await filed(one)).body).toMatchObject({ items: [], total: 0 });
    await sendMails(world(), server);
    const { status, body } = await filed(one);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      items: [{ document_id: expect.any(String), kind: 'REMINDER', sent_at: expect.any(Number) }],
      total: 1,
    });
    expect((await filed(other)).body).toEqual(body);
  });

  it('200: the earliest first, page by page', async () => {
    const late = await invoice(await debtor());
    for (const day of ['2025-12-15', '2025-12-29']) {
      await until(day);
      await sendMails(world(), server);
    }
    const { items } = (await filed(late)).body;
    expect(items).toHaveLength(2);
    expect(items[0].sent_at).toBeLessThan(items[1].sent_at);
    const page = await world().get(`/v1/invoices/${late}/filed_documents?limit=1&offset=1`);
    expect(page.body.items).toEqual([items[1]]);
  });

  it('200: nothing of a reminder that was withdrawn; the one that was written again is filed with what it names', async () => {
    const buyer = await debtor();
    const [paid, owed] = [await invoice(buyer), await invoice(buyer)];
    await until('2025-12-15');
    await pay(paid, 100_000);
    await until('2025-12-15');
    world().clock.set(world().clock.now() + 3_600);
    await until('2025-12-16');
    await sendMails(world(), server);
    expect(await kindsOf(paid)).toEqual([]);
    expect(await kindsOf(owed)).toEqual(['REMINDER']);
  });

  it('200: a key of one merchant sees no reminder that names invoices of another', async () => {
    const buyer = await debtor();
    const mine = await invoice(buyer);
    await until('2025-12-15');
    await sendMails(world(), server);
    const key = await world().addKey({ merchantExternalId: 'merchant' });
    expect((await filed(mine, key)).body.total).toBe(1);
    await world().sql('update filed_documents set merchant_external_id = null');
    expect((await filed(mine, key)).body.total).toBe(0);
    expect((await filed(mine)).body.total).toBe(1);
  });

  it('404: for an unknown invoice, and for one of another merchant or platform', async () => {
    const late = await invoice(await debtor());
    const stranger = await world().addKey({ merchantExternalId: 'other-merchant' });
    const { apiKey } = await world().addPlatform();
    const replies = [await filed('nobody'), await filed(late, stranger), await filed(late, apiKey)];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
