/** The service, as one run of the model sees it: a platform of its own with one buyer, reached over HTTP. */

import type { Pool } from 'undici';
import { inTransaction } from '#infra/database/transaction';
import { Problem } from '#kernel/problem';
import { refreshBuyers } from '#modules/buyers';
import {
  assessFacility,
  findStanding,
  freezeDissolved,
  limitPolicyChange,
  openAssessedFacility,
} from '#modules/facilities';
import { approveChange, type OperatorContext, requestChange } from '#modules/operators';
import type { PlatformRow } from '#modules/platforms';
import { insertActivation, insertPolicy, sha256Of } from '#modules/underwriting';
import type { RawInput } from '#operation/input-reader';
import type { AnyOperation, ChangeContext } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { contextOf } from '../../../src/cli/operation-context.ts';
import { buyerBody, merchantBody } from '../bodies.ts';
import { actAs, ensureOperator } from '../operators.ts';
import { type RegisteredFields, registeredCompany } from '../registered-company.ts';
import type { World } from '../world.ts';
import type { Proof } from './company.ts';
import type { LimitChange, Whose } from './limits.ts';
import { BUYER, type RegistryStatus } from './state.ts';
import { FEE_TAX, FEES } from './term.ts';

/** What of an answer the model foretells, with the whole of it for who reads a divergence. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the model expects it to be.
  body: any;
}

/** The buyer as it is created, with the number of its company. */
type ModelBuyer = RegisteredFields & ReturnType<typeof buyerBody>;

export class Reality {
  readonly #world: World;
  readonly #pool: Pool;
  readonly #platform: PlatformRow;
  readonly #key: string;
  readonly #buyer: ModelBuyer;
  /** The ids of the reviews, by the model's numbers. */
  readonly reviewIds = new Map<number, string>();
  /** How many commands were executed. */
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

  post(path: string, body?: object): Promise<Reply> {
    return this.#send('POST', path, body);
  }

  put(path: string, body: object): Promise<Reply> {
    return this.#send('PUT', path, body);
  }

  /** Without `fetch`, which takes as long as the service does. */
  async #send(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Reply> {
    const reply = await this.#pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: reply.statusCode, body: await reply.body.json() };
  }

  /** The script goes by the contact's e-mail address. */
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

  /** What an operator does with an operation that is not in the API. */
  async operate(operation: AnyOperation, by: string, now: number, input: RawInput): Promise<Reply> {
    await ensureOperator(this.#world, by, { platform: this.#platform });
    const actor = { platform: this.#platform, actor: `operator:${by}`, now };
    return replied(operation.status, () =>
      runOperation(operation, { context: contextOf(this.#world.installation, actor), input }),
    );
  }

  /** One at a time: a refresh is of all platforms, each run has a clock of its own. */
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

  /** What the checkout does when a person applies there. */
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

  /** A change of limits, by as many operators as it takes. */
  async changeLimits(
    now: number,
    whose: Whose,
    changes: LimitChange,
    expiresAt: number | null,
  ): Promise<Reply> {
    const payload = { buyerExternalId: whose === 'buyer' ? BUYER : '', changes, expiresAt };
    const act = <Answer>(id: string, work: (context: OperatorContext) => Promise<Answer>) =>
      actAs(this.#world, id, work, { platform: this.#platform, now });
    const { approvalId } = await act('anna', (context) =>
      requestChange(context, limitPolicyChange, payload, 'To see what happens.'),
    );
    if (approvalId !== null)
      await act('jan', (context) =>
        approveChange(context, [limitPolicyChange], { approvalId, reason: 'To see what happens.' }),
      );
    return { status: 200, body: { takesTwo: approvalId !== null } };
  }

  /** What held for the buyer at an instant. */
  async limitsAt(at: number): Promise<Reply> {
    const key = { platformId: this.platformId, buyerExternalId: BUYER, at };
    const { limitPolicy } = await findStanding(this.#world.installation.db, key);
    const body = {
      tolerance_percent: limitPolicy.tolerancePercent,
      authorization_limit_days: limitPolicy.authorizationLimitDays,
    };
    return { status: 200, body };
  }

  /** What no operation of the API does, in a transaction of its own. */
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
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: { reason: error.reason, details: error.details } };
  }
}

let platforms = 0;

/** A new platform with a policy of few rules, a merchant and a buyer that the registry knows. */
export async function newReality(world: World, pool: Pool): Promise<Reality> {
  const { platform, apiKey } = await world.addPlatform({ code: `model-${++platforms}` });
  const body = { ...buyerBody({ external_id: platform.code }), legal_form: 'COOPERATIVE' as const };
  const company = await registeredCompany(world, body);
  const buyer = { ...company, external_id: BUYER };
  const reality = new Reality(world, pool, { platform, key: apiKey, buyer });
  await putPolicy(world, platform.platform_id);
  await putPrices(world, platform.platform_id);
  await world.sql('update platforms set max_payment_term = 90 where platform_id = $1', [
    platform.platform_id,
  ]);
  for (const [path, body] of [
    ['/v1/merchants', merchantBody({})],
    ['/v1/buyers', buyer],
  ] as const) {
    const { status } = await reality.post(path, body);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}`);
  }
  await reality.useScript('accepted');
  return reality;
}

async function putPolicy({ installation: { db }, clock }: World, platformId: number): Promise<void> {
  const by = { activatedAt: clock.now(), activatedBy: 'anna', approvedBy: null };
  const made = { name: 'of the model', createdAt: clock.now(), createdBy: 'anna' };
  const policy = { platformId, graph: POLICY, sha256: sha256Of(POLICY), ...made };
  const version = await insertPolicy(db, policy);
  if (version === undefined) throw new Error('The policy was not stored.');
  await insertActivation(db, { platformId, version, ...by });
}

/** One price for every class: which class a decision names is not what the model is about. */
async function putPrices({ sql, clock }: World, platformId: number): Promise<void> {
  const table = {
    tax_basis_points: FEE_TAX,
    fee_basis_points: { A: FEES, B: FEES, C: FEES, D: FEES },
  };
  await sql(
    `insert into credit_settings_versions (platform_id, version, valid_from, set_by, price_table)
     values ($1, 1, $2, 'anna', $3)`,
    [platformId, clock.now(), JSON.stringify(table)],
  );
}

/** Whole units. */
const SAID = {
  outcome: `registry_status == "DISSOLVED" ? "REJECT"
    : identity_source == "SELF_DECLARED" or delivery_differs or applicant_proof == "CONFIRMED_ADDRESS" ? "REFER" : "ACCEPT"`,
  limit: `registry_status == "DISSOLVED" ? null : registry_status == "IN_LIQUIDATION" ? 400
    : identity_source == "PERSON" ? 700 : 1000`,
  risk_band: 'registry_status == "DISSOLVED" ? "REJECT" : "B1"',
  price_class: 'registry_status == "DISSOLVED" ? null : "B"',
  reasons: '["OTHER_RULE"]',
  buyer_reasons: 'registry_status == "DISSOLVED" ? ["NOT_POSSIBLE_NOW"] : ["LIMIT_GRANTED"]',
};
const POLICY = {
  nodes: [
    { id: 'in', name: 'Application', type: 'inputNode', content: { schema: '' } },
    {
      id: 'answer',
      name: 'Answer',
      type: 'expressionNode',
      content: { expressions: Object.entries(SAID).map(([key, value]) => ({ id: key, key, value })) },
    },
    { id: 'out', name: 'Decision', type: 'outputNode', content: { schema: '' } },
  ],
  edges: [
    { id: 'first', sourceId: 'in', targetId: 'answer' },
    { id: 'last', sourceId: 'answer', targetId: 'out' },
  ],
};
