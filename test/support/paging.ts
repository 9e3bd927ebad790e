/** What every list promises about its pages. */
import { describe, expect, it } from 'vitest';
import type { Reply } from './world.ts';

/** Sends the list's request with these further parameters. */
type SendList = (parameters: string) => Promise<Reply>;

/** The list must have at least 4 and fewer than 100 items; their external_ids in the order of the list are `ids`. */
export function describePaging(send: SendList, ids: readonly string[]) {
  describePages(send, ids);
  describeRefusals(send);
}

function describePages(send: SendList, ids: readonly string[]) {
  describe('pages', () => {
    it('have 100 items where nothing is said, and tell how many there are in all', async () => {
      const { status, body } = await send('');
      expect(status).toBe(200);
      expect(body).toEqual({
        items: expect.any(Array),
        total: ids.length,
        limit: 100,
        offset: 0,
        next: null,
      });
      expect(idsOf(body)).toEqual(ids);
    });

    it('put together are the whole list, each item once', async () => {
      const walked: string[] = [];
      for (let offset = 0, total = 1; offset < total; offset += 3) {
        const { body } = await send(`limit=3&offset=${offset}`);
        expect(body).toMatchObject({ total: ids.length, limit: 3, offset });
        walked.push(...idsOf(body));
        total = body.total;
      }
      expect(walked).toEqual(ids);
    });

    it('are found by the cursor of the one before, whatever its length', async () => {
      for (const limit of [1, 3, ids.length]) {
        const walked: string[] = [];
        for (let next: string | null | undefined; next !== null; ) {
          const { status, body } = await send(`limit=${limit}${next === undefined ? '' : `&after=${next}`}`);
          expect(status).toBe(200);
          expect(body).toMatchObject({ total: ids.length, limit, offset: 0 });
          walked.push(...idsOf(body));
          next = body.next;
        }
        expect(walked).toEqual(ids);
      }
    });

    it('have no total if none is asked for', async () => {
      const { body } = await send('limit=1&total=false');
      expect([idsOf(body), body.total]).toEqual([ids.slice(0, 1), null]);
    });

    it.each([
      ['limit=1', ids.slice(0, 1)],
      ['limit=100', ids],
      ['offset=0', ids],
      [`offset=${ids.length - 1}`, ids.slice(-1)],
      [`offset=${ids.length}`, []],
      [`offset=${2 ** 31 - 1}`, []],
    ])('with %s have what is there', async (parameters, expected) => {
      const { status, body } = await send(parameters);
      expect(status).toBe(200);
      expect(idsOf(body)).toEqual(expected);
      expect(body.total).toBe(ids.length);
    });
  });
}

/** The list must have at least 2 items, which the field `name` tells apart: by cursors it has what it has by offset. */
export async function expectSamePages(send: SendList, name: string): Promise<void> {
  const read = async (parameters: string) => {
    const { status, body } = await send(parameters);
    expect([parameters, status]).toEqual([parameters, 200]);
    return { ...body, names: body.items.map((item: Record<string, unknown>) => item[name]) };
  };
  const all = await read('');
  expect([all.total, all.next]).toEqual([all.items.length, null]);
  expect(new Set(all.names).size).toBeGreaterThan(1);
  for (const limit of [1, 2]) {
    const byCursor: unknown[] = [];
    const byOffset: unknown[] = [];
    for (let after = '', offset = 0; offset < all.total; offset += limit) {
      const page = await read(`limit=${limit}${after}`);
      byCursor.push(...page.names);
      byOffset.push(...(await read(`limit=${limit}&offset=${offset}`)).names);
      expect(page.next === null).toBe(offset + limit >= all.total);
      after = `&after=${page.next}`;
    }
    expect([byCursor, byOffset]).toEqual([all.names, all.names]);
  }
}

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
  [`after=${'a'.repeat(1_001)}`, 'TOO_LONG'],
  ['total=maybe', 'INVALID_TYPE'],
  ['total=', 'INVALID_TYPE'],
  ['page=1', 'UNRECOGNIZED_KEYS'],
  ['Limit=1', 'UNRECOGNIZED_KEYS'],
  ['constructor=1', 'UNRECOGNIZED_KEYS'],
  ['__proto__=1', 'UNRECOGNIZED_KEYS'],
];

function describeRefusals(send: SendList) {
  describe('400', () => {
    it.each(REFUSED)('%s is %s', async (parameters, code) => {
      const { status, body } = await send(parameters);
      expect(status).toBe(400);
      const path = `query.${parameters.split('=')[0]}`;
      expect(body).toEqual({
        error: '1 validation issue',
        code: 'BAD_REQUEST',
        issues: [{ code, path, message: expect.any(String) }],
        details: { docs: expect.stringMatching(/#BAD_REQUEST$/) },
      });
    });

    it('offset together with after', async () => {
      const { next } = (await send('limit=1')).body;
      const { status, body } = await send(`after=${next}&offset=1`);
      expect([status, issuesOf(body)]).toEqual([400, ['INVALID_VALUE query.offset']]);
    });

    it('a cursor that was changed', async () => {
      const { next } = (await send('limit=1')).body;
      const changed = `${next.slice(0, -2)}${next.endsWith('AA') ? 'BA' : 'AA'}`;
      const { status, body } = await send(`after=${changed}`);
      expect([status, issuesOf(body)]).toEqual([400, ['INVALID_VALUE query.after']]);
    });

    it('reports everything that is wrong at once', async () => {
      const { body } = await send('limit=101&offset=-1&page=1');
      expect(body.error).toBe('3 validation issues');
      expect(issuesOf(body)).toEqual([
        'TOO_BIG query.limit',
        'TOO_SMALL query.offset',
        'UNRECOGNIZED_KEYS query.page',
      ]);
    });
  });
}

export function idsOf(list: { items: { external_id?: string; buyer_external_id?: string }[] }): string[] {
  return list.items.map((item) => item.external_id ?? item.buyer_external_id ?? '');
}

/** `CODE path` of each issue, sorted: their order means nothing. */
export function issuesOf(body: { issues: { code: string; path: string }[] }): string[] {
  return body.issues.map(({ code, path }) => `${code} ${path}`).sort();
}
