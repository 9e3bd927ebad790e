/** The notice that a claim has moved, as a document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { notifyOfEvents } from '#modules/notifications';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { startMailServer } from '#test/mail-server';
import { mailsOf } from '#test/mails';
import { plainOf, readPdf } from '#test/pdf';
import { sendMails } from '#test/send-mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { invoiceNotifier } from './invoice-mails.ts';

const NOW = 1_763_640_000;

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' }, platform: { name: 'Markthalle' } });
  world.clock.set(NOW);
  worker = await openWorkerProcess(world);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

describe('a claim that has moved', () => {
  it('has the notice as a document attached, which is filed with the invoice as it was sent', async () => {
    const id = 'moved';
    await world.post('/v1/merchants', merchantBody({}));
    await world.post('/v1/buyers', buyerBody({ contact_email: 'bills@cafe.example' }));
    await world.put('/v1/buyers/buyer/settings', { language: 'EN' });
    const body = invoiceBody({ external_id: id, buyer_external_id: 'buyer', due_at: NOW + 86_400 });
    expect((await world.post('/v1/invoices', body)).status).toBe(201);
    await world.sql('update invoices set is_financed = true');
    await positionEvents(world.installation.db, 1_000);
    expect(await notifyOfEvents(worker, [invoiceNotifier])).toBe(1);
    const [mail] = await mailsOf(world);
    // The platform has no account: the new creditor names the account, not the merchant.
    expect(mail?.text).toContain('Markthalle will send you the bank details separately.');
    const server = await startMailServer();
    const sent = await sendMails(world, server);
    await server.close();
    const [attached] = sent.flatMap(({ files }) => files);
    const said = plainOf((await readPdf(new Uint8Array(attached?.bytes ?? []))).text);
    expect(said).toContain(plainOf('has assigned the claim under this invoice to Markthalle.'));
    // The document stays the same, regardless of later changes to the invoice.
    expect((await world.post(`/v1/invoices/${id}/payments`, { amount: 1_900 })).status).toBe(201);
    const path = `/v1/invoices/${id}/filed_documents`;
    const [filed, ...others] = (await world.get(path)).body.items;
    expect(others).toEqual([]);
    expect(filed.kind).toBe('ASSIGNMENT_NOTICE');
    const reply = await fetch(`${world.baseUrl}${path}/${filed.document_id}`, {
      headers: { authorization: `Bearer ${world.apiKey}` },
    });
    expect(Buffer.from(await reply.arrayBuffer()).equals(attached?.bytes as Buffer)).toBe(true);
  });
});
