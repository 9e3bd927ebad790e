import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { nameDecision } from '#test/decisions';
import { recordNamedEvent } from '#test/events';
import { addFiledDocument } from '#test/filed-documents';
import { FILES } from '#test/files';
import { postNamed } from '#test/ledger';
import { namePayout } from '#test/payout-rows';
import {
  creditNoteWith,
  disputeWith,
  filesWith,
  invoiceWith,
  mandateWith,
  payeeWith,
  paymentWith,
  promiseWith,
} from '#test/tenant-bodies';
import { tenantProbes } from '#test/tenant-probes';
import { createWorld, type Reply, type World } from '#test/world';
import { v1 } from '../../src/api/v1.ts';

/** A text in every text field of the other tenant, and nowhere else. */
const MARK = 'ZEBRAFINK';
const NOW = 1_763_640_000;

/** One set of names for the platforms that send requests, one for the platform that they must not see. */
const names = {
  buyers: { own: 'own-buyer', foreign: 'their-buyer' },
  payout_instructions: { own: 'own-account', foreign: 'their-account' },
  payouts: { own: 'own-payout', foreign: 'their-payout' },
  bank_accounts: { own: 'own-bank-account', foreign: 'their-bank-account' },
  merchants: { own: 'own-merchant', foreign: 'their-merchant' },
  contacts: { own: 'own-contact', foreign: 'their-contact' },
  files: { own: 'own-file', foreign: 'their-file' },
  mandates: { own: 'OWN/1', foreign: 'THEIRS/1' },
  orders: { own: 'own-order', foreign: 'their-order' },
  invoices: { own: 'own-invoice', foreign: 'their-invoice' },
  payments: { own: 'own-payment', foreign: 'their-payment' },
  credit_notes: { own: 'own-credit-note', foreign: 'their-credit-note' },
  disputes: { own: 'own-dispute', foreign: 'their-dispute' },
  promises: { own: 'own-promise', foreign: 'their-promise' },
  documents: { own: 'own-document', foreign: 'their-document' },
  decisions: {
    own: '00000000-0000-4000-8000-000000000001',
    foreign: '00000000-0000-4000-8000-000000000002',
  },
  entries: {
    own: '00000000-0000-4000-8000-000000000003',
    foreign: '00000000-0000-4000-8000-000000000004',
  },
  events: {
    own: '00000000-0000-4000-8000-000000000005',
    foreign: '00000000-0000-4000-8000-000000000006',
  },
  webhooks: { own: 'MERCHANT', foreign: 'BUYER.UPDATED' },
  text: { own: 'own', foreign: MARK },
};

const probes = tenantProbes(v1, names);

interface Tenant {
  platformId: number;
  apiKey: string;
}

let world: World;
/** Two platforms in the same state: one sends its requests before the other tenant has any data, one after. */
let before: Tenant;
let after: Tenant;
let other: Tenant;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  before = await addTenant('twin-1');
  after = await addTenant('twin-2');
  for (const twin of [before, after]) await fill(twin, 'own', 'Own text');
  other = await addTenant('other');
});
afterAll(() => world.close());

async function addTenant(code: string): Promise<Tenant> {
  const { platform, apiKey } = await world.addPlatform({ code, name: code === 'other' ? MARK : 'The twin' });
  return { platformId: platform.platform_id, apiKey };
}

/** One resource of every kind, with the text in every text field. */
async function fill({ apiKey: key, platformId }: Tenant, whose: 'own' | 'foreign', text: string) {
  const id = (kind: string) => names[kind as keyof typeof names][whose];
  // A country whose postcodes and numbers may be any text.
  const address = { street: text, house: text, postcode: text, city: text, country: 'AE', additional: text };
  const company = {
    legal_name: text,
    trading_name: text,
    business_identifiers: [{ type: 'REGISTER_ID', value: text, country: 'AE' }],
    business_address: address,
  };
  const things: [path: string, body: object][] = [
    [
      '/v1/buyers',
      buyerBody({
        external_id: id('buyers'),
        ...company,
        delivery_address: address,
        custom_data: { text },
        // The outcome script of the sandbox, so that the facility has a ledger.
        contact_email: `accepted@${text.replace(' ', '-')}.example`,
      }),
    ],
    [
      '/v1/merchants',
      merchantBody({
        external_id: id('merchants'),
        ...company,
        contact_emails: [`${text.replace(' ', '.')}@mail.example`],
      }),
    ],
    [
      '/v1/contacts',
      {
        external_id: id('contacts'),
        buyer_external_id: id('buyers'),
        first_name: text,
        last_name: text,
        address,
      },
    ],
    [
      '/v1/orders/draft',
      draftOrderBody({
        external_id: id('orders'),
        buyer_external_id: id('buyers'),
        merchant_external_id: id('merchants'),
        comment: text,
        custom_data: { text },
        line_items: [{ name: text, category: text, price: 1, quantity: 1 }],
      }),
    ],
    ['/v1/invoices', invoiceWith(text, id)],
    ['/v1/credit_notes', creditNoteWith(text, id)],
    [`/v1/invoices/${id('invoices')}/payments`, paymentWith(text, id)],
    [filesWith(text, id), FILES['application/pdf']],
    [`/v1/invoices/${id('invoices')}/disputes`, disputeWith(text, id)],
    [`/v1/invoices/${id('invoices')}/promises`, promiseWith(id)],
    [`/v1/buyers/${id('buyers')}/mandates`, mandateWith(text, id)],
    ['/v1/payout_instructions', payeeWith(text, id)],
    [`/v1/buyers/${id('buyers')}/facility`, { requested_amount: 1_000 }],
    ['/v1/webhooks', { type: id('webhooks'), url: `http://127.0.0.1:9/${encodeURIComponent(text)}` }],
  ];
  for (const [index, [path, body]] of things.entries()) {
    const reply = await world.post(path, body, { key, headers: { 'idempotency-key': `${whose}-${index}` } });
    expect(reply).toMatchObject({ status: 201 });
  }
  await nameOthers(platformId, id, text);
}

/** Resources that no operation of the API creates. */
async function nameOthers(platformId: number, id: (kind: string) => string, text: string): Promise<void> {
  await nameDecision(world, platformId, id('buyers'), id('decisions'));
  // Documents contain it, and their bytes are compared.
  await world.sql("update invoices set payment_reference = 'RF18539007547034' where platform_id = $1", [
    platformId,
  ]);
  await recordNamedEvent(world, platformId, id('events'), id('merchants'));
  await namePayout(world, platformId, {
    ...{ externalId: id('payouts'), instruction: id('payout_instructions') },
    ...{ merchant: id('merchants'), invoice: id('invoices') },
  });
  const document = { documentId: id('documents'), invoice: id('invoices'), buyer: id('buyers') };
  await addFiledDocument(world, platformId, document);
  await world.sql(
    `insert into bank_accounts (platform_id, external_id, currency, created_at, actor, number_sealed, number_mac, number_masked)
     values ($1, $2::text, 'EUR', $3, 'operator:fin', '', decode(md5($2::text), 'hex'), '…3000')`,
    [platformId, id('bank_accounts'), NOW],
  );
  await postNamed(world, platformId, id('entries'), id('buyers'), text.replace(' ', '-'));
}

/** Sends every probe, with an Idempotency-Key that the other tenant uses too. */
async function sendAll({ apiKey: key }: Tenant): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const [index, { method, path, body }] of probes.entries()) {
    const headers = index < 5 ? { 'idempotency-key': `foreign-${index}` } : {};
    replies.push(await world.send(method, path, { key, headers, ...(body !== undefined && { body }) }));
  }
  return replies;
}

/** A response without the values that always differ: request id, time, new secret, new event. */
function said({ status, headers, text }: Reply) {
  // The length of a compressed response depends on its random ids, and so does a digest in an ETag.
  const lasting = [...headers]
    .filter(([name]) => !['request-id', 'date', 'content-length'].includes(name))
    .map(([name, value]) => [name, name === 'etag' ? value.replace(/-[\da-f]{12}/, '') : value]);
  const timeless = text
    .replace(/"signing_secret":"[^"]+"/, '"signing_secret":""')
    .replace(/"url":"[^"]+\/buyer\/[\w-]+"/, '"url":""')
    .replaceAll(/"event_id":"[^"]+"/g, '"event_id":""')
    .replaceAll(/"id":"[\da-f-]{36}"/g, '"id":""')
    .replaceAll(/"payment_reference":"\w+"/g, '"payment_reference":""')
    // Ids of services are random.
    .replaceAll(/"external_id":"[\da-f]{8}-[\da-f-]{27}"/g, '"external_id":""')
    // A probe that creates a decision gets a new id for it.
    .replaceAll(/"decision_id":"[^"]+"/g, '"decision_id":""')
    .replaceAll(/"assessed_ms":\d+/g, '"assessed_ms":0')
    // The database's clock, not the test's.
    .replaceAll(
      /"(recorded_at|created_at|waiting_since|oldest_waiting_since|last_success_at|next_attempt_at)":\d+/g,
      '"$1":0',
    )
    .replaceAll(/"(actor|opened_by|decided_by)":"api_key:\w+"/g, '"$1":"api_key"')
    .replace(/"code":"twin-\d"/, '"code":"twin"');
  return { status, headers: lasting, text: timeless };
}

/** Every row of every table that belongs to the tenant. */
async function rowsOf({ platformId }: Tenant): Promise<Record<string, string[]>> {
  const tables = await world.sql<{ name: string }>(
    "select table_name as name from information_schema.columns where column_name = 'platform_id' and table_schema = 'public'",
  );
  expect(tables.length).toBeGreaterThan(10);
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await world.sql<{ row: string }>(
      `select t::text as row from ${name} t where platform_id = $1 order by 1`,
      [platformId],
    );
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

describe('what belongs to another tenant', () => {
  it('is answered by every operation like what does not exist', async () => {
    const unknown = await sendAll(before);
    await fill(other, 'foreign', MARK);
    const untouched = await rowsOf(other);
    const foreign = await sendAll(after);

    for (const [index, { name }] of probes.entries()) {
      if (name.includes("another's params.")) expect([name, unknown[index]?.status]).toEqual([name, 404]);
      expect({ name, ...said(foreign[index] as Reply) }).toEqual({ name, ...said(unknown[index] as Reply) });
      expect(
        `${foreign[index]?.text} ${JSON.stringify([...(foreign[index] as Reply).headers])}`,
      ).not.toContain(MARK);
    }
    expect(await rowsOf(other)).toEqual(untouched);
  });

  it('is named by a probe in every field that names something', () => {
    const named = new Set(probes.map(({ name }) => name.split(' ')[0]));
    expect([...named].sort()).toEqual(v1.map(([, , { id }]) => id).sort());
    for (const expected of [
      "getBuyer with another's params.external_id",
      "listOrders with another's query.buyer_external_id.0",
      "createDraftOrder with another's body.merchant_external_id",
      "replaceContact with another's body.buyer_external_id",
      "searchBuyers with another's query.query",
      "rotateWebhookKey with another's params.type",
      "evaluateWhatIf with another's params.decision_id",
      "revokeMandate with another's params.reference",
      "listOrderHistory with another's params.external_id",
      "createInvoice with another's body.order_external_ids.0",
      "createCreditNote with another's body.invoice_external_id",
      "createDispute with another's body.file_external_ids.0",
      "getDispute with another's params.dispute_external_id",
      "withdrawPromise with another's params.promise_external_id",
    ])
      expect(probes.map(({ name }) => name)).toContain(expected);
  });

  it('is requested by probes that are valid otherwise', async () => {
    const missed: string[] = [];
    for (const { name, method, path, body } of probes) {
      const reply = await world.send(method, path, { key: other.apiKey, body });
      if (reply.status === 400) missed.push(`${name}: ${reply.text}`);
    }
    expect(missed).toEqual([]);
  });
});

describe('a new operation', () => {
  const route = (params: string, fields: object) =>
    [
      ['GET', `/v1/widgets/{${params}}`, { id: 'getWidget', params: { properties: fields }, response: {} }],
    ] as never;

  it('must list its ids here', () => {
    const externalId = { type: 'string', pattern: '^[a-zA-Z0-9_-]+$' };
    expect(() => tenantProbes(route('external_id', { external_id: externalId }), names)).toThrow(
      'No id known for params.external_id of getWidget: add the kind widgets.',
    );
    expect(() => tenantProbes(route('token', { token: { type: 'string' } }), names)).toThrow(
      'No id known for the parameter token of getWidget.',
    );
    expect(() => tenantProbes(route('widget', { widget: externalId }), names)).toThrow(
      'What the field widget of widgets names is not known here.',
    );
  });
});
