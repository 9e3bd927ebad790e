/** Invoices that can be financed, and the course of a financing. */
import { afterAll, beforeAll, expect } from 'vitest';
import { invoiceBody, merchantBody } from './bodies.ts';
import { addDebtor } from './credit.ts';
import { FILES } from './files.ts';
import { decidePayee, sepaBody } from './payees.ts';
import { createWorld, type Reply, type World } from './world.ts';

/** 2025-11-20 12:00 UTC, a Thursday. */
export const FINANCING_STARTS = 1_763_640_000;
export const DAY = 86_400;

/** A world with an accepted financing of one invoice, and the key of another merchant. Call it in the body of a `describe`. */
export function useFinancing(): { world: World; other: { key: string } } {
  const used = {} as { world: World; other: { key: string } };
  beforeAll(async () => {
    const world = await createWorld();
    world.clock.set(FINANCING_STARTS);
    await addFinancedParties(world);
    await addFinanceableInvoice(world, { external_id: 'invoice' });
    await requestFinancing(world, 'invoice');
    const key = await world.addKey({ merchantExternalId: 'other', scopes: ['read'] });
    Object.assign(used, { world, other: { key } });
  });
  afterAll(() => used.world.close());
  return used;
}

/** A merchant with a verified account, and a buyer with a facility of band B1: everything but invoices. */
export async function addFinancedParties(
  world: World,
  { merchant = 'merchant', buyer = 'buyer', totalMinor = 10_000_000 } = {},
): Promise<void> {
  await world.post('/v1/merchants', merchantBody({ external_id: merchant }));
  await addDebtor(world, { buyer, totalMinor });
  await world.sql(`update facilities set risk_band = 'B1' where buyer_external_id = $1`, [buyer]);
  await addVerifiedAccount(world, merchant);
}

export async function addVerifiedAccount(world: World, merchant: string): Promise<void> {
  const external_id = `account-of-${merchant}`;
  const body = sepaBody({ external_id, merchant_external_id: merchant });
  expect((await world.post('/v1/payout_instructions', body)).status).toBe(201);
  await decidePayee(world, external_id, 'verify');
}

export async function addInvoiceFile(world: World, invoice: string): Promise<void> {
  const path = `/v1/invoices/${invoice}/files?file_external_id=file&kind=INVOICE&name=x.pdf`;
  expect((await world.post(path, FILES['application/pdf'])).status).toBe(201);
}

/** An invoice that meets all requirements: 119.00 EUR, due in 30 days. */
export async function addFinanceableInvoice(
  world: World,
  more: { external_id: string; [field: string]: unknown },
) {
  const due_at = world.clock.now() + 30 * DAY;
  const created = await world.post('/v1/invoices', invoiceBody({ due_at, ...more }));
  expect(`${created.status} ${created.text}`).toMatch(/^201/);
  await addInvoiceFile(world, more.external_id);
}

export function requestFinancing(world: World, invoice: string, more: object = {}): Promise<Reply> {
  const body = { terms_accepted_at: world.clock.now(), ...more };
  return world.post(`/v1/invoices/${invoice}/services/FINANCING`, body);
}

/** Lets ten days pass, in which waiting lines become payouts, and lets the bank pay them. Returns their external_ids. */
export async function payOutEverything(world: World): Promise<string[]> {
  const { body: clock } = await world.get('/v1/sandbox/clock');
  expect((await world.post('/v1/sandbox/clock', { now: clock.now + 10 * DAY })).status).toBe(200);
  const { body } = await world.get('/v1/payouts?status=SCHEDULED');
  const ids: string[] = body.items.map(({ external_id }: { external_id: string }) => external_id);
  for (const external_id of ids)
    for (const trigger of ['instruct', 'confirm']) {
      const { status, text } = await world.post('/v1/sandbox/payouts', { external_id, trigger });
      expect(`${status} ${text}`).toMatch(/^200/);
    }
  return ids;
}
