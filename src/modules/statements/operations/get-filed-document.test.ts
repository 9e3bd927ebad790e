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

async function read(invoiceId: string, documentId: string, key = world().apiKey) {
  const path = `/v1/invoices/${invoiceId}/filed_documents/${documentId}`;
  const reply = await fetch(`${world().baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const { status, headers } = reply;
  return { status, headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}
const filed = async (id: string) => (await world().get(`/v1/invoices/${id}/filed_documents`)).body.items;

describe('GET /v1/invoices/{external_id}/filed_documents/{document_id}', () => {
  it('200: the bytes that the mail had attached, whatever became of the invoice since', async () => {
    const buyer = await debtor();
    const late = await invoice(buyer);
    await until('2025-12-15');
    const sent = (await sendMails(world(), server)).flatMap(({ files }) => files);
    expect(sent).toHaveLength(1);
    await pay(late, 100_000);
    await world().sql("update buyers set language = 'JA', legal_name = 'Renamed' where external_id = $1", [
      buyer,
    ]);
    const [{ document_id: id }] = await filed(late);
    const { status, headers, bytes } = await read(late, id);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(headers.get('content-disposition')).toContain(`reminder-${late}-2025-`);
    expect(bytes.equals(sent[0]?.bytes as Buffer)).toBe(true);
  });

  it('404: for a document of another invoice, one that was not sent, and for strangers', async () => {
    const late = await invoice(await debtor());
    const other = await invoice(await debtor());
    await until('2025-12-15');
    const [waiting] = await world().sql<{ id: string }>(
      'select document_id as id from filed_document_invoices where invoice_external_id = $1',
      [late],
    );
    const id = waiting?.id ?? '';
    expect((await read(late, id)).status).toBe(404);
    await sendMails(world(), server);
    const stranger = await world().addKey({ merchantExternalId: 'other-merchant' });
    const { apiKey } = await world().addPlatform();
    const replies = [
      await read(late, id),
      await read(other, id),
      await read(late, 'unknown'),
      await read('unknown', id),
      await read(late, id, stranger),
      await read(late, id, apiKey),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404, 404]);
  });

  it('400: for an id that cannot be one', async () => {
    expect((await read(await invoice(await debtor()), 'a%2Fb')).status).toBe(400);
  });
});
