import { describe, expect, it } from 'vitest';
import { findPayingBehaviour } from '#modules/facilities';
import { buyerBody, invoiceBody } from '#test/bodies';
import { setLimits } from '#test/credit';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { plansOf } from '#test/plans';
import { recordedEvents } from '#test/stored';
import { invoiceDefaults } from './default-invoices.ts';

const DAY = 86_400;
const { create, order, invoiceOf, world } = useInvoicing();

const clock = async () => (await world().get('/v1/sandbox/clock')).body.now as number;
const advanceTo = async (now: number) => (await world().post('/v1/sandbox/clock', { now })).body.transitions;
const pay = (id: string, amount: number, more: object = {}) =>
  world().post(`/v1/invoices/${id}/payments`, { amount, ...more });
const stored = async (id: string) =>
  (
    await world().sql('select defaulted_on, defaults_at::int, version from invoices where external_id = $1', [
      id,
    ])
  )[0];
const defaultsOf = (id: string) =>
  world().sql(
    `select defaulted_on::text as day, amount::int, currency, recorded_at::int as at from invoice_defaults
    where invoice_external_id = $1`,
    [id],
  );
const changesOf = (id: string) =>
  world().sql(
    `select kind, changed_on::text as day, amount::int from invoice_default_changes where invoice_external_id = $1
    order by recorded_at, kind`,
    [id],
  );

/** The day on which an invoice that was due today, at noon, is more than 90 days past due. */
const dayOf = (at: number) => new Date(at * 1_000).toISOString().slice(0, 10);
const startOf = (at: number) => at - (at % DAY);

let made = 0;
/** An invoice of a buyer without a facility that is due at the clock's time. Returns when it defaults. */
async function due(more: object = {}): Promise<{ id: string; defaultsAt: number }> {
  const now = await clock();
  const id = `default-${++made}`;
  const { status, text } = await create(
    invoiceBody({ external_id: id, buyer_external_id: 'stranger', due_at: now, ...more }),
  );
  if (status !== 201) throw new Error(text);
  return { id, defaultsAt: startOf(now) + 91 * DAY };
}

describe('an invoice defaults', () => {
  it('on its 91st day past due, with what is outstanding then: a fact without event or version', async () => {
    const { id, defaultsAt } = await due();
    await pay(id, 900);
    expect(await advanceTo(defaultsAt - 1)).toMatchObject([{ external_id: id, trigger: 'become_due' }]);
    expect((await world().get(`/v1/invoices/${id}`)).body.days_past_due).toBe(90);
    expect(await defaultsOf(id)).toEqual([]);
    const { version } = (await stored(id)) as { version: number };
    expect(await advanceTo(defaultsAt)).toEqual([
      { at: defaultsAt, resource: 'invoice', external_id: id, trigger: 'default' },
    ]);
    expect((await world().get(`/v1/invoices/${id}`)).body).toMatchObject({
      status: 'DUE',
      days_past_due: 91,
    });
    expect(await defaultsOf(id)).toEqual([
      { day: dayOf(defaultsAt), amount: 11_000, currency: 'EUR', at: defaultsAt },
    ]);
    expect(await stored(id)).toEqual({ defaulted_on: dayOf(defaultsAt), defaults_at: null, version });
    expect((await recordedEvents(world(), id)).at(-1)?.type).toBe('INVOICE.DUE');
    expect(await advanceTo(defaultsAt + 30 * DAY)).toEqual([]);

    const key = { platformId: world().platform.platform_id, buyerExternalId: 'stranger' };
    const behaviour = await findPayingBehaviour(world().installation.db, key, {
      at: defaultsAt,
      currency: 'EUR',
      timeZone: 'UTC',
      limitPolicy: { overdueGraceDays: 7, defaultMaterialityAmountMinor: 10_000 },
    });
    expect(behaviour.defaults).toMatchObject([{ defaults: 1, amountMinor: 11_000n }]);

    // A later payment is a recovery. Money that came before the default but was recorded later was never in default.
    await pay(id, 1_000);
    await pay(id, 500, { paid_at: defaultsAt - 10 * DAY });
    const today = dayOf(await clock());
    expect(await changesOf(id)).toEqual(
      expect.arrayContaining([
        { kind: 'PAID', day: today, amount: 1_000 },
        { kind: 'CORRECTED', day: dayOf(defaultsAt - 10 * DAY), amount: 500 },
      ]),
    );
    expect(await stored(id)).toMatchObject({ defaulted_on: dayOf(defaultsAt), defaults_at: null });
  });

  it('above the materiality of its buyer only', async () => {
    await world().post('/v1/buyers', buyerBody({ external_id: 'lenient' }));
    await setLimits(world(), { default_materiality_amount: 50_000 }, 'lenient');
    const same = grossOf(10_000);
    const { id: residue, defaultsAt } = await due(same);
    const { id: above } = await due(grossOf(10_001));
    const { id: lenient } = await due({ ...grossOf(50_000), buyer_external_id: 'lenient' });
    const transitions = await advanceTo(defaultsAt);
    expect(transitions.slice(-1)).toMatchObject([{ external_id: above, trigger: 'default' }]);
    expect(transitions.filter(({ trigger }: { trigger: string }) => trigger === 'default')).toHaveLength(1);
    for (const id of [residue, lenient]) {
      expect(await stored(id)).toMatchObject({ defaulted_on: null, defaults_at: null });
      expect(await defaultsOf(id)).toEqual([]);
    }
  });

  it('on the day of a reversal that brings it above the materiality again', async () => {
    const { id, defaultsAt } = await due();
    const { body: payment } = await pay(id, 9_000);
    await advanceTo(defaultsAt);
    expect(await defaultsOf(id)).toEqual([]);
    const later = defaultsAt + 5 * DAY + 100;
    await advanceTo(later);
    await world().post(`/v1/invoices/${id}/payments/${payment.external_id}/reverse`, { reason: 'Returned.' });
    const [{ at } = {}] = await advanceTo(later + 10);
    expect(at).toBe((await world().get(`/v1/invoices/${id}`)).body.updated_at);
    expect(await defaultsOf(id)).toMatchObject([{ day: dayOf(later), amount: 11_900, at }]);
  });

  it('not if it was paid, cancelled, postponed or cured before, and not a second time', async () => {
    const { id: paid, defaultsAt } = await due();
    const { id: cancelled } = await due();
    const { id: postponed } = await due();
    const { body: split } = await invoiceOf(
      [await order({ payment_term: 'SPLIT_3M', ...grossOf(90_000) })],
      grossOf(90_000),
    );
    const [first] = split.installments;
    await advanceTo(first.due_at + 2 * DAY);
    const { body: shown } = await world().get(`/v1/invoices/${postponed}`);
    await world().post(`/v1/invoices/${paid}/paid`, {});
    await world().post(`/v1/invoices/${cancelled}/refund`, {});
    const { buyer_external_id, invoiced_at, amount, payment_method } = shown;
    const put = await world().put(`/v1/invoices/${postponed}`, {
      ...{ buyer_external_id, invoiced_at, amount, payment_method },
      due_at: (await clock()) + 300 * DAY,
    });
    expect(put).toMatchObject({ status: 200, body: { status: 'OPEN' } });
    await pay(split.external_id, first.outstanding_amount);
    expect((await world().get(`/v1/invoices/${split.external_id}`)).body.status).toBe('OPEN');
    for (const id of [paid, cancelled, postponed, split.external_id])
      expect(await stored(id)).toMatchObject({ defaults_at: null });
    const defaulted = (transitions: { external_id: string; trigger: string }[]) =>
      transitions.filter(({ trigger }) => trigger === 'default').map(({ external_id }) => external_id);
    expect(defaulted(await advanceTo(Math.max(defaultsAt, first.due_at + 91 * DAY)))).toEqual([]);

    // The second instalment, which was never paid, was due on a later day: the default has the whole outstanding amount.
    const [, second] = split.installments;
    expect(defaulted(await advanceTo(second.due_at + 90 * DAY + 1))).toEqual([split.external_id]);
    expect(await defaultsOf(split.external_id)).toMatchObject([
      { amount: split.outstanding_amount - first.outstanding_amount },
    ]);
    await world().post(`/v1/invoices/${split.external_id}/paid`, {});
    const { body } = await world().get(`/v1/invoices/${split.external_id}/payments`);
    const last = body.items[0].external_id;
    await world().post(`/v1/invoices/${split.external_id}/payments/${last}/reverse`, { reason: 'Returned.' });
    expect(defaulted(await advanceTo((await clock()) + DAY))).toEqual([]);
    expect(await defaultsOf(split.external_id)).toHaveLength(1);
    await world().post(`/v1/invoices/${split.external_id}/paid`, {});
  });

  it('once if several workers judge it, and is found by an index', async () => {
    const { id, defaultsAt } = await due();
    const before = await advanceTo(defaultsAt - 1);
    expect(before).toMatchObject([{ external_id: id, trigger: 'become_due' }]);
    const { db } = world().installation;
    const { platform_id: platformId } = world().platform;
    const found = await invoiceDefaults.findNext(db, platformId, defaultsAt, 200, []);
    const judged = await Promise.all(
      Array.from({ length: 5 }, () => invoiceDefaults.make(db, platformId, found, undefined)),
    );
    expect(judged.flat()).toMatchObject([{ externalId: id }]);
    expect(await defaultsOf(id)).toHaveLength(1);
    const plans = await plansOf(world(), (listening) =>
      invoiceDefaults.findNext(listening, platformId, NOW, 200, []),
    );
    expect(JSON.stringify(plans)).toContain('invoices_defaulting');
  });
});
