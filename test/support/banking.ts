/** A world with indebted buyers, in which operators import bank files by command. */
import { afterAll, beforeAll, expect } from 'vitest';
import { camt054, type WrittenEntry } from './bank-files.ts';
import { invoiceBody } from './bodies.ts';
import { runHere, settingsOf } from './command.ts';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from './invoice-setup.ts';
import { ensureOperator } from './operators.ts';
import { filesFolder } from './registry-files.ts';
import type { World } from './world.ts';

export const WHY = ['--reason', 'The statement of the day.'];

/** A transaction in the queue. */
export interface Waiting {
  transaction_id: string;
  amount: number;
  reason: string;
  remittance: string;
  candidates: { invoice_external_id: string; reasons: string[] }[];
}

/** An unpaid invoice. */
export interface Claim {
  id: string;
  reference: string;
  number: string;
}

/** The balance of an account of the ledger in euros, by account and party; debit is positive. */
async function balances({ sql }: World): Promise<Record<string, number>> {
  const rows = await sql<{ account: string; party: string; amount: number }>(
    `select account, party, sum(amount)::int as amount from ledger_lines where currency = 'EUR' group by 1, 2 having sum(amount) <> 0`,
  );
  return Object.fromEntries(rows.map(({ account, party, amount }) => [`${account} ${party}`.trim(), amount]));
}
/** The effect of a change on the balances. */
async function balanceChanges(world: World, change: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await balances(world);
  await change();
  const after = await balances(world);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    keys
      .map((key) => [key, (after[key] ?? 0) - (before[key] ?? 0)] as const)
      .filter(([, amount]) => amount !== 0),
  );
}

/** For a test file: creates the world with the operator fin before its tests, and closes it after them. */
export function useBanking() {
  const { create, world } = useInvoicing();
  const folder = filesFolder();
  afterAll(() => folder.remove());

  let env: Record<string, string>;
  beforeAll(async () => {
    env = {
      ...(await settingsOf(world())),
      TRADELINE_OPERATOR_KEY: await ensureOperator(world(), 'fin', { role: 'FINANCE' }),
    };
  });

  const run = (args: string[], as = env) => runHere(['bank', ...args], as);
  const add = (account: string, ...more: string[]) =>
    run(['account', 'add', '--account', account, ...more, ...WHY]);

  let files = 0;
  const importing = (...texts: string[]) =>
    run(['import', ...texts.map((text) => folder.write(`bank-${++files}.xml`, text)), ...WHY]);

  /** Imports a notification of these entries and returns the outcome. */
  async function notify(...entries: WrittenEntry[]) {
    const { stdout, stderr, code } = await importing(camt054({ entries }));
    expect([code, stderr]).toEqual([0, '']);
    return stdout.split('\n').at(-2);
  }

  const waiting = async (): Promise<Waiting[]> => JSON.parse((await run(['queue', '--json'])).stdout);
  const waitingFor = async (text: string): Promise<Waiting> => {
    const found = (await waiting()).find(({ remittance }) => remittance.includes(text));
    if (!found) throw new Error(`Nothing in the queue says ${text}.`);
    return found;
  };

  let made = 0;
  async function claim(gross: number, more: object = {}): Promise<Claim> {
    const id = `claim-${++made}`;
    const number = `RE-2025-${1_000 + made}`;
    const body = invoiceBody({
      ...{ external_id: id, buyer_external_id: 'buyer', due_at: NOW + 864_000, invoice_number: number },
      ...grossOf(gross),
      ...more,
    });
    const { status, body: created } = await create(body);
    expect(status).toBe(201);
    return { id, reference: created.payment_reference, number };
  }

  const read = async ({ id }: Claim) => (await world().get(`/v1/invoices/${id}`)).body;
  const paymentsOf = async ({ id }: Claim) => (await world().get(`/v1/invoices/${id}/payments`)).body.items;

  const changeBy = (change: () => Promise<unknown>) => balanceChanges(world(), change);

  return {
    world,
    folder,
    settings: () => env,
    ...{ run, add, importing, notify, waiting, waitingFor, claim, read, paymentsOf, changeBy },
  };
}
