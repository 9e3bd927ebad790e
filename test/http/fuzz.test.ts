import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentedOperation, readApiDocument } from '#test/api-document';
import { addMainAccount } from '#test/bank-account';
import { draftOrderBody, invoiceBody, merchantBody } from '#test/bodies';
import { nameDecision } from '#test/decisions';
import { recordNamedEvent } from '#test/events';
import { addFacility } from '#test/facilities';
import { addFiledDocument } from '#test/filed-documents';
import { createFuzzer, type FuzzRequest, fuzzId, fuzzUuid, type Repeating } from '#test/fuzz';
import { postNamed } from '#test/ledger';
import { patience } from '#test/patience';
import { sepaBody } from '#test/payees';
import { namePayout } from '#test/payout-rows';
import { type Answered, faultsOfProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';
import { describeApi } from '../../src/api/openapi.ts';
import { v1 } from '../../src/api/v1.ts';

/** A long run: FUZZ_REQUESTS=5000000 vitest run test/http/fuzz.test.ts. To repeat a run: FUZZ_SEED=… with the printed seed. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 30_000);
const isLongRun = process.env.FUZZ_REQUESTS !== undefined;
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 1e6));
const CLIENTS = 16;
/** For an operation that was never served. */
const MORE_REQUESTS = 500;
/** The bar of the long run, which needs the machine to itself. When other tests run too, a response must only arrive. */
const ANSWER_MS_MAX = isLongRun ? 1_000 : patience(3);

/** Buyers with a facility and a mandate each: enough for requests that need one. */
const BUYERS = 15;
/** The invoices that exist from the start, each with a payment and a dispute of the same number. */
const INVOICES = 30;
const invoiceOf = (nth: number) =>
  invoiceBody({
    external_id: fuzzId('invoices', nth),
    // Before the fuzzer creates credit notes.
    invoiced_at: 1_762_000_000,
    buyer_external_id: fuzzId('buyers', nth % 5),
    merchant_external_id: fuzzId('merchants', nth % 5),
  });

/** A PUT repeats immutable fields, and a payment is reversed on its own invoice. */
const REPEATING: Repeating = {
  replaceInvoice(parts) {
    const nth = numberOf(parts.params.external_id) % INVOICES;
    const { external_id, due_at, payment_method, ...immutable } = invoiceOf(nth);
    const { invoice_number: _, ...body } = parts.body as Record<string, unknown>;
    const params = { external_id };
    return { ...parts, params, body: { ...body, ...immutable, due_at, order_external_ids: [] } };
  },
  reverseInvoicePayment(parts) {
    const nth = numberOf(parts.params.external_id) % INVOICES;
    const params = {
      external_id: fuzzId('invoices', nth),
      payment_external_id: fuzzId('payments', nth),
    };
    return { ...parts, params };
  },
  getDispute: (parts) => ofDispute(parts, 0, 1),
  // Each is decided once. Hardly any amount from the fuzzer is accepted.
  acceptDispute: (parts) => ({ ...ofDispute(parts, 0), body: {} }),
  rejectDispute: (parts) => ofDispute(parts, 1),
  withdrawDispute: (parts) => ofDispute(parts, 2),
  withdrawPromise(parts) {
    const nth = numberOf(parts.params.promise_external_id) % INVOICES;
    const params = { external_id: fuzzId('invoices', nth), promise_external_id: fuzzId('promises', nth) };
    return { ...parts, params };
  },
  getFiledDocument(parts) {
    const nth = numberOf(parts.params.document_id) % INVOICES;
    const params = { external_id: fuzzId('invoices', nth), document_id: fuzzId('documents', nth) };
    return { ...parts, params };
  },
  getMandate: ofMandate,
  revokeMandate: ofMandate,
  cancelInvoiceService(parts) {
    const external_id = insuredInvoice(2 * numberOf(parts.params.external_id));
    return { ...parts, params: { external_id, service_type: 'INSURANCE' } };
  },
  simulateService(parts) {
    const { invoice_external_id, ...body } = parts.body as Record<string, unknown>;
    const invoice = insuredInvoice(2 * numberOf(String(invoice_external_id)) + 1);
    return { ...parts, body: { ...body, invoice_external_id: invoice, service_type: 'INSURANCE' } };
  },
};
/** A dispute on its own invoice, which has the same number: one of `every`, counted from `first`. */
function ofDispute(parts: Parameters<Repeating[string]>[0], first: number, every = 3) {
  const nth = first + every * (numberOf(parts.params.dispute_external_id) % Math.floor(INVOICES / every));
  const params = { external_id: fuzzId('invoices', nth), dispute_external_id: fuzzId('disputes', nth) };
  return { ...parts, params };
}
/** A mandate of its own buyer, which has the same number. */
function ofMandate(parts: Parameters<Repeating[string]>[0]) {
  const nth = numberOf(parts.params.external_id) % BUYERS;
  return { ...parts, params: { external_id: fuzzId('buyers', nth), reference: fuzzId('mandates', nth) } };
}
const INSURED = 20;
/** The last invoices are insured: half to be cancelled, half to be simulated. The others can be replaced and refunded. */
const insuredInvoice = (nth: number) => fuzzId('invoices', INVOICES - 1 - (nth % INSURED));
const numberOf = (id = '') => Number(/\d+$/.exec(id)?.[0]);

const api = readApiDocument(JSON.stringify(describeApi(v1)));

let world: World;
let keys: Record<'all' | 'reading' | 'merchant', string>;
let pool: Pool;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off', TRADELINE_LOG_LEVEL: 'silent' } });
  keys = {
    all: world.apiKey,
    reading: await world.addKey({ scopes: ['read'] }),
    merchant: await world.addKey({ merchantExternalId: fuzzId('merchants', 0) }),
  };
  for (let nth = 0; nth < 5; nth++) {
    await addFacility(world, fuzzId('buyers', nth), { requested_amount: 1_000 });
    await nameDecision(world, world.platform.platform_id, fuzzId('buyers', nth), fuzzUuid(nth));
    await postNamed(world, world.platform.platform_id, fuzzUuid(nth), fuzzId('buyers', nth));
    await world.post('/v1/merchants', merchantBody({ external_id: fuzzId('merchants', nth) }));
    await recordNamedEvent(world, world.platform.platform_id, fuzzUuid(nth), fuzzId('merchants', nth));
  }
  await addMainAccount(world);
  await addPayouts();
  for (let nth = 5; nth < BUYERS; nth++)
    await addFacility(world, fuzzId('buyers', nth), { requested_amount: 1_000 });
  for (let nth = 0; nth < BUYERS; nth++) {
    const mandate = { iban: 'DE89370400440532013000', reference: fuzzId('mandates', nth) };
    const { status, text } = await world.post(`/v1/buyers/${fuzzId('buyers', nth)}/mandates`, mandate);
    if (status !== 201) throw new Error(text);
  }
  for (let nth = 0; nth < INVOICES; nth++) {
    const invoice = invoiceOf(nth);
    const payment = { external_id: fuzzId('payments', nth), amount: 100 };
    const dispute = { external_id: fuzzId('disputes', nth), reason: 'OTHER', amount: 100 };
    const promise = { external_id: fuzzId('promises', nth), amount: 100, until: 4_000_000_000 };
    for (const [path, body] of [
      ['/v1/invoices', invoice],
      [`/v1/invoices/${invoice.external_id}/disputes`, dispute],
      [`/v1/invoices/${invoice.external_id}/promises`, promise],
      [`/v1/invoices/${invoice.external_id}/payments`, payment],
    ] as const) {
      const { status, text } = await world.post(path, body);
      if (status !== 201) throw new Error(text);
    }
    await addFiledDocument(world, world.platform.platform_id, {
      ...{ documentId: fuzzId('documents', nth), invoice: invoice.external_id },
      buyer: invoice.buyer_external_id,
    });
  }
  for (let nth = 0; nth < INSURED; nth++) {
    const path = `/v1/invoices/${insuredInvoice(nth)}/services/INSURANCE`;
    const { status, text } = await world.post(path, { terms_accepted_at: 0 });
    if (status !== 201) throw new Error(text);
  }
  for (let nth = 0; nth < 60; nth++) {
    const order = draftOrderBody({
      external_id: fuzzId('orders', nth),
      buyer_external_id: fuzzId('buyers', nth % 5),
      merchant_external_id: fuzzId('merchants', nth % 5),
      payment_method: 'TRANSFER',
      payment_term: 'PREPAYMENT',
    });
    const { status, text } = await world.post('/v1/orders', order);
    if (status !== 201) throw new Error(text);
  }
  pool = new Pool(world.baseUrl, { connections: CLIENTS });
});
afterAll(async () => {
  await pool?.close();
  await world?.close();
});

/** Payouts, which no single operation of the API creates. */
async function addPayouts(): Promise<void> {
  const [merchant, instruction] = [fuzzId('merchants', 0), 'paid'];
  const payee = sepaBody({ external_id: instruction, merchant_external_id: merchant });
  expect((await world.post('/v1/payout_instructions', payee)).status).toBe(201);
  for (let nth = 0; nth < 20; nth++) {
    const externalId = fuzzId('payouts', nth);
    await namePayout(world, world.platform.platform_id, { externalId, merchant, instruction });
  }
}

async function send({ method, path, headers, body }: FuzzRequest): Promise<Answered> {
  const answer = await pool.request({ method: method as never, path, headers, body });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const decode = DECODERS[String(answer.headers['content-encoding'])] ?? ((plain: Buffer) => plain);
  return {
    status: answer.statusCode,
    headers: new Headers(answer.headers as never),
    text: method === 'HEAD' ? '' : decode(bytes).toString(),
  };
}

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

/** How an answer violates the contract; '' if it does not. */
function faultsOf({ method, operation }: FuzzRequest, answer: Answered): string {
  const { status, text } = answer;
  if (status >= 500) return 'is a 5xx';
  const documented = operation?.described.responses[status];
  if (operation && !documented) return `is not among the answers of ${operation.id}`;
  if (status >= 400) return method === 'HEAD' ? '' : faultsOfProblem(answer);
  if (!documented) return '';
  if (status === 304) return text === '' ? '' : 'has a body';
  const json = api.follow(documented).content['application/json'];
  // A file.
  if (!json) return '';
  const { schema } = json;
  return api.faultsOf(schema, JSON.parse(text));
}

/** Restores what an operation needs and the fuzzer has removed by chance. */
const NEEDED: Record<string, () => Promise<unknown>> = {
  redeliverEvent: () => world.post('/v1/webhooks', { type: 'MERCHANT', url: 'http://127.0.0.1:9/' }),
};

describe('requests of every kind', () => {
  it(`get an answer that openapi.json promises (seed ${SEED})`, {
    timeout: patience(60 + REQUESTS / 100),
  }, async () => {
    const fuzzer = createFuzzer(api, SEED, keys, REPEATING);
    const faults: string[] = [];
    const statuses = new Map<string, Set<number>>(api.operations.map(({ id }) => [id, new Set()]));
    let fitting = 0;
    let served = 0;
    let slowestMs = 0;
    let next = 0;

    async function exchange(index: number, only?: DocumentedOperation): Promise<void> {
      const request = fuzzer.requestAt(index, only);
      const describe = () =>
        `#${index} ${request.method} ${request.path.slice(0, 300)} ${JSON.stringify(request.headers).slice(0, 300)} ${request.body?.toString('latin1').slice(0, 500) ?? ''}`;
      const sentAt = performance.now();
      const answer = await send(request).catch((error: Error) => {
        faults.push(`${describe()}\n  got no answer: ${error.message}`);
      });
      if (!answer) return;
      const tookMs = performance.now() - sentAt;
      slowestMs = Math.max(slowestMs, tookMs);
      const fault = tookMs > ANSWER_MS_MAX ? `took ${tookMs} ms` : faultsOf(request, answer);
      if (fault !== '')
        faults.push(`${describe()}\n  ${answer.status} ${answer.text.slice(0, 500)}\n  ${fault}`);
      if (request.operation) statuses.get(request.operation.id)?.add(answer.status);
      if (!request.isFitting) return;
      fitting++;
      if (answer.status < 400) served++;
    }
    async function client(): Promise<void> {
      while (next < REQUESTS && faults.length < 5) await exchange(next++);
    }
    const isServed = ({ id }: DocumentedOperation) =>
      [...(statuses.get(id) ?? [])].some((each) => each < 300);

    const startedAt = performance.now();
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const perSecond = Math.round(next / ((performance.now() - startedAt) / 1_000));
    console.log(
      `fuzz: seed ${SEED}, ${next} requests at ${perSecond}/s, slowest ${Math.round(slowestMs)} ms, ${served} of ${fitting} fitting ones served`,
    );
    expect(faults.join('\n'), `seed ${SEED}`).toBe('');

    expect(served / fitting).toBeGreaterThan(0.4);

    // A fuzzer that is always refused tests no code after the refusal. Operations that chance left out get their own requests.
    for (const operation of api.operations.filter((each) => !isServed(each))) {
      await NEEDED[operation.id]?.();
      for (let more = 0; more < MORE_REQUESTS && !isServed(operation); more++)
        await exchange(REQUESTS + more, operation);
    }
    expect(faults.join('\n'), `seed ${SEED}`).toBe('');
    expect(api.operations.filter((each) => !isServed(each)).map(({ id }) => id)).toEqual([]);
  });
});
