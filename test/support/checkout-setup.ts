/** A world with a checkout, and a buyer's browser in it. */
import { afterAll, beforeAll, expect } from 'vitest';
import {
  arrive,
  type CheckoutOptions,
  type CheckoutWorld,
  createCheckout,
  type Drafted,
  type DraftInput,
  type Visitor,
  visit,
} from './checkout.ts';
import { auditCredit } from './credit.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

export interface CheckoutSetup {
  world: World;
  checkout: CheckoutWorld;
  /** The last draft, and the browser that opened it. */
  drafted: Drafted;
  visitor: Visitor;
  /** Opens a new draft in a new browser. */
  come(draft?: DraftInput): Promise<void>;
  /** Brings an invited buyer with a limit of 20,000 to this step. */
  arrive(to: Step, options?: ArrivalOptions): Promise<void>;
}

type Step = Parameters<typeof arrive>[2];
type ArrivalOptions = Parameters<typeof arrive>[3];

interface SetupOptions extends CheckoutOptions {
  world?: WorldOptions;
  /** False for a file that writes statuses without a history. */
  isAudited?: boolean;
}

/** Sets up the test file that calls it. The returned object is filled before the tests. At the end all orders are audited. */
export function useCheckout({ world: of, isAudited = true, ...options }: SetupOptions = {}): CheckoutSetup {
  const setup = {} as CheckoutSetup;
  beforeAll(async () => {
    setup.world = await createWorld(of);
    setup.checkout = await createCheckout(setup.world, options);
  });
  afterAll(async () => {
    if (isAudited) expect(await auditCredit(setup.world)).toEqual([]);
    await setup.world.close();
  });
  setup.come = async (draft) => {
    setup.drafted = await setup.checkout.draft(draft);
    setup.visitor = await visit(setup.checkout, setup.drafted.token);
  };
  setup.arrive = async (to, options) => {
    Object.assign(setup, await arrive(setup.world, setup.checkout, to, options));
  };
  return setup;
}
