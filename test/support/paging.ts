/** The guarantees of lists about their pages. Refusals are tested on every list. */
import { describe, expect, it } from 'vitest';
import type { Reply } from './world.ts';

/** Sends the list's request with these further parameters. */
type SendList = (parameters: string) => Promise<Reply>;

/** The list must have 4 to 99 items; `ids` are their external_ids in the order of the list. */
export function describePaging(send: SendList, ids: readonly string[]) {
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

/** Expects the same items by cursor as by offset. The list must have at least 2 items, all different. */
export async function expectSamePages(send: SendList): Promise<void> {
  const read = async (parameters: string) => {
    const { status, body } = await send(parameters);
    expect([parameters, status]).toEqual([parameters, 200]);
    return body;
  };
  const { items, total, next } = await read('');
  expect([total, next]).toEqual([items.length, null]);
  expect(new Set(items.map((item: object) => JSON.stringify(item))).size).toBe(items.length);
  expect(items.length).toBeGreaterThan(1);
  for (const limit of [1, 2]) {
    const byCursor: unknown[] = [];
    const byOffset: unknown[] = [];
    for (let after = '', offset = 0; offset < total; offset += limit) {
      const page = await read(`limit=${limit}${after}`);
      byCursor.push(...page.items);
      byOffset.push(...(await read(`limit=${limit}&offset=${offset}`)).items);
      expect(page.next === null).toBe(offset + limit >= total);
      after = `&after=${page.next}`;
    }
    expect([byCursor, byOffset]).toEqual([items, items]);
  }
}

export function idsOf(list: { items: { external_id?: string; buyer_external_id?: string }[] }): string[] {
  return list.items.map((item) => item.external_id ?? item.buyer_external_id ?? '');
}

/** `CODE path` of each issue, sorted because their order is undefined. */
export function issuesOf(body: { issues: { code: string; path: string }[] }): string[] {
  return body.issues.map(({ code, path }) => `${code} ${path}`).sort();
}
