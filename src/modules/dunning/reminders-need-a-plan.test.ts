/** Invoices have looks only with a plan, and every open one has a look once there is a plan. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import { DEFAULT_DUNNING_PLAN } from './dunning-plan.rules.ts';
import { reminders } from './look-at-invoices.ts';

const { debtor, invoice, mailsAbout, pay, setPlan, show, until, world } = useDunning();
const DAY = 86_400;
const DUE_AT = INVOICING_NOW + 20 * DAY;

/** The next look at an invoice, in unix seconds. */
async function lookAt(id: string): Promise<number | null> {
  const [row] = await world().sql<{ at: number | null }>(
    'select dunning_at::int as at from invoices where external_id = $1',
    [id],
  );
  return row?.at ?? null;
}
const ended = async (id: string) => (await show(id)).dunning === null;

beforeAll(() => setPlan(null));
beforeEach(() => world().clock.set(INVOICING_NOW));

describe('an invoice without a plan', () => {
  it('is not looked at, whatever becomes of it', async () => {
    const made = vi.spyOn(reminders, 'make');
    const late = await invoice(await debtor());
    expect(await lookAt(late)).toBeNull();
    expect((await pay(late, 40_000)).status).toBe(201);
    expect(await lookAt(late)).toBeNull();
    const stored = await show(late);
    expect((await world().put(`/v1/invoices/${late}`, { ...stored, due_at: DUE_AT + DAY })).status).toBe(200);
    expect(await lookAt(late)).toBeNull();
    const { body } = await pay(late, 60_000);
    const back = { reason: 'The direct debit was returned.' };
    await world().post(`/v1/invoices/${late}/payments/${body.external_id}/reverse`, back);
    expect(await lookAt(late)).toBeNull();
    await until('2026-01-30');
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  it('is looked at from the day on which there is one', async () => {
    const buyer = await debtor();
    const late = await invoice(buyer);
    const early = await invoice(buyer, { due_at: INVOICING_NOW + 90 * DAY });
    const other = await invoice(await debtor());
    await until('2026-01-12');
    const since = world().clock.now();
    await setPlan(DEFAULT_DUNNING_PLAN, { buyerExternalId: buyer });
    expect(await lookAt(late)).toBe(since);
    expect(await lookAt(early)).toBe(INVOICING_NOW + 75 * DAY);
    expect(await lookAt(other)).toBeNull();
    await until('2026-01-13');
    expect((await show(late)).dunning).toMatchObject({ step: 3, kind: 'REMINDER' });
    expect(await mailsAbout(other)).toEqual([]);
  });

  it('of one merchant stands beside those of another that has one', async () => {
    const buyer = await debtor();
    await setPlan(DEFAULT_DUNNING_PLAN, { merchantExternalId: 'other-merchant' });
    const without = await invoice(buyer);
    const reminded = await invoice(buyer, { merchant_external_id: 'other-merchant' });
    expect(await lookAt(reminded)).toBe(DUE_AT - 15 * DAY);
    expect(await lookAt(without)).toBeNull();
    await until('2025-12-16');
    expect((await mailsAbout(reminded)).length).toBeGreaterThan(0);
    expect(await mailsAbout(without)).toEqual([]);
    await setPlan(null, { merchantExternalId: 'other-merchant' });
  });
});

describe('a plan that ends', () => {
  it('ends what is under way, and lets nothing else be looked at', async () => {
    const buyer = await debtor();
    await setPlan(DEFAULT_DUNNING_PLAN, { buyerExternalId: buyer });
    const late = await invoice(buyer);
    const early = await invoice(buyer, { due_at: INVOICING_NOW + 90 * DAY });
    await until('2025-12-16');
    const mails = (await mailsAbout(late)).length;
    await setPlan(null, { buyerExternalId: buyer });
    expect(await lookAt(early)).toBeNull();
    await until('2026-02-28');
    expect(await lookAt(late)).toBeNull();
    expect(await mailsAbout(late)).toHaveLength(mails);
    expect(await ended(early)).toBe(true);
  });
});

describe('a plan that comes into force while invoices are made', () => {
  it('holds for each of them', async () => {
    const buyers = await Promise.all(Array.from({ length: 12 }, () => debtor()));
    for (let round = 0; round < 5; round++) {
      const [, ...made] = await Promise.all([
        setPlan(DEFAULT_DUNNING_PLAN),
        ...buyers.map((buyer) => invoice(buyer)),
      ]);
      const looks = await Promise.all(made.map(lookAt));
      expect(looks).not.toContain(null);
      await setPlan(null);
      expect(new Set(await Promise.all(made.map(lookAt)))).toEqual(new Set([null]));
    }
  });
});
