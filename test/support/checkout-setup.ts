/** A world with a checkout, and a buyer's browser in it. */
import { afterAll, beforeAll, expect } from 'vitest';
import {
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
  /** The last draft, and the browser that came to it. */
  drafted: Drafted;
  visitor: Visitor;
  /** Opens a new draft in a new browser. */
  come(draft?: DraftInput): Promise<void>;
}

/** For the file that it is called in; what it answers is filled before the tests. At the end every facility is audited. */
export function useCheckout({ world: of, ...options }: CheckoutOptions & { world?: WorldOptions } = {}) {
  const setup = {} as CheckoutSetup;
  beforeAll(async () => {
    setup.world = await createWorld(of);
    setup.checkout = await createCheckout(setup.world, options);
  });
  afterAll(async () => {
    expect(await auditCredit(setup.world)).toEqual([]);
    await setup.world.close();
  });
  setup.come = async (draft) => {
    setup.drafted = await setup.checkout.draft(draft);
    setup.visitor = await visit(setup.checkout, setup.drafted.token);
  };
  return setup;
}
