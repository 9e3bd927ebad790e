/** The service, as one run of the model sees it: a platform of its own with one buyer, reached over HTTP. */

import type { Pool } from 'undici';
import { inTransaction } from '#infra/database/transaction';
import { Problem } from '#kernel/problem';
import type { PlatformRow } from '#modules/platforms';
import { insertActivation, insertPolicy, sha256Of } from '#modules/underwriting';
import type { RawInput } from '#operation/input-reader';
import type { AnyOperation, ChangeContext } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { contextOf } from '../../../src/cli/operation-context.ts';
import { buyerBody, merchantBody } from '../bodies.ts';
import { ensureOperator } from '../operators.ts';
import type { World } from '../world.ts';
import { POLICY_LIMIT } from './facility.ts';
import { BUYER } from './state.ts';

/** What of an answer the model foretells, with the whole of it for who reads a divergence. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the model expects it to be.
  body: any;
}

export class Reality {
  readonly #world: World;
  readonly #pool: Pool;
  readonly #platform: PlatformRow;
  readonly #key: string;
  /** The ids of the reviews, by the model's numbers. */
  readonly reviewIds = new Map<number, string>();
  /** How many commands were executed. */
  steps = 0;
  #script = '';

  constructor(world: World, pool: Pool, platform: PlatformRow, key: string) {
    this.#world = world;
    this.#pool = pool;
    this.#platform = platform;
    this.#key = key;
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
        : await this.#send('PUT', '/v1/contacts/contact', body);
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

  /** What the module of invoices will do, in a transaction of its own. */
  async transition(now: number, work: (context: ChangeContext) => Promise<unknown>): Promise<Reply> {
    const { db } = this.#world.installation;
    const platformId = this.platformId;
    return replied(200, () =>
      inTransaction(db, (transaction) => work({ db: transaction, platformId, actor: 'operator:ada', now })),
    );
  }

  /** The context of a checkout. */
  checkoutContext(now: number) {
    const actor = { platform: this.#platform, actor: 'operator:ada', now };
    return { ...contextOf(this.#world.installation, actor), isSandbox: true };
  }
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

/** A new platform whose policy grants everybody the same, with a merchant and a buyer. */
export async function newReality(world: World, pool: Pool): Promise<Reality> {
  const { platform, apiKey } = await world.addPlatform({ code: `model-${++platforms}` });
  const reality = new Reality(world, pool, platform, apiKey);
  await putPolicy(world, platform.platform_id);
  await world.sql('update platforms set max_payment_term = 90 where platform_id = $1', [
    platform.platform_id,
  ]);
  for (const [path, body] of [
    ['/v1/merchants', merchantBody({})],
    ['/v1/buyers', buyerBody({ external_id: BUYER })],
  ] as const) {
    const { status } = await reality.post(path, body);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}`);
  }
  await reality.useScript('accepted');
  return reality;
}

async function putPolicy({ installation: { db }, clock }: World, platformId: number): Promise<void> {
  const by = { activatedAt: clock.now(), activatedBy: 'anna', approvedBy: null };
  const made = { name: 'the same for everybody', createdAt: clock.now(), createdBy: 'anna' };
  const policy = { platformId, graph: SAME_FOR_ALL, sha256: sha256Of(SAME_FOR_ALL), ...made };
  const version = await insertPolicy(db, policy);
  if (version === undefined) throw new Error('The policy was not stored.');
  await insertActivation(db, { platformId, version, ...by });
}

/** Whole units. */
const LIMIT = String(POLICY_LIMIT / 100);
const SAID = {
  outcome: '"ACCEPT"',
  limit: LIMIT,
  risk_band: '"B1"',
  price_class: '"B"',
  reasons: '["OTHER_RULE"]',
  buyer_reasons: '["LIMIT_GRANTED"]',
};
const SAME_FOR_ALL = {
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
