/** The examples of openapi.json as requests to a server with the demo story, and the prerequisites of each. */
import { expect } from 'vitest';
import { describeApi } from '#api/openapi';
import { v1 } from '#api/v1';
import { type DocumentedOperation, readApiDocument } from './api-document.ts';
import { attemptAll, recoverAll } from './events.ts';
import { addFiledDocument } from './filed-documents.ts';
import { addLateCharge } from './late-charges.ts';
import { addSentMail } from './mails.ts';
import { changeReminders } from './reminders.ts';
import { addService } from './services.ts';
import type { Reply, World } from './world.ts';

export const apiOfExamples = readApiDocument(JSON.stringify(describeApi(v1)));

/** Each operation of the API, in the order of the document, DELETE last. */
export const exampleOperations = apiOfExamples.operations.toSorted(
  (one, other) => Number(isDelete(one)) - Number(isDelete(other)),
);

const NO_FILE = {
  code: 'NO_INVOICE_FILE_FOUND' as const,
  description: 'The invoice has no file of the kind INVOICE.',
};
const DOCUMENT = { documentId: 'example-document', invoice: 'example-invoice', buyer: 'cafe-morgenrot' };

/**
 * Sends the example of an operation to a story world that has received the earlier ones, and expects the status of success. `during` sends
 * the request once its prerequisites exist.
 */
export async function sendExample(
  world: World,
  operation: DocumentedOperation,
  during: (send: () => Promise<Reply>) => Promise<Reply> = (send) => send(),
): Promise<Reply> {
  await prepareExample(world, operation.id);
  const { method, path, body } = apiOfExamples.exampleOf(operation);
  const reply = await during(() => world.send(method, path, { ...(body !== undefined && { body }) }));
  const [status] = Object.keys(operation.described.responses);
  expect(`${reply.status} ${JSON.stringify(reply.body)}`).toMatch(new RegExp(`^${status} `));
  return reply;
}

async function prepareExample(world: World, id: string): Promise<void> {
  await setFinanced(world, id === 'getInvoicePaymentDetails');
  if (id === 'getInvoice')
    await addService(world, { invoice: 'example-invoice', status: 'REJECTED', requirements: [NO_FILE] });
  if (id === 'getInvoice') await changeReminders(world, 'example-invoice', ['begin', 'step']);
  if (id === 'listInvoicePayments') await payLateCharge(world);
  if (id === 'simulateService') await addService(world, { invoice: 'example-invoice', type: 'INSURANCE' });
  if (id === 'withdrawPromise') await addPromise(world);
  if (id === 'rejectDispute' || id === 'withdrawDispute') await addDisputes(world);
  if (id === 'listMessages') await addSentMail(world);
  if (id === 'listFiledDocuments') await addFiledDocument(world, world.platform.platform_id, DOCUMENT);
  if (id === 'listWebhookDeliveries') await attemptAll(world);
  if (id === 'listWebhooks') await recoverAll(world);
}

/** A late charge on the invoice of the example, and a payment that settles only it. */
async function payLateCharge(world: World): Promise<void> {
  await addLateCharge(world, 'example-invoice');
  await world.sql(`update platforms set late_charge_order = 'CHARGES_FIRST'`);
  const body = { external_id: 'example-charge-payment', amount: 258, received_by: 'PLATFORM' };
  expect((await world.post('/v1/invoices/example-invoice/payments', body)).status).toBe(201);
  await world.sql(`update platforms set late_charge_order = 'PRINCIPAL_FIRST'`);
  // Makes it the last of the invoice's payments: the other payments of this second have random ids.
  await world.sql('update invoice_payments set created_at = created_at + 1 where external_id = $1', [
    body.external_id,
  ]);
}

/** Disputes for further decisions, because each can be decided only once. */
async function addDisputes(world: World): Promise<void> {
  for (const external_id of ['example-dispute-2', 'example-dispute-3'])
    await world.post('/v1/invoices/example-invoice/disputes', { external_id, reason: 'OTHER', amount: 100 });
}

/** A promise that no example has withdrawn. */
async function addPromise(world: World): Promise<void> {
  const promise = { external_id: 'example-promise-2', amount: 100, until: 1_900_000_000 };
  expect((await world.post('/v1/invoices/example-invoice/promises', promise)).status).toBe(201);
}

/** Moves the claim of the example, or returns it, which no documented operation does. */
async function setFinanced(world: World, isFinanced: boolean): Promise<void> {
  await world.sql(
    `update invoices set is_financed = $1 where platform_id = $2 and external_id = 'example-invoice'`,
    [isFinanced, world.platform.platform_id],
  );
}

function isDelete({ method }: DocumentedOperation): boolean {
  return method === 'DELETE';
}
