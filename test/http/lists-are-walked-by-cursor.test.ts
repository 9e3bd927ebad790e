/** A list that is read by cursors has each item once, in its order, regardless of the sort and of concurrent changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody } from '#test/bodies';
import { creditNoteBody } from '#test/credit-notes';
import { createListedWorld, pagedLists } from '#test/every-list';
import { expectSamePages, idsOf } from '#test/paging';
import { createStoryWorld } from '#test/story-world';
import type { World } from '#test/world';

const SORTS: Record<string, readonly string[]> = {
  buyers: ['created_at', 'updated_at', 'legal_name', 'external_id'],
  facilities: ['created_at', 'updated_at', 'expires_at', 'total_amount', 'available_amount', 'used_amount'],
  orders: ['created_at', 'updated_at', 'ordered_at', 'amount_gross', 'external_id'],
  invoices: ['created_at', 'updated_at', 'invoiced_at', 'due_at', 'amount_gross', 'external_id'],
  credit_notes: ['created_at', 'invoiced_at', 'amount_gross', 'external_id'],
  payouts: ['created_at', 'scheduled_on', 'amount', 'external_id'],
};
const WALKS = Object.entries(SORTS).flatMap(([list, columns]) =>
  columns.flatMap((column) => [`${list}?sort_by=${column}`, `${list}?sort_by=-${column}`]),
);

let world: World;
beforeAll(async () => {
  world = await createStoryWorld();
  // A buyer without a name, which was only invited, and an order with the same instant as another.
  await world.post('/v1/buyers', { external_id: 'invited', contact_email: 'invited@buyer.example' });
  for (const external_id of ['twin-b', 'twin-a'])
    await world.post(
      '/v1/orders/draft',
      draftOrderBody({
        external_id,
        buyer_external_id: 'cafe-morgenrot',
        merchant_external_id: 'roastery-north',
      }),
    );
  const { items } = (await world.get('/v1/invoices?status=OPEN&limit=1')).body;
  const [{ external_id: invoice_external_id }] = items;
  const amount = { net: 100, tax: 19, gross: 119 };
  for (const external_id of ['note-b', 'note-a'])
    await world.post('/v1/credit_notes', creditNoteBody({ external_id, invoice_external_id, amount }));
});
afterAll(() => world.close());

const get = async (path: string) => {
  const { status, body } = await world.get(`/v1/${path}`);
  expect([path, status, body.issues]).toEqual([path, 200, undefined]);
  return body;
};

async function walked(path: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let next = ''; ; ) {
    const body = await get(`${path}&limit=${limit}${next && `&after=${next}`}`);
    ids.push(...idsOf(body));
    if (body.next === null) return ids;
    next = body.next;
  }
}

describe('a list', () => {
  it.each(WALKS)('%s has by its cursors what it has by offset', async (path) => {
    const all = await get(path);
    expect(all.total).toBe(all.items.length);
    expect(all.items.length).toBeGreaterThan(1);
    for (const limit of [1, 2]) expect(await walked(path, limit)).toEqual(idsOf(all));
  });

  it.each([
    'orders?status=CONFIRMED,DRAFT,CLOSED&sort_by=-amount_gross',
    'orders?buyer_external_id=cafe-morgenrot&merchant_external_id=roastery-north&status=DRAFT',
    'invoices?status=OPEN,DUE,CLOSED&due_at=1..&sort_by=due_at',
    'invoices?currency=EUR,GBP&amount_gross=1000..&sort_by=amount_gross',
    'buyers?country=DE,FR,GB',
  ])('%s is the same with filters', async (path) => {
    const all = await get(path);
    expect(all.total).toBe(all.items.length);
    expect(all.items.length).toBeGreaterThan(1);
    const separator = path.includes('sort_by') ? path : `${path}&sort_by=-created_at`;
    expect(await walked(separator, 1)).toEqual(idsOf(all));
  });

  it('goes on behind the longest name', async () => {
    for (const nth of [1, 2]) {
      const legal_name = `${nth}${'𠮷'.repeat(254)}`;
      const body = buyerBody({ external_id: `longest-${nth}`, legal_name });
      expect((await world.post('/v1/buyers', body)).status).toBe(201);
    }
    const all = await get('buyers?sort_by=-legal_name');
    expect(await walked('buyers?sort_by=-legal_name', 1)).toEqual(idsOf(all));
  });

  it('goes on behind an item that is gone from it, and has none twice when others come before', async () => {
    const path = 'orders?status=DRAFT&sort_by=-created_at';
    const all = idsOf(await get(path));
    const first = await get(`${path}&limit=1`);
    await world.post(`/v1/orders/${idsOf(first)[0]}/cancel`);
    await world.post(
      '/v1/orders/draft',
      draftOrderBody({
        external_id: 'newest',
        buyer_external_id: 'cafe-morgenrot',
        merchant_external_id: 'roastery-north',
      }),
    );
    const behind = await get(`${path}&after=${first.next}`);
    expect(idsOf(behind).filter((id) => id !== 'newest')).toEqual(all.slice(1));
  });
});

describe('every list', () => {
  let listed: World;
  beforeAll(async () => {
    listed = await createListedWorld();
  });
  afterAll(() => listed.close());

  it.each(pagedLists)('$id has by its cursors what it has by offset', ({ path, required }) =>
    expectSamePages((parameters) => listed.get(`${path}?${parameters}${required}`)),
  );
});
