/** Triggers events in a sandbox: creates its own resources and changes them through the API. */
import { randomUUID } from 'node:crypto';
import { StartRefused } from '#kernel/start-refused';
import { type ApiClient, refusalSentence } from './api-client.ts';

const DAY_SECONDS = 86_400;
/** Covers the business days until the next payouts. */
const PAYOUT_DAYS = 10;
const AMOUNT = { net: 10_000, tax: 1_900, gross: 11_900 };
/** The smallest file that is a PDF by its content. */
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
const ADDRESS = { street: 'Hafenstr.', house: '1', postcode: '20457', city: 'Hamburg', country: 'DE' };

export class SandboxStory {
  readonly #api: ApiClient;
  /** A part of every name, so that no existing resource is touched. */
  readonly #id = `trigger-${randomUUID().slice(0, 8)}`;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** Throws StartRefused with the service's explanation. */
  async send(method: string, path: string, body?: unknown) {
    const answer = await this.#api.send(method, path, body).catch((error: Error) => {
      throw new StartRefused(`${this.#api.baseUrl} does not answer (${error.message}).`);
    });
    if (answer.status >= 300)
      throw new StartRefused(`The event was not triggered: ${method} ${path}: ${refusalSentence(answer)}.`);
    return answer.body;
  }

  post(path: string, body?: unknown) {
    return this.send('POST', path, body);
  }

  /** Throws StartRefused unless the service is a sandbox. */
  async begin(): Promise<void> {
    const { status } = await this.#api.send('GET', '/v1/sandbox/clock').catch(() => ({ status: 0 }));
    if (status === 404)
      throw new StartRefused('Events can be triggered only in a sandbox: this service runs in production.');
  }

  async now(): Promise<number> {
    return (await this.send('GET', '/v1/sandbox/clock')).now;
  }

  advance(seconds: number) {
    return this.post('/v1/sandbox/clock', { advance_seconds: seconds });
  }

  async merchant(): Promise<string> {
    const external_id = `${this.#id}-merchant`;
    await this.post('/v1/merchants', {
      ...{ external_id, legal_name: `Merchant ${this.#id} GmbH`, legal_form: 'LIMITED_COMPANY' },
      business_address: ADDRESS,
    });
    return external_id;
  }

  /** A buyer whose applications have the outcome of the script. */
  async buyer(script = 'accepted'): Promise<string> {
    const external_id = `${this.#id}-${script}`;
    await this.post('/v1/buyers', {
      ...{ external_id, legal_name: `Buyer ${this.#id} GmbH`, legal_form: 'LIMITED_COMPANY' },
      business_address: ADDRESS,
    });
    return external_id;
  }

  async facility(script?: string): Promise<string> {
    const buyer = await this.buyer(script);
    await this.post(`/v1/buyers/${buyer}/facility`, { requested_amount: 500_000 });
    return buyer;
  }

  /** A facility that is granted regardless of the script, and then changed. */
  async simulatedFacility(script: string, ...triggers: string[]): Promise<string> {
    const buyer = await this.buyer(script);
    for (const trigger of ['grant', ...triggers])
      await this.post('/v1/sandbox/facilities', { buyer_external_id: buyer, trigger });
    return buyer;
  }

  async order(buyer: string): Promise<string> {
    const external_id = `${this.#id}-order`;
    await this.post('/v1/orders', {
      ...{ external_id, buyer_external_id: buyer, merchant_external_id: await this.merchant() },
      ...{ amount: AMOUNT, payment_method: 'TRANSFER', payment_term: 'DEFER_30D' },
    });
    return external_id;
  }

  simulateOrder(external_id: string, trigger: string) {
    return this.post('/v1/sandbox/orders', { external_id, trigger });
  }

  /** An invoice without orders, due in 60 days. */
  async invoice(): Promise<string> {
    return this.#invoiceOf(await this.buyer(), await this.merchant(), {
      due_at: (await this.now()) + 60 * DAY_SECONDS,
    });
  }

  async invoiceOfOrder(): Promise<string> {
    const buyer = await this.facility();
    const order = await this.order(buyer);
    return this.#invoiceOf(buyer, `${this.#id}-merchant`, { order_external_ids: [order] });
  }

  async #invoiceOf(buyer_external_id: string, merchant_external_id: string, more: object): Promise<string> {
    const external_id = `${this.#id}-invoice`;
    const parties = { buyer_external_id, merchant_external_id };
    await this.post('/v1/invoices', {
      ...{ external_id, ...parties, amount: AMOUNT, payment_method: 'TRANSFER', ...more },
    });
    return external_id;
  }

  /** An invoice whose due date is postponed. */
  async postponedInvoice(): Promise<void> {
    const path = `/v1/invoices/${await this.invoice()}`;
    const stored = await this.send('GET', path);
    await this.send('PUT', path, { ...stored, due_at: stored.due_at + DAY_SECONDS });
  }

  /** The first active subscription, which gets a test event. */
  async testedWebhook(): Promise<void> {
    const { items } = await this.send('GET', '/v1/webhooks?limit=1');
    const type: string | undefined = items[0]?.type;
    if (type === undefined)
      throw new StartRefused(
        'The event was not triggered: no receiver is subscribed. POST /v1/webhooks subscribes one.',
      );
    await this.post(`/v1/webhooks/${type}/test`);
  }

  simulateInvoice(external_id: string, trigger: string) {
    return this.post('/v1/sandbox/invoices', { external_id, trigger });
  }

  async file(): Promise<string> {
    const path = `/v1/invoices/${await this.invoice()}/files`;
    await this.post(`${path}?file_external_id=file&kind=INVOICE&name=invoice.pdf`, PDF);
    return `${path}/file`;
  }

  /** An invoice with a service that went through these transitions. */
  async service(type: string, ...triggers: string[]): Promise<void> {
    const invoice = await this.invoice();
    await this.post(`/v1/invoices/${invoice}/services/${type}`, { terms_accepted_at: await this.now() });
    for (const trigger of triggers)
      await this.post('/v1/sandbox/services', { invoice_external_id: invoice, service_type: type, trigger });
  }

  async payoutInstruction(merchant: string, ...triggers: string[]): Promise<void> {
    const external_id = `${this.#id}-account`;
    await this.post('/v1/payout_instructions', {
      ...{
        external_id,
        merchant_external_id: merchant,
        type: 'SEPA',
        beneficiary_name: `Merchant ${this.#id} GmbH`,
      },
      ...{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    });
    for (const trigger of triggers)
      await this.post('/v1/sandbox/payout_instructions', { external_id, trigger });
  }

  /** The payout of money that a buyer has paid to the platform. */
  async payout(...triggers: string[]): Promise<void> {
    const invoice = await this.invoice();
    const merchant = `${this.#id}-merchant`;
    await this.payoutInstruction(merchant, 'verify');
    await this.simulateInvoice(invoice, 'pay');
    await this.advance(PAYOUT_DAYS * DAY_SECONDS);
    const { items } = await this.send('GET', `/v1/payouts?merchant_external_id=${merchant}`);
    const external_id: string | undefined = items[0]?.external_id;
    if (external_id === undefined)
      throw new StartRefused(
        `The event was not triggered: nothing was due to the merchant within ${PAYOUT_DAYS} days.`,
      );
    for (const trigger of triggers) await this.post('/v1/sandbox/payouts', { external_id, trigger });
  }
}
