import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { describePaging, idsOf, issuesOf } from '#test/paging';
import { createWorld, type World } from '#test/world';

/** Registered in this order, one per second; the search returns the newest first. */
const BUYERS = [
  buyerBody({ external_id: 'plain', legal_name: 'Nordwind Handel GmbH' }),
  buyerBody({
    external_id: 'Named_1',
    legal_name: 'Ørsted & Søn A/S',
    trading_name: 'Café "Ü%50_off" \\o/',
    business_identifiers: [
      { type: 'VAT_ID', value: 'DE136695976', country: 'DE' },
      { type: 'TAX_ID', value: 'a"b\\c', country: 'DE' },
    ],
  }),
  buyerBody({ external_id: 'NAMED-2', legal_name: "O'Neill's 50% Ltd", trading_name: 'nordwind' }),
  buyerBody({ external_id: 'greek', legal_name: 'ΑΘΗΝΑ ЖУК 日本商事' }),
];

describe('GET /v1/buyers/search', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const [second, buyer] of BUYERS.entries()) {
      world.clock.set(1_800_000_000 + second);
      await world.post('/v1/buyers', buyer);
    }
    const { apiKey } = await world.addPlatform();
    await world.post('/v1/buyers', buyerBody({ external_id: 'theirs', legal_name: 'Nordwind' }), {
      key: apiKey,
    });
  });
  afterAll(() => world.close());

  const search = (text: string) => world.get(`/v1/buyers/search?query=${encodeURIComponent(text)}`);

  // Each of them contains an e.
  describePaging(
    (parameters) => world.get(`/v1/buyers/search?query=e&${parameters}`),
    ['greek', 'NAMED-2', 'Named_1', 'plain'],
  );

  describe('200', () => {
    it('finds whole buyers, as a GET shows them', async () => {
      const { status, body } = await search('plain');
      expect(status).toBe(200);
      expect(body.items).toEqual([(await world.get('/v1/buyers/plain')).body]);
    });

    it.each([
      ['an external_id', 'Named_1', ['Named_1']],
      ['part of an external_id', 'amed', ['NAMED-2', 'Named_1']],
      ['a legal name', 'Nordwind Handel GmbH', ['plain']],
      ['part of a legal name and of a trading name', 'wind', ['NAMED-2', 'plain']],
      ['another case', 'NORDWIND', ['NAMED-2', 'plain']],
      ['another case of letters with marks', 'CAFÉ "ü', ['Named_1']],
      ['another case of letters of other scripts', 'αθηνα жук', ['greek']],
      ['one letter', 'ø', ['Named_1']],
      ['characters without case', '本商', ['greek']],
      ['an identifier', 'DE136695976', ['Named_1']],
      ['part of an identifier', '6695', ['Named_1']],
      ['an identifier in small letters', 'de1366', ['Named_1']],
      ['an identifier with a quote and a backslash', 'a"b\\c', ['Named_1']],
      ['spaces around it', '  handel ', ['plain']],
      ['a percent sign, which is no wildcard', '50%', ['NAMED-2']],
      ['a percent sign between', 'ü%5', ['Named_1']],
      ['an underscore, which is no wildcard', '_', ['Named_1']],
      ['only a percent sign', '%', ['NAMED-2', 'Named_1']],
      ['a backslash', '\\', ['Named_1']],
      ['a quote', "'", ['NAMED-2']],
      ['what looks like SQL', "' or 1=1 --", []],
      ['a pattern that would match all', '%%', []],
      ['nothing that is there', 'Südwind', []],
      ['a longer text than any', 'x'.repeat(255), []],
      ['the mark of an empty list', '[]', []],
      ['the mark between two identifiers', '", "', []],
      ['the end of one field and the start of the next', 'plain nordwind', []],
      ['a value of a field that is not searched', 'Berlin', []],
    ])('finds by %s: %s', async (_, text, expected) => {
      const { status, body } = await search(text);
      expect(status).toBe(200);
      expect(idsOf(body)).toEqual(expected);
      expect(body.total).toBe(expected.length);
    });

    it('reads + as a space', async () => {
      expect(idsOf((await world.get('/v1/buyers/search?query=wind+handel')).body)).toEqual(['plain']);
    });

    it('finds a buyer by its new name at once, and no longer by its old one', async () => {
      const { external_id, ...buyer } = buyerBody({ external_id: 'renamed', business_identifiers: [] });
      await world.post('/v1/buyers', { external_id, ...buyer, legal_name: 'Firstzz' });
      await world.put('/v1/buyers/renamed', { ...buyer, legal_name: 'Secondzz' });
      expect(idsOf((await search('secondzz')).body)).toEqual(['renamed']);
      expect(idsOf((await search('firstzz')).body)).toEqual([]);
    });

    describe('of thousands of buyers', () => {
      let key: string;
      beforeAll(async () => {
        const { platform, apiKey } = await world.addPlatform();
        key = apiKey;
        await world.sql(
          `insert into buyers (platform_id, external_id, created_at, updated_at, legal_name, legal_form, business_identifiers, business_address)
          select $1, case when n % 1000 = 0 or n < 4 then 'qz-' else 'other-' end || n, n, n, 'Name', 'LIMITED_COMPANY', '[]',
            '{"street": null, "house": null, "postcode": "1", "city": "B", "country": "DE", "additional": null}'
          from generate_series(1, 6000) n`,
          [platform.platform_id],
        );
      });
      const read = async (query: string) => (await world.get(`/v1/buyers/search?${query}`, { key })).body;

      it.each(['qz', 'qz-', 'q'])(
        'finds the few with %s, the newest and the oldest, page by page',
        async (text) => {
          const found: string[] = [];
          for (let after = ''; ; ) {
            const body = await read(`query=${text}&limit=2${after}`);
            expect(body.total).toBe(9);
            found.push(...idsOf(body));
            if (body.next === null) break;
            after = `&after=${encodeURIComponent(body.next)}`;
          }
          const thousands = Array.from({ length: 6 }, (_, nth) => `qz-${(6 - nth) * 1_000}`);
          expect(found).toEqual([...thousands, 'qz-3', 'qz-2', 'qz-1']);
        },
      );

      it.each([
        ['all but a few', 'other', 5_991, ['other-5999', 'other-5998']],
        ['all of them', 'name', 6_000, ['qz-6000', 'other-5999']],
        ['one in six', 'er-5', 1_110, ['other-5999', 'other-5998']],
      ])('counts %s, and shows the newest', async (_, text, total, newest) => {
        const body = await read(`query=${text}&limit=2`);
        expect(body.total).toBe(total);
        expect(idsOf(body)).toEqual(newest);
      });

      it.each([
        ['qz', 9, ['qz-2', 'qz-1'], 7],
        ['other', 5_991, ['other-5', 'other-4'], 5_989],
      ])(
        'shows the last ones with %s by their offset, and counts beyond the end',
        async (text, total, last, offset) => {
          const body = await read(`query=${text}&offset=${offset}`);
          expect([body.total, idsOf(body)]).toEqual([total, last]);
          const { items, ...beyond } = await read(`query=${text}&offset=${total}`);
          expect([items, beyond.total, beyond.next]).toEqual([[], total, null]);
        },
      );

      it('leaves the total out if it is not requested', async () => {
        const body = await read('query=qz&limit=2&total=false');
        expect([body.total, idsOf(body)]).toEqual([null, ['qz-6000', 'qz-5000']]);
      });
    });
  });

  describe('400', () => {
    it.each([
      ['', 'REQUIRED query.query'],
      ['query=', 'TOO_SHORT query.query'],
      ['query=%20%20', 'TOO_SHORT query.query'],
      ['query=+', 'TOO_SHORT query.query'],
      ['query=%C2%A0%E3%80%80', 'TOO_SHORT query.query'],
      ['query=%E2%80%8B', 'TOO_SHORT query.query'],
      ['query=a%00', 'INVALID_VALUE query.query'],
      ['query=a%0Ab', 'INVALID_VALUE query.query'],
      [`query=${'x'.repeat(256)}`, 'TOO_LONG query.query'],
      ['query=a&query=b', 'INVALID_TYPE query.query'],
      ['query=a&sort_by=legal_name', 'UNRECOGNIZED_KEYS query.sort_by'],
      ['query=a&expand=contacts', 'UNRECOGNIZED_KEYS query.expand'],
    ])('?%s is %s', async (query, issue) => {
      const { status, body } = await world.get(`/v1/buyers/search?${query}`);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual([issue]);
    });

    it.each([
      ['of all buyers', '/v1/buyers?limit=1', '/v1/buyers/search?query=e'],
      ['of the search, for all buyers', '/v1/buyers/search?query=e&limit=1', '/v1/buyers?limit=100'],
      ['of another text', '/v1/buyers/search?query=nordwind&limit=1', '/v1/buyers/search?query=e'],
    ])('answers a cursor %s', async (_, from, to) => {
      const { next } = (await world.get(from)).body;
      const { status, body } = await world.get(`${to}&after=${encodeURIComponent(next)}`);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual(['INVALID_VALUE query.after']);
    });
  });

  describe('403', () => {
    it('answers a key without read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/buyers/search?query=a', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });
  });
});
