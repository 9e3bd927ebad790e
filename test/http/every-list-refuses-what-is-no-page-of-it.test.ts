/** Every list refuses invalid paging parameters, with the reason. The lists and their parameters are those of the routes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createListedWorld, type EveryList, pagedLists, type QueryParameter } from '#test/every-list';
import { issuesOf } from '#test/paging';
import type { World } from '#test/world';

let world: World;
let foreignKey: string;
let foreignCursor: string;
beforeAll(async () => {
  world = await createListedWorld();
  foreignKey = (await world.addPlatform()).apiKey;
  foreignCursor = (await world.get('/v1/orders?limit=1')).body.next;
});
afterAll(() => world.close());

const request = (list: EveryList, parameters: string, key?: string) =>
  world.get(`${list.path}?${parameters}${list.required}`, key === undefined ? {} : { key });

async function refusalOf(list: EveryList, parameters: string, key?: string) {
  const { status, body } = await request(list, parameters, key);
  return { status, issues: body.issues && issuesOf(body), message: body.issues?.[0]?.message };
}

const NO_CURSOR = 'is not a cursor of this list: pass `next` of a page unchanged';

const REFUSED: [parameters: string, code: string][] = [
  ['limit=0', 'TOO_SMALL'],
  ['limit=-1', 'TOO_SMALL'],
  ['limit=101', 'TOO_BIG'],
  ['limit=9223372036854775808', 'TOO_BIG'],
  ['limit=abc', 'INVALID_TYPE'],
  ['limit=1.5', 'INVALID_TYPE'],
  ['limit=1.0', 'INVALID_TYPE'],
  ['limit=1e1', 'INVALID_TYPE'],
  ['limit=0x10', 'INVALID_TYPE'],
  ['limit=%201', 'INVALID_TYPE'],
  ['limit=', 'INVALID_TYPE'],
  ['limit=1&limit=2', 'INVALID_TYPE'],
  ['limit=%00', 'INVALID_TYPE'],
  ['offset=-1', 'TOO_SMALL'],
  ['offset=2147483648', 'TOO_BIG'],
  ['offset=9223372036854775808', 'TOO_BIG'],
  [`offset=${'9'.repeat(400)}`, 'INVALID_TYPE'],
  ['offset=abc', 'INVALID_TYPE'],
  ['offset=1.5', 'INVALID_TYPE'],
  ['offset=', 'INVALID_TYPE'],
  ['after=abc', 'INVALID_VALUE'],
  ['after=%00', 'INVALID_VALUE'],
  ['after=', 'TOO_SHORT'],
  [`after=${'a'.repeat(2_001)}`, 'TOO_LONG'],
  ['total=maybe', 'INVALID_TYPE'],
  ['total=', 'INVALID_TYPE'],
  ['page=1', 'UNRECOGNIZED_KEYS'],
  ['Limit=1', 'UNRECOGNIZED_KEYS'],
  ['constructor=1', 'UNRECOGNIZED_KEYS'],
  ['__proto__=1', 'UNRECOGNIZED_KEYS'],
];

/** A valid value of the filter. */
function fitting({ items = {} }: QueryParameter): string {
  const [first = items] = items.anyOf ?? [];
  return first.enum?.[0] ?? (items.format === 'country' ? 'DE' : 'a');
}

/** `expand` is not a filter. */
const filtersOf = ({ parameters }: EveryList) =>
  Object.entries(parameters).filter(([name]) => name !== 'expand');
const named = (list: EveryList) => [list.id, list] as const;

describe.each(pagedLists.map(named))('%s', (_, list) => {
  it('has a cursor, an offset and a total that can be left out', async () => {
    expect(Object.keys(list.parameters)).toEqual(
      expect.arrayContaining(['limit', 'offset', 'after', 'total']),
    );
    const { status, body } = await request(list, 'limit=1&total=false');
    expect(status).toBe(200);
    expect({ ...body, items: [] }).toMatchObject({ items: [], total: null, limit: 1, offset: 0 });
    expect(typeof body.next).toBe('string');
  });

  it('refuses values that no parameter of a page has', async () => {
    for (const [parameters, code] of REFUSED) {
      const path = `query.${parameters.split('=')[0]}`;
      const refusal = await refusalOf(list, parameters);
      expect([parameters, refusal]).toEqual([
        parameters,
        { status: 400, issues: [`${code} ${path}`], message: expect.stringMatching(/\w/) },
      ]);
    }
  });

  it('refuses an offset together with a cursor', async () => {
    const { next } = (await request(list, 'limit=1')).body;
    expect(await refusalOf(list, `after=${next}&offset=0`)).toEqual({
      status: 400,
      issues: ['INVALID_VALUE query.offset'],
      message: 'is not allowed together with after',
    });
  });

  it('refuses a cursor of another list, of another resource, and one that was changed', async () => {
    const refusal = { status: 400, issues: ['INVALID_VALUE query.after'], message: NO_CURSOR };
    const { next } = (await request(list, 'limit=1')).body;
    const changed = `${next.slice(0, -2)}${next.endsWith('AA') ? 'BA' : 'AA'}`;
    expect(await refusalOf(list, `after=${changed}`)).toEqual(refusal);
    if (list.id !== 'listOrders') expect(await refusalOf(list, `after=${foreignCursor}`)).toEqual(refusal);
  });

  it('refuses a cursor of another platform, or has nothing there', async () => {
    const { next } = (await request(list, 'limit=1')).body;
    const refusal = await refusalOf(list, `after=${next}`, foreignKey);
    if (refusal.status !== 404)
      expect(refusal).toEqual({ status: 400, issues: ['INVALID_VALUE query.after'], message: NO_CURSOR });
  });

  it('refuses a cursor of another order', async () => {
    const { sort_by } = list.parameters;
    if (!sort_by) return expect(await refusalOf(list, 'sort_by=-created_at')).toMatchObject({ status: 400 });
    const { next } = (await request(list, 'limit=1')).body;
    for (const sort of sort_by.enum?.filter((each) => each !== '-created_at') ?? [])
      expect(await refusalOf(list, `after=${next}&sort_by=${sort}`)).toEqual({
        status: 400,
        issues: ['INVALID_VALUE query.after'],
        message: 'belongs to a list sorted by -created_at: pass the same sort_by with it',
      });
    expect(await refusalOf(list, 'sort_by=nothing')).toMatchObject({
      issues: ['INVALID_ENUM query.sort_by'],
    });
  });

  it('refuses a filter by a thousand values, and one by nothing', async () => {
    for (const [name, parameter] of filtersOf(list).filter(([, { type }]) => type === 'array')) {
      const values = Array.from({ length: 1_000 }, () => fitting(parameter)).join();
      expect([name, await refusalOf(list, `${name}=${values}`)]).toEqual([
        name,
        { status: 400, issues: [`TOO_LONG query.${name}`], message: 'must have at most 100 items' },
      ]);
      expect([name, (await refusalOf(list, `${name}=`)).status]).toEqual([name, 400]);
    }
  });

  it('refuses a range that is none', async () => {
    for (const [name] of filtersOf(list).filter(([, { format }]) => format?.endsWith('-range')))
      for (const range of ['abc', '1..2..3', '..', '-1', '9223372036854775808'])
        expect([name, range, await refusalOf(list, `${name}=${range}`)]).toEqual([
          name,
          range,
          {
            status: 400,
            issues: [`INVALID_FORMAT query.${name}`],
            message: expect.stringMatching(/^must be/),
          },
        ]);
  });
});
