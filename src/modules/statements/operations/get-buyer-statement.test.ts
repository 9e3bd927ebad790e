import { describe, expect, it } from 'vitest';
import { findLateCharge, waiveLateCharge } from '#modules/invoices';
import { invoiceBody } from '#test/bodies';
import { creditNoteBody } from '#test/credit-notes';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { addLateCharge } from '#test/late-charges';
import { actAs } from '#test/operators';
import type { Reply } from '#test/world';

const DAY = 86_400;
const { create, world } = useInvoicing();

const statement = (query: Record<string, number> = {}, more: object = {}): Promise<Reply> =>
  world().get(`/v1/buyers/buyer/statement?${new URLSearchParams(query as never)}`, more);
const accountOf = (reply: Reply, currency = 'EUR') =>
  reply.body.accounts.find((each: { currency: string }) => each.currency === currency);

/** What all invoices of the buyer and their late charges owe now, computed from the rows. */
async function owedNow(): Promise<number> {
  const [row] = await world().sql<{ owed: string }>(
    `select (select coalesce(sum(outstanding_amount), 0) from invoices where buyer_external_id = 'buyer' and currency = 'EUR')
      + (select coalesce(sum(outstanding_amount), 0) from late_charges where buyer_external_id = 'buyer' and currency = 'EUR')
      as owed`,
  );
  return Number(row?.owed);
}

async function ok(reply: Promise<Reply>): Promise<Reply> {
  const answered = await reply;
  expect(`${answered.status} ${answered.text}`).toMatch(/^20[01] /);
  return answered;
}

const make = (external_id: string, minor: number, more: object = {}) =>
  ok(create(invoiceBody({ external_id, buyer_external_id: 'buyer', ...grossOf(minor), ...more })));
const pay = (invoice: string, external_id: string, amount: number) =>
  ok(world().post(`/v1/invoices/${invoice}/payments`, { external_id, amount, received_by: 'PLATFORM' }));

async function waive(invoice: string, kind: string): Promise<void> {
  const [row] = await world().sql<{ id: string }>(
    'select external_id as id from late_charges where invoice_external_id = $1 and kind = $2',
    [invoice, kind],
  );
  await actAs(world(), 'fin', async (context) => {
    const charge = await findLateCharge(context.db, context.platformId, row?.id as string);
    return waiveLateCharge(context, charge as never, 'Goodwill.');
  });
}

describe('GET /v1/buyers/{external_id}/statement', () => {
  /** What was owed after each step, by the instant of the step. */
  const owedAt = new Map<number, number>();

  it('200: agrees with the invoices and their late charges at every instant of a year', async () => {
    const steps: (() => Promise<unknown>)[] = [
      () => make('a', 100_000, { invoiced_at: NOW - 3 * DAY, invoice_number: 'A-1' }),
      () => make('b', 50_000),
      () => pay('a', 'p1', 30_000),
      () =>
        ok(
          world().post(
            '/v1/credit_notes',
            creditNoteBody({ external_id: 'c1', invoice_external_id: 'a', ...grossOf(20_000) }),
          ),
        ),
      () => addLateCharge(world(), 'a', { amountMinor: 258 }),
      () => addLateCharge(world(), 'b', { kind: 'COMPENSATION', amountMinor: 4_000 }),
      () => pay('a', 'p2', 50_258),
      () => ok(world().post('/v1/invoices/a/payments/p1/reverse', { reason: 'Bounced' })),
      () => pay('b', 'p3', 60_000),
      () =>
        ok(
          world().post(
            '/v1/credit_notes',
            creditNoteBody({ external_id: 'c2', invoice_external_id: 'b', ...grossOf(10_000) }),
          ),
        ),
      () => make('d', 7_000),
      () => pay('d', 'p4', 1_000),
      () => ok(world().post('/v1/invoices/d/refund')),
      () => addLateCharge(world(), 'a', { kind: 'REMINDER', amountMinor: 500 }),
      () => waive('a', 'REMINDER'),
    ];
    for (const [index, step] of steps.entries()) {
      const at = NOW + index * 20 * DAY;
      world().clock.set(at);
      await step();
      owedAt.set(at, await owedNow());
    }
    world().clock.set(NOW + 400 * DAY);
    for (const [at, owed] of owedAt) {
      const account = accountOf(await ok(statement({ from: NOW - DAY, at })));
      const open = account.open_invoices.map(
        (each: Record<string, number>) => (each.outstanding ?? 0) + (each.late_charges ?? 0),
      );
      expect({
        at,
        closing: account.closing_balance,
        open: open.reduce((sum: number, each: number) => sum + each, 0),
        last: account.entries.at(-1).balance,
      }).toEqual({ at, closing: owed, open: owed, last: owed });
    }
    expect([...owedAt.values()].at(-1)).toBeGreaterThan(0);
  });

  it('200: carries what was owed before the period, and dates documents', async () => {
    const from = NOW + 5 * 20 * DAY;
    const account = accountOf(await ok(statement({ from, at: from + 3 * 20 * DAY })));
    expect(account.opening_balance).toBe(owedAt.get(from - 20 * DAY));
    expect(
      account.entries.map(({ kind, document_external_id: id, amount }: Record<string, unknown>) => [
        kind,
        id,
        amount,
      ]),
    ).toEqual([
      ['COMPENSATION', expect.stringMatching(/./), 4_000],
      ['PAYMENT', 'p2', -50_258],
      ['PAYMENT_RETURNED', 'p1', 30_000],
      ['PAYMENT', 'p3', -54_000],
    ]);
    const [first] = accountOf(await ok(statement({ from: NOW, at: NOW }))).entries;
    expect(first).toMatchObject({
      kind: 'INVOICE',
      on: '2025-11-17',
      invoice_number: 'A-1',
      balance: 100_000,
    });
  });

  it('200: shows cancelled invoices, waived charges and money that settles nothing yet', async () => {
    const account = accountOf(await ok(statement({ from: NOW + 180 * DAY })));
    const kinds = account.entries.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual([
      ...[
        'CREDIT_NOTE',
        'PAYMENT_RELEASED',
        'INVOICE',
        'PAYMENT',
        'PAYMENT_RELEASED',
        'CANCELLATION',
        'REMINDER',
        'WAIVER',
      ],
    ]);
    const [row] = await world().sql<{ held: string }>(
      "select -sum(amount) as held from ledger_lines where account = 'unapplied_cash' and party = 'buyer' and currency = 'EUR'",
    );
    expect(account.unapplied).toBe(Number(row?.held));
    expect(account.unapplied).toBeGreaterThan(0);
  });

  it('200: without a period it is about this month until now; nothing owed is no account', async () => {
    world().clock.set(NOW + 400 * DAY);
    const { body } = await ok(statement());
    expect([body.from, body.at]).toEqual([Date.UTC(2026, 11, 1) / 1_000, NOW + 400 * DAY]);
    expect(accountOf({ body } as Reply)).toMatchObject({ entries: [], opening_balance: await owedNow() });
    expect((await world().get('/v1/buyers/stranger/statement')).body.accounts).toEqual([]);
  });

  it('200: says what open disputes contested at an instant', async () => {
    const opened = NOW + 400 * DAY;
    const decided = opened + 2;
    world().clock.set(opened);
    await make('contested', 10_000);
    const path = '/v1/invoices/contested/disputes';
    await ok(world().post(path, { external_id: 'part', reason: 'DAMAGED', amount: 4_000 }));
    world().clock.set(decided);
    await ok(world().post(`${path}/part/reject`, { comment: 'All was whole.' }));
    const disputedAt = async (at: number) =>
      accountOf(await ok(statement({ from: NOW, at })))
        .open_invoices.filter(({ disputed }: { disputed: number }) => disputed > 0)
        .map(({ invoice_external_id: id, disputed }: Record<string, unknown>) => [id, disputed]);
    expect(await disputedAt(opened)).toEqual([['contested', 4_000]]);
    expect(await disputedAt(decided - 1)).toEqual([['contested', 4_000]]);
    expect(await disputedAt(decided)).toEqual([]);
    world().clock.set(opened);
  });

  it('200: owes nothing of a waived charge whose payment went back', async () => {
    const start = NOW + 401 * DAY;
    const owed: number[] = [];
    const steps: (() => Promise<unknown>)[] = [
      () => make('goodwill', 1_000),
      () => pay('goodwill', 'p5', 1_000),
      () => addLateCharge(world(), 'goodwill', { kind: 'COMPENSATION', amountMinor: 4_000 }),
      () => pay('goodwill', 'p6', 1_500),
      () => waive('goodwill', 'COMPENSATION'),
      () => ok(world().post('/v1/invoices/goodwill/payments/p6/reverse', { reason: 'Bounced' })),
    ];
    for (const [index, step] of steps.entries()) {
      world().clock.set(start + index);
      await step();
      owed.push(await owedNow());
    }
    const closing: number[] = [];
    for (const index of steps.keys())
      closing.push(accountOf(await ok(statement({ from: start, at: start + index }))).closing_balance);
    expect(closing).toEqual(owed);
    const { entries } = accountOf(await ok(statement({ from: start, at: start + steps.length - 1 })));
    expect(entries.slice(-3).map(({ kind, amount }: Record<string, unknown>) => [kind, amount])).toEqual([
      ['WAIVER', -2_500],
      ['PAYMENT_RETURNED', 1_500],
      ['WAIVER', -1_500],
    ]);
    world().clock.set(NOW + 400 * DAY);
  });

  it('200: keeps currencies apart', async () => {
    await make('pounds', 0, { amount: { net: 12_345, gross: 12_345, currency: 'GBP' } });
    const reply = await ok(statement({ from: NOW }));
    expect(accountOf(reply, 'GBP')).toMatchObject({ closing_balance: 12_345, unapplied: 0 });
    expect(accountOf(reply).closing_balance).toBe(await owedNow());
  });

  it("200: a key that is restricted to a merchant gets that merchant's invoices", async () => {
    await make('others', 999, { merchant_external_id: 'other-merchant' });
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    expect((await ok(statement({ from: NOW }, { key }))).body.accounts).toMatchObject([
      { closing_balance: 999, unapplied: null, entries: [{ document_external_id: 'others' }] },
    ]);
  });

  it('400: for a period to come, and one that ends before it begins', async () => {
    const issues = async (query: Record<string, number>) =>
      (await statement(query)).body.issues.map(({ code, path }: Record<string, string>) => `${code} ${path}`);
    const now = NOW + 400 * DAY;
    expect(await issues({ at: now + 1 })).toEqual(['IN_THE_FUTURE query.at']);
    expect(await issues({ from: now, at: now - 1 })).toEqual(['INVALID_VALUE query.from']);
  });

  it('404: for an unknown buyer, and for one of another platform', async () => {
    const { apiKey } = await world().addPlatform();
    const replies = [await world().get('/v1/buyers/nobody/statement'), await statement({}, { key: apiKey })];
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
  });
});
