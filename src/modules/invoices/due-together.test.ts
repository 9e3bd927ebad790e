/** Invoices that fall due at one midnight: each once, with the same result as one by one, regardless of failures of another one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeDueTransitions } from '#infra/time/due-transitions';
import { buyerBody, draftOrderBody, invoiceBody, merchantBody } from '#test/bodies';
import { grantFacility } from '#test/credit';
import { makeDue } from '#test/due';
import { createWorld, type World } from '#test/world';
import { dueInvoices } from './due-invoices.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;
const MIDNIGHT = NOW + 30.5 * DAY;
/** Including the invoice in instalments. */
const INVOICES = 13;

let world: World;
let platformId: number;
let key: string;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  [platformId, key] = await addPlatform();
});

/** A platform with invoices of three buyers due at one midnight: whole, partly paid, and in instalments. */
async function addPlatform(): Promise<[platformId: number, key: string]> {
  const { platform, apiKey } = await world.addPlatform();
  const send = async (path: string, body: object) => {
    const { status, text } = await world.post(path, body, { key: apiKey });
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
  };
  await send('/v1/merchants', merchantBody({}));
  for (const buyer of ['b1', 'b2', 'b3']) {
    await send('/v1/buyers', buyerBody({ external_id: buyer }));
    await grantFacility(world, { buyer, totalMinor: 1_000_000, platformId: platform.platform_id });
  }
  for (let nth = 0; nth < INVOICES - 1; nth++) {
    const buyer_external_id = `b${1 + (nth % 3)}`;
    const external_id = `invoice-${String(nth).padStart(2, '0')}`;
    await send('/v1/invoices', invoiceBody({ external_id, buyer_external_id, due_at: NOW + 30 * DAY - nth }));
    if (nth % 4 === 0)
      await send(`/v1/invoices/${external_id}/payments`, { external_id: `p-${nth}`, amount: 100 });
  }
  const term = { payment_method: 'TRANSFER', payment_term: 'SPLIT_3M' };
  await send('/v1/orders', { ...draftOrderBody({ external_id: 'split', buyer_external_id: 'b1' }), ...term });
  await send('/v1/invoices', {
    external_id: 'invoice-split',
    order_external_ids: ['split'],
    amount: { net: 9_000, gross: 9_000 },
  });
  return [platform.platform_id, apiKey];
}

const on = (id: number): World => ({ ...world, platform: { ...world.platform, platform_id: id } });
const together = (batchesMax: number, now = MIDNIGHT) =>
  makeDueTransitions([dueInvoices], world.installation.db, platformId, now, undefined, { batchesMax });

/** Everything that falling due writes, without what names the platform or is random. */
async function written(id: number) {
  const rows = (text: string) =>
    world.sql<{ row: object }>(text, [id]).then((all) => all.map(({ row }) => row));
  return {
    invoices: await rows(
      `select to_jsonb(i) - '{platform_id,payment_reference}'::text[] as row from invoices i where platform_id = $1
      order by external_id`,
    ),
    history: await rows(
      `select to_jsonb(t) - 'platform_id' as row from invoice_transitions t where platform_id = $1 and actor = 'service'
      order by invoice_external_id, version`,
    ),
    events: await rows(
      `select jsonb_build_object('type', type, 'at', occurred_at, 'data', body::jsonb->'data') as row from events
      where platform_id = $1 and type = 'INVOICE.DUE' order by ordinal`,
    ),
    overdue: await rows(
      `select to_jsonb(o) - 'platform_id' as row from overdue_invoices o where platform_id = $1
      order by invoice_external_id, installment`,
    ),
    buyers: await rows(
      `select jsonb_build_object('id', external_id, 'since', overdue_since, 'version', version) as row from buyers
      where platform_id = $1 order by external_id`,
    ),
  };
}

/** How often each invoice has become due. */
const timesDue = () =>
  world.sql<{ history: number; events: number }>(
    `select (select count(*)::int from invoice_transitions t where t.platform_id = $1 and t.invoice_external_id = i.external_id
        and t.trigger = 'become_due') as history,
      (select count(*)::int from events e where e.platform_id = $1 and e.resource_external_id = i.external_id
        and e.type = 'INVOICE.DUE') as events
    from invoices i where platform_id = $1 and status = 'DUE'`,
    [platformId],
  );
const once = (count: number) => Array(count).fill({ history: 1, events: 1 });

describe('invoices that fall due at one midnight', () => {
  it('are the same afterwards, whether they were made together or one by one', async () => {
    const [other] = await addPlatform();
    const made = await makeDue(on(platformId), [dueInvoices], MIDNIGHT + 60 * DAY, undefined);
    const alone = await makeDue(
      on(other),
      [{ ...dueInvoices, togetherMax: 1 }],
      MIDNIGHT + 60 * DAY,
      undefined,
    );
    expect(made).toEqual(alone);
    expect(made).toHaveLength(INVOICES);
    const [one, all] = [await written(other), await written(platformId)];
    expect(all).toEqual(one);
    expect(all.history).toHaveLength(INVOICES);
    expect(all.events).toHaveLength(INVOICES);
    // Each unpaid instalment counts.
    expect(all.overdue).toHaveLength(INVOICES + 2);
    expect(all.buyers).not.toContainEqual(expect.objectContaining({ since: null }));
  });

  it('become due once if several workers sweep at once', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => together(10)));
    expect(made.flatMap(({ failed }) => failed)).toEqual([]);
    expect(made.reduce((sum, each) => sum + each.made.length, 0)).toBe(INVOICES);
    expect(await timesDue()).toEqual(once(INVOICES));
  });

  it('are passed over if they were paid or cancelled since they were found', async () => {
    const due = await dueInvoices.findNext(world.installation.db, platformId, MIDNIGHT, 200, []);
    expect(due).toHaveLength(INVOICES);
    await world.post('/v1/invoices/invoice-03/paid', {}, { key });
    await world.post('/v1/invoices/invoice-05/refund', {}, { key });
    const made = await dueInvoices.make(world.installation.db, platformId, due, undefined);
    expect(made.map(({ externalId }) => externalId)).toEqual(
      due.map(({ externalId }) => externalId).filter((id) => id !== 'invoice-03' && id !== 'invoice-05'),
    );
    expect(await timesDue()).toEqual(once(INVOICES - 2));
  });

  it('become due although one of them fails, which is tried again', async () => {
    await world.sql(
      `alter table invoice_transitions add constraint cursed
      check (platform_id <> ${platformId} or invoice_external_id <> 'invoice-04' or trigger <> 'become_due') not valid`,
    );
    const failing = await together(10);
    expect(failing.failed).toMatchObject([{ due: { externalId: 'invoice-04' } }]);
    expect(failing.made).toHaveLength(INVOICES - 1);
    expect(failing.hasMore).toBe(false);
    const answer = await world.post('/v1/sandbox/clock', { now: MIDNIGHT + 1 }, { key });
    expect(answer.status).toBe(500);
    await world.sql('alter table invoice_transitions drop constraint cursed');
    const { body } = await world.post('/v1/sandbox/clock', { advance_seconds: 1 }, { key });
    expect(body.transitions).toMatchObject([
      { external_id: 'invoice-04', at: MIDNIGHT, trigger: 'become_due' },
    ]);
    expect(await timesDue()).toEqual(once(INVOICES));
  });
});
