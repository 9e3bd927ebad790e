/**
 * Clients that pay, reverse, credit, refund and order on one facility without pause while the server is killed. Each request has an
 * Idempotency-Key and is repeated until it is answered, so that at the end every effect has an answer.
 */
import { draftOrderBody } from './bodies.ts';
import { type Random, randomFrom } from './random.ts';
import { RestartedServer } from './restarted-server.ts';

export const PAYING_CLIENTS = 16;
/** Minor units of each order and its invoice. */
export const INVOICED_GROSS = 11_900;
/** The newest ones are paid. */
export const INVOICES_AT_ONCE = 20;
/** Every refusal that a race can end with. */
const REFUSALS = [
  'INVALID_STATUS_TRANSITION',
  'PAYMENT_EXCEEDS_OUTSTANDING',
  'INVOICE_ALREADY_PAID',
  'INVOICE_ALREADY_REFUNDED',
  'PAYMENT_ALREADY_REVERSED',
  'CREDIT_NOTE_EXCEEDS_INVOICE',
  'INVOICE_NOT_CREDITABLE',
  'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
];
/** More surprises than this reveal nothing new. */
const SURPRISES_MAX = 20;

export interface RecordedPayment {
  id: string;
  invoice: string;
}

export class PaymentLoad {
  readonly server = new RestartedServer(PAYING_CLIENTS);
  /** Payments that were answered with success. */
  readonly payments: RecordedPayment[] = [];
  readonly reversed: string[] = [];
  readonly creditNotes: string[] = [];
  readonly orders: string[] = [];
  /** How often each reason was answered. */
  readonly refusals = new Map<string, number>();
  /** Unexplained answers. */
  readonly surprises: string[] = [];
  acknowledged = 0;
  readonly #apiKey: string;
  readonly #invoices: string[];

  constructor(apiKey: string, invoices: readonly string[]) {
    this.#apiKey = apiKey;
    this.#invoices = [...invoices];
  }

  /** Resolves when each client has made `stepsEach` steps, of one or two requests each. */
  async run(stepsEach: number, seed: number): Promise<void> {
    const client = async (nth: number) => {
      const random = randomFrom(seed + nth);
      for (let step = 0; step < stepsEach; step++) await this.#step(`${nth}-${step}`, random);
    };
    await Promise.all(Array.from({ length: PAYING_CLIENTS }, (_, nth) => client(nth)));
  }

  async #step(id: string, random: Random): Promise<void> {
    const invoice = random.pick(this.#invoices.slice(-INVOICES_AT_ONCE));
    const chance = random.below(100);
    const received_by = random.percent(70) ? 'PLATFORM' : 'MERCHANT';
    if (chance < 45) {
      const amount = 1 + random.below(6_000);
      const body = { external_id: id, amount, received_by };
      if (await this.#post(id, `/v1/invoices/${invoice}/payments`, body)) this.payments.push({ id, invoice });
    } else if (chance < 52) {
      const body = { external_id: id, received_by };
      if (await this.#post(id, `/v1/invoices/${invoice}/paid`, body)) this.payments.push({ id, invoice });
    } else if (chance < 76 && this.payments.length > 0) {
      const { id: paid, invoice: of } = random.pick(this.payments);
      const path = `/v1/invoices/${of}/payments/${paid}/reverse`;
      if (await this.#post(id, path, { reason: 'It bounced.' })) this.reversed.push(paid);
    } else if (chance < 84) {
      const gross = 1 + random.below(3_000);
      const note = { external_id: id, invoice_external_id: invoice, reason_code: 'RETURN' };
      if (await this.#post(id, '/v1/credit_notes', { ...note, amount: { net: gross, gross } }))
        this.creditNotes.push(id);
    } else if (chance < 87) await this.#post(id, `/v1/invoices/${invoice}/refund`);
    else await this.#order(id);
  }

  /** Replaces ended invoices with those of new orders. */
  async #order(id: string): Promise<void> {
    if (!(await this.#post(id, '/v1/orders', orderOnCredit(id)))) return;
    this.orders.push(id);
    const invoice = `of-${id}`;
    const amount = { net: INVOICED_GROSS, gross: INVOICED_GROSS };
    const body = { external_id: invoice, order_external_ids: [id], amount };
    if (await this.#post(invoice, '/v1/invoices', body)) this.#invoices.push(invoice);
    else this.#surprise(`The order ${id} was not invoiced.`);
  }

  /** Sends the request. Returns whether it was answered with success. */
  async #post(id: string, path: string, body?: object): Promise<boolean> {
    for (;;) {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const request = { apiKey: this.#apiKey, method: 'POST', path, ...text, idempotencyKey: id } as const;
      const reply = await this.server.send(request);
      if (!reply) continue;
      const { reason } = JSON.parse(reply.text);
      if (reason === 'IDEMPOTENCY_IN_PROGRESS') continue;
      this.acknowledged++;
      if (reply.status < 300) return true;
      this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
      if (!REFUSALS.includes(reason)) this.#surprise(`${path}: ${reply.status} ${reply.text}`);
      return false;
    }
  }

  #surprise(sentence: string): void {
    this.surprises.push(sentence);
    if (this.surprises.length === SURPRISES_MAX) throw new Error(this.surprises.join('\n'));
  }
}

export const orderOnCredit = (external_id: string) =>
  draftOrderBody({ external_id, payment_method: 'TRANSFER', payment_term: 'DEFER_30D' });
