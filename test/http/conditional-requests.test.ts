import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor, addOverdue } from '#test/credit';
import { exchange } from '#test/raw-client';
import { createWorld, type Reply, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
  await world.post('/v1/buyers', buyerBody({ external_id: 'b1', business_identifiers: [] }));
  await world.post('/v1/contacts', { external_id: 'c1', buyer_external_id: 'b1' });
  await world.post(
    '/v1/orders/draft',
    draftOrderBody({ external_id: 'o1', buyer_external_id: 'b1', merchant_external_id: 'm1' }),
  );
  await addDebtor(world, { buyer: 'debtor', totalMinor: 1_000_000 });
});
afterAll(() => world.close());

const RESOURCES = [
  '/v1/platform',
  '/v1/merchants/m1',
  '/v1/buyers/b1',
  '/v1/buyers/b1?expand=contacts',
  '/v1/buyers/b1/settings',
  '/v1/contacts/c1',
  '/v1/orders/o1',
  '/v1/orders/o1?expand=buyer',
  '/v1/buyers/debtor/facility',
];
/** A compressed response has its own tag. */
const PLAIN = { 'accept-encoding': 'identity' };
const tagOf = ({ headers }: Reply) => headers.get('etag') as string;
const getWith = (path: string, ifNoneMatch: string) =>
  world.get(path, { headers: { ...PLAIN, 'if-none-match': ifNoneMatch } });

describe.each(RESOURCES)('If-None-Match on GET %s', (path) => {
  it('answers 304 with the ETag and no body while the copy is good', async () => {
    const first = await world.get(path, { headers: PLAIN });
    const tag = tagOf(first);
    for (const ifNoneMatch of [tag, `W/${tag}`, `"x", ${tag}`, '*', tag.replace(/"$/, '-br"')]) {
      const { status, text, headers } = await getWith(path, ifNoneMatch);
      expect([ifNoneMatch, status, text, headers.get('etag')]).toEqual([ifNoneMatch, 304, '', tag]);
      expect(headers.get('vary')).toBe(first.headers.get('vary'));
      expect(headers.has('content-type') || headers.has('content-encoding')).toBe(false);
      expect(headers.get('request-id')).toMatch(/^req_/);
    }
  });

  it('answers 200 for any other tag', async () => {
    const first = await world.get(path);
    for (const ifNoneMatch of ['"0"', '""', 'x', '1', '"1', '"99", W/"98"']) {
      const { status, text } = await getWith(path, ifNoneMatch);
      expect([ifNoneMatch, status, text]).toEqual([ifNoneMatch, 200, first.text]);
    }
  });
});

describe('If-None-Match', () => {
  it('leaves the connection usable after a 304, for HEAD too', async () => {
    const tag = tagOf(await world.get('/v1/platform'));
    for (const method of ['GET', 'HEAD']) {
      const head = `${method} /v1/platform HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.apiKey}\r\n`;
      const { answers, isClosed } = await exchange(
        world.baseUrl,
        `${head}If-None-Match: ${tag}\r\n\r\n`,
        true,
      );
      expect([answers.map(({ status }) => status), isClosed]).toEqual([[304], false]);
    }
  });

  it('answers 200 with the new version after a change', async () => {
    const tag = tagOf(await world.get('/v1/buyers/b1'));
    const { external_id: _, ...whole } = buyerBody({ legal_name: 'Changed eG', business_identifiers: [] });
    expect((await world.put('/v1/buyers/b1', whole)).status).toBe(200);
    const reply = await getWith('/v1/buyers/b1', tag);
    expect([reply.status, reply.body.legal_name]).toEqual([200, 'Changed eG']);
    expect(tagOf(reply)).not.toBe(tag);
  });

  it('answers 200 after a change of an expanded resource', async () => {
    const path = '/v1/buyers/b1?expand=contacts';
    const tag = tagOf(await world.get(path));
    await world.post('/v1/contacts', { external_id: 'c2', buyer_external_id: 'b1' });
    expect((await getWith('/v1/buyers/b1', tag)).status).toBe(200);
    const reply = await getWith(path, tag);
    expect([reply.status, reply.body.contacts.length]).toEqual([200, 2]);
  });

  it('answers 200 after a change of the days past due, which no version counts', async () => {
    const path = '/v1/buyers/debtor';
    const before = tagOf(await world.get(path));
    await addOverdue(world, 'debtor', 3, 5_000);
    const overdue = await getWith(path, before);
    expect([overdue.status, overdue.body.max_days_past_due]).toEqual([200, 3]);
    expect((await getWith(path, tagOf(overdue))).status).toBe(304);
  });

  it('comes after the key, the scope and the resource', async () => {
    const headers = { 'if-none-match': '*' };
    expect((await world.get('/v1/buyers/b1', { headers, key: null })).status).toBe(401);
    expect((await world.get('/v1/buyers/nobody', { headers })).status).toBe(404);
    const key = await world.addKey({ scopes: ['orders:write'] });
    expect((await world.get('/v1/buyers/b1', { headers, key })).status).toBe(403);
  });

  it('is ignored by lists and by other methods', async () => {
    const headers = { 'if-none-match': '*' };
    expect((await world.get('/v1/buyers', { headers })).status).toBe(200);
    const settings = await world.put('/v1/buyers/b1/settings', { language: 'FR' }, { headers });
    expect([settings.status, settings.body.language]).toEqual([200, 'FR']);
  });
});
