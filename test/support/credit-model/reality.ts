/** The service as one run of the model sees it: a separate platform with one buyer, reached over HTTP. */

import type { Pool } from 'undici';
import { inTransaction } from '#infra/database/transaction';
import { Problem } from '#kernel/problem';
import { StartRefused } from '#kernel/start-refused';
import type { unmatchByOperator } from '#modules/banking';
import { refreshBuyers } from '#modules/buyers';
import {
  assessFacility,
  findStanding,
  freezeDissolved,
  limitPolicyChange,
  openAssessedFacility,
} from '#modules/facilities';
import {
  approveChange,
  type ChangeKind,
  type OperatorContext,
  type Role,
  requestChange,
} from '#modules/operators';
import type { PlatformRow } from '#modules/platforms';
import type { RawInput } from '#operation/input-reader';
import type { AnyOperation, ChangeContext } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { contextOf } from '../../../src/cli/operation-context.ts';
import type { buyerBody } from '../bodies.ts';
import { actAs, ensureOperator } from '../operators.ts';
import { type RegisteredFields, registeredCompany } from '../registered-company.ts';
import type { World } from '../world.ts';
import type { Proof } from './company.ts';
import type { LimitChange, Whose } from './limits.ts';
import { BUYER, type RegistryStatus } from './state.ts';

/** The part of an answer that the model predicts, with the full answer for debugging a divergence. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the model expects it to be.
  body: any;
}

/** The created buyer, with the number of its company. */
export type ModelBuyer = RegisteredFields & ReturnType<typeof buyerBody>;

type BankContext = Parameters<typeof unmatchByOperator>[0];

export class Reality {
  readonly #world: World;
  readonly #pool: Pool;
  readonly #platform: PlatformRow;
  readonly #key: string;
  readonly #buyer: ModelBuyer;
  /** The ids of the reviews, by the model's numbers. */
  readonly reviewIds = new Map<number, string>();
  readonly #references = new Map<string, string>();
  readonly #shown = new Map<string, string>();
  /** The number of executed commands. */
  steps = 0;
  #script = '';

  constructor(
    world: World,
    pool: Pool,
    { platform, key, buyer }: { platform: PlatformRow; key: string; buyer: ModelBuyer },
  ) {
    this.#world = world;
    this.#pool = pool;
    this.#platform = platform;
    this.#key = key;
    this.#buyer = buyer;
  }

  get platformId(): number {
    return this.#platform.platform_id;
  }

  get(path: string): Promise<Reply> {
    return this.#send('GET', path);
  }

  post(path: string, body?: object | Buffer): Promise<Reply> {
    return this.#send('POST', path, body);
  }

  put(path: string, body: object): Promise<Reply> {
    return this.#send('PUT', path, body);
  }

  delete(path: string): Promise<Reply> {
    return this.#send('DELETE', path);
  }

  /** Does not use `fetch`, which takes as long as the service itself. Bytes are sent as a PDF. */
  async #send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object | Buffer,
  ): Promise<Reply> {
    const type = Buffer.isBuffer(body) ? 'application/pdf' : 'application/json';
    const reply = await this.#pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    return { status: reply.statusCode, body: await reply.body.json() };
  }

  /** Selects the script through the contact's e-mail address. */
  async useScript(script: string): Promise<void> {
    if (script === this.#script) return;
    const body = { email: `${script}@example.com` };
    const contact = { external_id: 'contact', buyer_external_id: BUYER, ...body };
    const { status } =
      this.#script === ''
        ? await this.post('/v1/contacts', contact)
        : await this.put('/v1/contacts/contact', body);
    if (status >= 300) throw new Error(`The script ${script} was refused with ${status}.`);
    this.#script = script;
  }

  /** Runs an operation that is not in the API, as an operator. */
  async operate(operation: AnyOperation, by: string, now: number, input: RawInput): Promise<Reply> {
    await ensureOperator(this.#world, by, { platform: this.#platform });
    const actor = { platform: this.#platform, actor: `operator:${by}`, now };
    return replied(operation.status, () =>
      runOperation(operation, { context: contextOf(this.#world.installation, actor), input }),
    );
  }

  /** One at a time, because a refresh covers all platforms but each run has its own clock. */
  async writeRegistry(status: RegistryStatus, now: number): Promise<Reply> {
    const { db } = this.#world.installation;
    const entry = { isActive: status !== 'DISSOLVED', isInLiquidation: status === 'IN_LIQUIDATION' };
    const company = { ...this.#buyer, external_id: this.#platform.code };
    await inTurn(async () => {
      await registeredCompany(this.#world, company, entry);
      await refreshBuyers(db, now, REFRESHED_MAX, freezeDissolved);
    });
    return { status: 200, body: {} };
  }

  replaceBuyer({ isRenamed, isElsewhere }: { isRenamed: boolean; isElsewhere: boolean }): Promise<Reply> {
    const { external_id: _, ...body } = this.#buyer;
    return this.put(`/v1/buyers/${BUYER}`, {
      ...body,
      ...(isRenamed && { legal_name: 'Another Company eG' }),
      ...(isElsewhere && { delivery_address: { postcode: '20457', city: 'Hamburg', country: 'DE' } }),
    });
  }

  /** An application of a person in the checkout. */
  async apply(
    proof: Exclude<Proof, 'NOT_ASKED'>,
    requestedMinor: number | null,
    now: number,
  ): Promise<Reply> {
    const context = this.checkoutContext(now);
    const email = 'kim@bistro.example';
    const vouching = proof === 'VOUCHED' ? { by: 'sales', at: now, actor: 'api_key:sales' } : null;
    const request = { about: 'CREATION', buyerExternalId: BUYER, currency: 'EUR', requestedMinor } as const;
    return replied(200, async () => {
      const assessed = await assessFacility(context, {
        ...request,
        applicant: { email, proof, vouching, emailsOnFile: [] },
      });
      await inTransaction(context.db, (db) => openAssessedFacility({ ...context, db }, assessed));
    });
  }

  /** A change of limits, by as many operators as it requires. */
  async changeLimits(
    now: number,
    whose: Whose,
    changes: LimitChange,
    expiresAt: number | null,
  ): Promise<Reply> {
    const payload = { buyerExternalId: whose === 'buyer' ? BUYER : '', changes, expiresAt };
    return this.change(now, limitPolicyChange, payload, { role: 'CREDIT', persons: ['anna', 'jan'] });
  }

  /** A change by as many operators of a role as it requires. */
  async change<Payload extends object>(
    now: number,
    kind: ChangeKind<Payload>,
    payload: Payload,
    { role, persons: [first, second] }: { role: Role; persons: [string, string] },
  ): Promise<Reply> {
    const act = <Answer>(id: string, work: (context: OperatorContext) => Promise<Answer>) =>
      actAs(this.#world, id, work, { platform: this.#platform, now, role });
    const reason = 'To see what happens.';
    return replied(200, async () => {
      const { approvalId } = await act(first, (context) => requestChange(context, kind, payload, reason));
      if (approvalId !== null)
        await act(second, (context) => approveChange(context, [kind], { approvalId, reason }));
      return { takesTwo: approvalId !== null };
    });
  }

  /** The limits in force for the buyer at an instant. */
  async limitsAt(at: number): Promise<Reply> {
    const key = { platformId: this.platformId, buyerExternalId: BUYER, at };
    const { limitPolicy } = await findStanding(this.#world.installation.db, key);
    const body = {
      tolerance_percent: limitPolicy.tolerancePercent,
      authorization_limit_days: limitPolicy.authorizationLimitDays,
    };
    return { status: 200, body };
  }

  /** Runs work that no operation of the API does, in its own transaction. */
  async transition(
    now: number,
    work: (context: ChangeContext & { timeZone: string }) => Promise<unknown>,
  ): Promise<Reply> {
    const { db } = this.#world.installation;
    const platformId = this.platformId;
    return replied(200, () =>
      inTransaction(db, (transaction) =>
        work({ db: transaction, platformId, actor: 'operator:ada', now, timeZone: 'UTC' }),
      ),
    );
  }

  /** Runs an operator's work on bank entries, in its own transaction. */
  bank(now: number, work: (context: BankContext) => Promise<unknown>): Promise<Reply> {
    const { vault, caller } = this.checkoutContext(now);
    return this.transition(now, (context) => work({ ...context, vault, caller }));
  }

  /** The creditor reference of an invoice. */
  async referenceOf(invoice: string): Promise<string> {
    const known = this.#references.get(invoice);
    if (known !== undefined) return known;
    const { body } = await this.get(`/v1/invoices/${invoice}`);
    this.#references.set(invoice, body.payment_reference);
    return body.payment_reference;
  }

  /** Stores what the model shows under this name. Returns whether it has changed. */
  isChanged(name: string, shown: unknown): boolean {
    const text = JSON.stringify(shown);
    if (this.#shown.get(name) === text) return false;
    this.#shown.set(name, text);
    return true;
  }

  /** Queries stored rows of the platform that no answer shows. Its id is the first parameter. */
  stored<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
    return this.#world.sql<Row>(text, [this.platformId, ...values]);
  }

  /** The context of a checkout. */
  checkoutContext(now: number) {
    const actor = { platform: this.#platform, actor: 'operator:ada', now };
    return { ...contextOf(this.#world.installation, actor), isSandbox: true };
  }
}

const REFRESHED_MAX = 500;

let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

async function replied(status: number, work: () => Promise<unknown>): Promise<Reply> {
  try {
    return { status, body: await work() };
  } catch (error) {
    if (error instanceof StartRefused) return { status: 422, body: { reason: 'START_REFUSED' } };
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: { reason: error.reason, details: error.details } };
  }
}
