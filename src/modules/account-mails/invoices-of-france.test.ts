/** The texts that French law requires on an invoice, in the mail to a buyer who reads another language. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { notifyOfEvents } from '#modules/notifications';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { mailsOf } from '#test/mails';
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
  await world.post('/v1/merchants', merchantBody({}));
  await world.post('/v1/buyers', buyerBody({ contact_email: 'bills@cafe.example' }));
  await world.put('/v1/buyers/buyer/settings', { language: 'EN' });
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

/** The mail about a new invoice of a merchant in a country. */
async function mailFrom(country: string, { isFinanced = false } = {}) {
  await world.sql(
    `update merchants set business_address = business_address || jsonb_build_object('country', $1::text)`,
    [country],
  );
  const external_id = `of-${country}-${isFinanced}`;
  const body = invoiceBody({ external_id, buyer_external_id: 'buyer', due_at: NOW + 86_400 });
  expect((await world.post('/v1/invoices', body)).status).toBe(201);
  await world.sql('update invoices set is_financed = $1 where external_id = $2', [isFinanced, external_id]);
  await positionEvents(world.installation.db, 1_000);
  expect(await notifyOfEvents(worker, [invoiceNotifier])).toBe(1);
  return (await mailsOf(world)).find(({ cause }) => cause.includes(external_id));
}

const SENTENCES =
  'majoré de 10 points de pourcentage. Une indemnité forfaitaire pour frais de recouvrement de 40,00';
const oneLine = (text: string | undefined) => text?.replaceAll(/\s+/g, ' ');

it('the mail of a new invoice says in French what is owed for paying late, and marks it as French', async () => {
  const mail = await mailFrom('FR');
  expect(mail).toMatchObject({ kind: 'invoice_issued', locale: 'en-GB' });
  expect(oneLine(mail?.text)).toContain(SENTENCES);
  expect(mail?.html).toMatch(/<p class="ink" lang="fr" dir="auto" [^>]+>En cas de retard de paiement/);
});

it('so does the mail that the claim has moved', async () => {
  const mail = await mailFrom('FR', { isFinanced: true });
  expect(mail?.kind).toBe('invoice_assigned');
  expect(oneLine(mail?.text)).toContain(SENTENCES);
});

it('the mail of a merchant elsewhere says nothing of the kind', async () => {
  expect((await mailFrom('DE'))?.text).not.toContain('retard');
});
