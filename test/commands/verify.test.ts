/** `tradeline verify`: the totals of lists against their rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, invoiceBody, merchantBody } from '#test/bodies';
import { auditBooks } from '#test/books-audit';
import { runHere, settingsOf } from '#test/command';
import { createWorld, type World } from '#test/world';

let world: World;
let env: Record<string, string>;
beforeAll(async () => {
  world = await createWorld();
  env = await settingsOf(world);
  await world.post('/v1/buyers', buyerBody({}));
  await world.post('/v1/merchants', merchantBody({}));
  for (const external_id of ['one', 'two']) {
    await world.post('/v1/invoices', invoiceBody({ external_id }));
    await world.post('/v1/orders/draft', draftOrderBody({ external_id }));
  }
  const other = await world.addPlatform();
  await world.post('/v1/buyers', buyerBody({}), { key: other.apiKey });
});
afterAll(() => world.close());

const verify = (...args: string[]) => runHere(['verify', '--platform', world.platform.code, ...args], env);
const change = (list: string, filter: string, value: string, by: number) =>
  world.sql(
    `insert into list_count_changes (platform_id, list, filters, filter_values, rows_changes) values ($1, $2, $3, $4, $5)`,
    [world.platform.platform_id, list, [filter], [value], [by]],
  );

describe('tradeline verify', () => {
  it('says that the totals are right', async () => {
    const { code, stdout } = await verify();
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`The totals of lists of ${world.platform.code} match their rows.\n`),
    ]);
    expect(JSON.parse((await verify('--json')).stdout)).toEqual([]);
  });

  it('says each total that is wrong, also of rows that are not there, and changes nothing', async () => {
    await change('orders', 'status', 'DRAFT', 3);
    await change('invoices', 'currency', 'PLN', 1);
    await change('buyers', '', '', -1);
    await change('contacts', '', '', 2);
    const { code, stderr } = await verify();
    expect(code).toBe(1);
    for (const sentence of [
      'orders by status, DRAFT: the total is 5, but there are 2.',
      'invoices by currency, PLN: the total is 1, but there are 0.',
      'buyers: the total is 0, but there are 1.',
      'contacts: the total is 2, but there are 0.',
    ])
      expect(stderr).toContain(sentence);
    expect(await auditBooks(world)).toHaveLength(4);
  });

  it('corrects them while orders are written', async () => {
    const writes = Array.from({ length: 10 }, (_, nth) =>
      world.post('/v1/orders/draft', draftOrderBody({ external_id: `later-${nth}` })),
    );
    const [{ code, stdout }] = await Promise.all([verify('--correct'), ...writes]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('orders by status, DRAFT: the total is')]);
    expect(await auditBooks(world)).toEqual([]);
    expect((await verify()).code).toBe(0);
    expect((await world.get('/v1/orders?limit=1')).body.total).toBe(12);
  });

  it('corrects them once where two commands do', async () => {
    await change('orders', 'status', 'DRAFT', 3);
    const outputs = await Promise.all([verify('--correct'), verify('--correct'), verify('--correct')]);
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await verify()).code).toBe(0);
  });
});
