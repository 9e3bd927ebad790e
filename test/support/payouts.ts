/** A world with a merchant that can be paid, and accepted services of that merchant. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { credit, debit, post } from '#modules/ledger';
import {
  addPayoutLines,
  formedPayouts,
  lockMerchantAccounts,
  nettedPayouts,
  payoutEquations,
  payoutRuns,
} from '#modules/payouts';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { draftService, transitionServices } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import { invoiceBody, merchantBody } from './bodies.ts';
import { act, addDebtor } from './credit.ts';
import { makeDue } from './due.ts';
import { decidePayee, sepaBody } from './payees.ts';
import { createWorld, type World } from './world.ts';

/** 2026-03-02 12:00 UTC, a Monday. */
export const PAYING_NOW = 1_772_452_800;
const SOURCES = [payoutRuns, formedPayouts, nettedPayouts];

/** Adds a verified account of a merchant. */
export async function addPayee(world: World, merchant: string, body: object = {}): Promise<string> {
  const external_id = `${merchant}-account`;
  const sent = { ...sepaBody({ external_id, merchant_external_id: merchant }), ...body };
  const { status, body: made } = await world.post('/v1/payout_instructions', sent);
  if (status !== 201) throw new Error(JSON.stringify(made));
  await decidePayee(world, made.external_id, 'verify');
  return made.external_id;
}

/** For a test file: creates the world before its tests, and checks its books and closes it after them. */
export function usePayouts() {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld({
      settings: { TRADELINE_WORKER: 'off' },
      platform: {
        financing_currencies: ['GBP', 'JPY'],
        account_holder: 'Markthalle GmbH',
        iban: 'DE89370400440532013000',
        bic: 'COBADEFFXXX',
        account_town: 'Hamburg',
        account_country: 'DE',
      },
    });
    world.clock.set(PAYING_NOW);
    await addDebtor(world, { buyer: 'buyer', totalMinor: 1_000_000_000 });
  });
  afterAll(async () => {
    expect(await faultsOf(world)).toEqual([]);
    await world.close();
  });
  const invoice = async (merchant: string, more: object = {}) => {
    const external_id = `invoice-${++made}`;
    const body = invoiceBody({ external_id, merchant_external_id: merchant, ...more });
    const { status, body: answered } = await world.post('/v1/invoices', body);
    if (status !== 201) throw new Error(JSON.stringify(answered));
    return external_id;
  };
  return {
    world: () => world,
    /** An enrolled merchant with an account that can be paid. */
    async merchant(body: object = {}): Promise<string> {
      const external_id = `merchant-${++made}`;
      await world.post('/v1/merchants', merchantBody({ external_id }));
      await addPayee(world, external_id, body);
      return external_id;
    },
    async merchantWithoutAccount(): Promise<string> {
      const external_id = `merchant-${++made}`;
      await world.post('/v1/merchants', merchantBody({ external_id }));
      return external_id;
    },
    invoice,
    /** An accepted financing of a new invoice, with its entry and its line. Returns its external_id. */
    async advance(merchant: string, more: AdvanceInput = {}): Promise<string> {
      const { amountMinor = 10_000, currency = 'EUR', requestedAt = null } = more;
      const base = { net: amountMinor + 119, gross: amountMinor + 119, currency };
      const invoiceExternalId = more.invoice ?? (await invoice(merchant, { amount: base }));
      return accept(world, {
        merchant,
        ...{ invoiceExternalId, amountMinor, currency, requestedAt },
      });
    },
    /** Sets the clock to an instant, and makes the transitions of payouts due by then. */
    async until(at: number) {
      world.clock.set(at);
      return makeDue(world, SOURCES, at, undefined);
    },
    payoutsOf: async (merchant: string) =>
      (await world.get(`/v1/payouts?merchant_external_id=${merchant}&sort_by=created_at`)).body.items,
  };
}

interface AdvanceInput {
  amountMinor?: number;
  currency?: 'EUR' | 'GBP' | 'JPY';
  requestedAt?: number | null;
  invoice?: string;
}

interface Accepted extends Required<Omit<AdvanceInput, 'invoice'>> {
  merchant: string;
  invoiceExternalId: string;
}

/** Accepts a service with a fee of 1.19, of which 0.19 is tax. Returns the external_id of the service. */
export async function accept(world: World, accepted: Accepted): Promise<string> {
  const { merchant, invoiceExternalId, amountMinor, currency, requestedAt } = accepted;
  const external_id = randomUUID();
  await act(world, async (context) => {
    const { db, platformId, actor, now } = context;
    const draft = draftService(context, {
      external_id,
      invoice_external_id: invoiceExternalId,
      buyer_external_id: 'buyer',
      merchant_external_id: merchant,
      service_type: 'FINANCING',
      currency,
      created_at: now,
      terms_accepted_at: now,
      requested_payout_at: requestedAt,
      base_amount: amountMinor + 119,
      fee_net: 100,
      fee_tax: 19,
      fee_tax_category: 'S',
      fee_tax_basis_points: 1_900,
      advance_amount: amountMinor,
    });
    await transitionServices(context, [{ ...draft, changes: { accepted_at: now } }], 'accept');
    await post(db, platformId, [
      {
        cause: 'ADVANCE_ACCEPTED',
        currency,
        effectiveAt: now,
        actor,
        documents: { invoiceExternalId, serviceExternalId: external_id },
        lines: [
          debit('buyer_receivable', amountMinor + 119, 'buyer'),
          credit('payout_clearing', amountMinor),
          credit('fee_income', 100),
          credit('fee_tax', 19, 'S'),
        ],
      },
    ]);
    await lockMerchantAccounts(db, platformId, [merchant]);
    const platform = (await findPlatform(db, platformId)) as PlatformRow;
    await addPayoutLines(context, platform, [
      {
        merchantExternalId: merchant,
        currency,
        serviceExternalId: external_id,
        invoiceExternalId,
        amountMinor,
        requestedAt,
      },
    ]);
  });
  return external_id;
}

/** Posts the entry of a cancelled service, without its fee. */
export function unbookAdvance(
  { db, platformId, actor, now }: ChangeContext,
  amountMinor: number,
): Promise<string[]> {
  return post(db, platformId, [
    {
      cause: 'ADVANCE_CANCELLED',
      currency: 'EUR',
      effectiveAt: now,
      actor,
      lines: [debit('payout_clearing', amountMinor), credit('buyer_receivable', amountMinor, 'buyer')],
    },
  ]);
}

/** Posts a debt of a merchant for another reason; with a negative amount, a debt to the merchant. */
export function owe(world: World, merchant: string, amountMinor: number): Promise<unknown> {
  return act(world, ({ db, platformId, actor, now }) =>
    post(db, platformId, [
      {
        cause: 'TERM_FEE_CHARGED',
        currency: 'EUR',
        effectiveAt: now,
        actor,
        lines: [debit('merchant_setoff', amountMinor, merchant), credit('term_fee_income', amountMinor)],
      },
    ]),
  );
}

/** The differences between payouts and the ledger. */
export async function faultsOf({ installation: { db }, platform }: World): Promise<string[]> {
  const faults = await Promise.all(payoutEquations.map(({ check }) => check(db, platform.platform_id)));
  return faults.flat();
}
