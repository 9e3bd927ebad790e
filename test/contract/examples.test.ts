/**
 * Every example of openapi.json is sent to a server with the demo story, in the document's order, DELETE last. What comes
 * back is recorded as the example of the answer: `npx vitest run test/contract/examples.test.ts -u` records it again.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeApi } from '#api/openapi';
import { v1 } from '#api/v1';
import { EXAMPLE_DECISION_ID } from '#modules/underwriting';
import { EXAMPLE_EVENT_ID } from '#modules/webhooks';
import { type DocumentedOperation, type Json, readApiDocument } from '#test/api-document';
import { attemptAll, recoverAll } from '#test/events';
import { addFiledDocument } from '#test/filed-documents';
import { addLateCharge } from '#test/late-charges';
import { addSentMail } from '#test/mails';
import { changeReminders } from '#test/reminders';
import { addService } from '#test/services';
import { createStoryWorld, STORY_SEEDED_AT } from '#test/story-world';
import type { World } from '#test/world';

const { operations, follow, faultsOf, exampleOf, headerFaults } = readApiDocument(
  JSON.stringify(describeApi(v1)),
);
const inOrder = operations.toSorted((one, other) => Number(isDelete(one)) - Number(isDelete(other)));

const ANSWERS_FILE = '../../src/api/openapi/answers.json';
const NO_FILE = {
  code: 'NO_INVOICE_FILE_FOUND' as const,
  description: 'The invoice has no file of the kind INVOICE.',
};
const DOCUMENT = { documentId: 'example-document', invoice: 'example-invoice', buyer: 'cafe-morgenrot' };
const LINE_WIDTH = 110;

describe('the examples of openapi.json', () => {
  let world: World;
  const answers: Record<string, unknown> = {};
  /** `Buyer.legal_name` of every documented field that an answer had. */
  const seen = new Set<string>();
  beforeAll(async () => {
    world = await createStoryWorld();
  });
  afterAll(() => world.close());

  it.each(inOrder)('$id works as documented', async (operation) => {
    const { id, described } = operation;
    const { method, path, body } = exampleOf(operation);
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
    const reply = await world.send(method, path, { ...(body !== undefined && { body }) });
    const [status, success] = Object.entries<Json>(described.responses)[0] as [string, Json];
    expect(`${reply.status} ${JSON.stringify(reply.body)}`).toMatch(new RegExp(`^${status} `));
    expect(headerFaults(reply, success)).toEqual([]);
    const { schema } = success.content['application/json'] ?? {};
    // A file.
    if (!schema) return;
    expect(faultsOf(schema, reply.body)).toBe('');
    collectFields(schema, reply.body, seen);
    answers[id] = withoutChance(reply.body);
  });

  it('are answered as the document shows', async () => {
    await expect(printJson(answers)).toMatchFileSnapshot(ANSWERS_FILE);
  });

  it('bring out every documented field of an answer', () => {
    const documented = new Set<string>();
    for (const { described } of operations)
      for (const response of Object.values<Json>(described.responses).slice(0, 1))
        if (response.content['application/json'])
          fieldsBelow(response.content['application/json'].schema, documented);
    expect(documented.size).toBeGreaterThan(80);
    expect([...documented].filter((field) => !seen.has(field))).toEqual([]);
  });
});

/** A late charge on the invoice of the example, and a payment that settles only it. */
async function payLateCharge(world: World): Promise<void> {
  await addLateCharge(world, 'example-invoice');
  await world.sql(`update platforms set late_charge_order = 'CHARGES_FIRST'`);
  const body = { external_id: 'example-charge-payment', amount: 258, received_by: 'PLATFORM' };
  expect((await world.post('/v1/invoices/example-invoice/payments', body)).status).toBe(201);
  await world.sql(`update platforms set late_charge_order = 'PRINCIPAL_FIRST'`);
  // The last of the invoice's payments: chance names the others of this second.
  await world.sql('update invoice_payments set created_at = created_at + 1 where external_id = $1', [
    body.external_id,
  ]);
}

/** Disputes for further decisions: one is decided once. */
async function addDisputes(world: World): Promise<void> {
  for (const external_id of ['example-dispute-2', 'example-dispute-3'])
    await world.post('/v1/invoices/example-invoice/disputes', { external_id, reason: 'OTHER', amount: 100 });
}

/** A promise that no example has withdrawn. */
async function addPromise(world: World): Promise<void> {
  const promise = { external_id: 'example-promise-2', amount: 100, until: 1_900_000_000 };
  expect((await world.post('/v1/invoices/example-invoice/promises', promise)).status).toBe(201);
}

/** Moves the claim of the example, or gives it back: no operation of the document does. */
async function setFinanced(world: World, isFinanced: boolean): Promise<void> {
  const external_id = 'example-invoice';
  await world.sql('update invoices set is_financed = $1 where external_id = $2', [isFinanced, external_id]);
}

function isDelete({ method }: DocumentedOperation): boolean {
  return method === 'DELETE';
}

function collectFields(schema: Json, value: Json, seen: Set<string>): void {
  if (value === null || value === undefined) return;
  const target = follow(schema.anyOf?.[0] ?? schema);
  if (target.type === 'array') for (const item of value) collectFields(target.items, item, seen);
  for (const [name, property] of Object.entries<Json>(target.properties ?? {})) {
    if (!(name in value)) continue;
    seen.add(`${target.title}.${name}`);
    collectFields(property, value[name], seen);
  }
}

function fieldsBelow(schema: Json, fields: Set<string>): void {
  const target = follow(schema.anyOf?.[0] ?? schema);
  if (target.type === 'array') fieldsBelow(target.items, fields);
  for (const [name, property] of Object.entries<Json>(target.properties ?? {})) {
    const field = `${target.title}.${name}`;
    if (fields.has(field)) continue;
    fields.add(field);
    fieldsBelow(property, fields);
  }
}

/** What chance and the real time decide, as one value that is always the same. */
const FIXED = {
  signing_secret: 'tl_whsec_ExampleOnlyExampleOnlyExampleOnlyExampleOn',
  previous_secret_until: STORY_SEEDED_AT + 3_600,
  event_id: '0b6f0a52-3c1e-4a8b-9f60-5d2c7c1e9a41',
};

function withoutChance(body: Json): Json {
  const fixed = Object.entries(FIXED).filter(([name]) => body?.[name]);
  return fixed.length === 0 ? body : { ...body, ...Object.fromEntries(fixed) };
}

/** As the formatter of the repository wants it: lists of plain values on one line, as long as that is no longer than it may be. */
function printJson(value: unknown): string {
  const withoutRandomIds = JSON.stringify(value, null, 2)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+(\/checkout\/logos\/)/g, 'https://credit.example.com$1')
    .replaceAll(
      /http:\/\/127\.0\.0\.1:\d+\/checkout\/[\w-]{48}"/g,
      'https://credit.example.com/checkout/ExampleOnlyExampleOnlyExampleOnlyExampleOnl"',
    )
    .replaceAll(
      /http:\/\/127\.0\.0\.1:\d+\/buyer\/[\w-]{60,}"/g,
      'https://credit.example.com/buyer/ExampleOnlyExampleOnlyExampleOnlyExampleOnlyExampleOnlyExampleOnly"',
    )
    .replaceAll(
      /(?<="(?:decision_id|replaced_by)": (?:\[\s+)?)"[\da-f]{8}-[\da-f-]{27}"/g,
      JSON.stringify(EXAMPLE_DECISION_ID),
    )
    // Proven by the platform's key.
    .replaceAll(
      /"next": "[\w-]{30,}"/g,
      '"next": "ExampleOnlyWyItY3JlYXRlZF9hdCIsMTc2MzY0MDAwMCwiZXhhbXBsZSJd"',
    )
    .replaceAll(/"payment_reference": "RF\w+"/g, '"payment_reference": "RF18539007547034"')
    .replaceAll(/\\nRF\w+"/g, '\\nRF18539007547034"')
    .replaceAll(/"assessed_ms": \d+/g, '"assessed_ms": 12')
    // By the clock of the database, which no test sets.
    .replaceAll(/"recorded_at": \d+/g, `"recorded_at": ${STORY_SEEDED_AT}`)
    .replaceAll(/"api_key:\w{12}"/g, '"api_key:tQ3vX8mZkL2p"')
    .replaceAll(/"(event_id|id)": "[\da-f]{8}-[\da-f-]{27}"/g, `"$1": "${EXAMPLE_EVENT_ID}"`)
    .replaceAll(
      /"((?:late_charge_)?external_id)": "[\da-f]{8}-[\da-f-]{27}"/g,
      '"$1": "8deb96ab-a197-46b9-aa8d-2f25ac1ffd0d"',
    );
  const text = withoutRandomIds.replaceAll(
    /^(.*)\[\n\s+([^[\]{}]*?)\n\s+\](,?)$/gm,
    (list, before: string, items: string, after: string) => {
      const line = `${before}[${items.replaceAll(/\n\s+/g, ' ')}]${after}`;
      return line.length > LINE_WIDTH ? list : line;
    },
  );
  // The world's own key has another id each time.
  return `${text.replaceAll(/"api_key:(?!demo-story)[^"]+"/g, '"api_key:HFynBr0CyKbi"')}\n`;
}
