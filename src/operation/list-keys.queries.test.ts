import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  // Ten buyers are changed in each second, in an order that is not that of their creation.
  await world.sql(
    `insert into buyers (platform_id, external_id, created_at, updated_at, legal_name, legal_form, business_identifiers,
      business_address)
    select $1, 'buyer-' || lpad(n::text, 4, '0'), n / 3, n * 7 % 200, 'B', 'LIMITED_COMPANY', '[]',
      jsonb_build_object('country', case n % 2 when 0 then 'DE' else 'FR' end, 'street', null, 'house', null, 'postcode', '10435',
        'city', 'Berlin', 'additional', null)
    from generate_series(1, 2000) n`,
    [world.platform.platform_id],
  );
});
afterAll(() => world.close());

/** The items of all pages of the list, and the expected ones. */
async function walked(where: string, query: string): Promise<[string[], string[]]> {
  const expected = await world.sql<{ external_id: string }>(
    `select external_id from buyers where ${where} order by created_at desc, external_id`,
  );
  const found: string[] = [];
  for (let after = ''; after !== 'null'; ) {
    const { body } = await world.get(`/v1/buyers?${query}${after}`);
    expect(body.total).toBe(expected.length);
    found.push(...body.items.map(({ external_id }: { external_id: string }) => external_id));
    after = body.next === null ? 'null' : `&after=${body.next}`;
  }
  return [found, expected.map(({ external_id }) => external_id)];
}

describe('a page of a range, in an order that is not that of the range', () => {
  it.each([
    ['few rows', 'updated_at between 10 and 12', 'updated_at=10..12&limit=7'],
    ['as many rows as are sorted', 'updated_at between 10 and 59', 'updated_at=10..59&limit=99'],
    ['more rows', 'updated_at between 10 and 60', 'updated_at=10..60&limit=99'],
    ['nearly all rows', 'updated_at >= 1', 'updated_at=1..'],
    ['no row', 'updated_at > 200', 'updated_at=201..'],
    [
      'few rows, with another filter',
      `updated_at between 10 and 29 and business_address ->> 'country' = 'FR'`,
      'updated_at=10..29&country=FR&limit=9',
    ],
    [
      'few of the rows of another range',
      'updated_at between 10 and 29 and created_at between 100 and 300',
      'updated_at=10..29&created_at=100..300&limit=9',
    ],
  ])('has %s', async (_, where, query) => {
    const [found, expected] = await walked(where, query);
    expect(found).toEqual(expected);
  });

  it('is found by its offset as well', async () => {
    const { body } = await world.get('/v1/buyers?updated_at=10..12&limit=4&offset=20');
    const [, expected] = await walked('updated_at between 10 and 12', 'updated_at=10..12');
    expect(body.items.map(({ external_id }: { external_id: string }) => external_id)).toEqual(
      expected.slice(20, 24),
    );
  });
});
