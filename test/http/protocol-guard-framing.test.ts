import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatApiKey, randomApiKey } from '#kernel/api-key';
import { buyerBody } from '#test/bodies';
import { expectProblem } from '#test/problem';
import { exchange, openRawClient } from '#test/raw-client';
import { createWorld, type World } from '#test/world';

let world: World;
let good: string;
beforeAll(async () => {
  world = await createWorld();
  good = `Host: tradeline.example\r\nAuthorization: Bearer ${world.apiKey}\r\n`;
  await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
});
afterAll(() => world.close());

const json = 'Content-Type: application/json\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n';
/** A request that would get 200 if the server read it as one. */
const smuggled = () => `GET /v1/platform HTTP/1.1\r\n${good}\r\n`;
const post = (headers: string, body: string) =>
  `POST /v1/buyers HTTP/1.1\r\n${good}${json}${headers}\r\n${body}`;

describe('a body whose end two programs could see in different places is refused, and the connection ends', () => {
  it.each([
    ['a length and chunks', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nX'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', '0\r\n\r\nX'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{} '],
    ['the same length twice', 'Content-Length: 2\r\nContent-Length: 2\r\n', '{}'],
    ['two lengths in one line', 'Content-Length: 2, 2\r\n', '{}'],
    ['a length below 0', 'Content-Length: -2\r\n', '{}'],
    ['a length with a plus', 'Content-Length: +2\r\n', '{}'],
    ['a length in hexadecimal', 'Content-Length: 0x2\r\n', '{}'],
    ['a length of no digits', 'Content-Length:\r\n', '{}'],
    ['a length beyond 2^64', 'Content-Length: 99999999999999999999\r\n', '{}'],
    ['a chunk size that is no number', chunked, 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size below 0', chunked, '-2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size with 0x', chunked, '0x2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size beyond 2^64', chunked, 'ffffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
    ['a chunk that is longer than its size', chunked, '1\r\n{}\r\n0\r\n\r\n'],
    ['a chunk extension of 20 kB', chunked, `2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
    ['chunks twice', 'Transfer-Encoding: chunked, chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'],
    [
      'chunks, then something else',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
      '2\r\n{}\r\n0\r\n\r\n',
    ],
    ['a coding before the chunks', 'Transfer-Encoding: gzip, chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'],
    ['a coding that looks like chunks', 'Transfer-Encoding: xchunked\r\n', '2\r\n{}\r\n0\r\n\r\n'],
    ['chunks behind a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n', '2\r\n{}\r\n0\r\n\r\n'],
    ['two media types', `${json}Content-Length: 2\r\n`, '{}'],
    ['two Idempotency-Keys', 'Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 2\r\n', '{}'],
  ])('%s', async (_, headers, body) => {
    const { answers, isClosed } = await exchange(world.baseUrl, post(headers, body + smuggled()));
    expect(answers).toHaveLength(1);
    expectProblem(answers[0] as never, 'BAD_REQUEST');
    expect(isClosed).toBe(true);
  });

  it('chunks in HTTP/1.0', async () => {
    const bytes = post(chunked, '2\r\n{}\r\n0\r\n\r\n').replace('HTTP/1.1', 'HTTP/1.0');
    const { answers, isClosed } = await exchange(world.baseUrl, bytes + smuggled());
    expect(answers).toHaveLength(1);
    expectProblem(answers[0] as never, 'BAD_REQUEST');
    expect(isClosed).toBe(true);
  });
});

describe('a well-formed body', () => {
  it.each([
    ['in one chunk', chunked, (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    [
      'byte by byte',
      chunked,
      (body: string) => `${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`,
    ],
    [
      'in chunks with an extension',
      chunked,
      (body: string) => `${body.length.toString(16)};a=b\r\n${body}\r\n0\r\n\r\n`,
    ],
    [
      'in chunks with a trailer',
      chunked,
      (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\nX-Sum: 1\r\n\r\n`,
    ],
    [
      'in chunks in capitals',
      chunked.toUpperCase(),
      (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
  ])('%s is read', async (what, headers, frame) => {
    const body = JSON.stringify(
      buyerBody({ external_id: what.replaceAll(' ', '-'), legal_name: 'Ohne Umlaut' }),
    );
    const { answers, isClosed } = await exchange(world.baseUrl, post(headers, frame(body)));
    expect(answers).toMatchObject([{ status: 201 }]);
    expect(isClosed).toBe(false);
  });

  it('is requested with 100 Continue if the client waits for it', async () => {
    const client = await openRawClient(world.baseUrl);
    const body = JSON.stringify(buyerBody({ external_id: 'continued', legal_name: 'Ohne Umlaut' }));
    client.send(post(`Expect: 100-continue\r\nContent-Length: ${body.length}\r\n`, ''));
    await client.waitFor(() => client.text().startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    client.send(body);
    await client.waitFor(() => client.answers().length > 0);
    expect(client.answers()).toMatchObject([{ status: 201 }]);
    client.close();
  });
});

describe('Expect: 100-continue', () => {
  const expecting = (head: string, length: number | null, body = '') =>
    `${head}Expect: 100-continue\r\n${length === null ? chunked : `Content-Length: ${length}\r\n`}\r\n${body}`;
  const buyers = 'POST /v1/buyers HTTP/1.1\r\nHost: tradeline.example\r\n';
  const keyed = () => `POST /v1/buyers HTTP/1.1\r\n${good}`;
  const unknownKey = formatApiKey(randomApiKey('sandbox'));

  it.each([
    ['a missing key', 401, () => expecting(buyers + json, 100)],
    ['a malformed key', 401, () => expecting(`${buyers}Authorization: Bearer x\r\n${json}`, 100)],
    ['an unknown key', 401, () => expecting(`${buyers}Authorization: Bearer ${unknownKey}\r\n${json}`, 100)],
    ['a body that is too large', 413, () => expecting(keyed() + json, 256 * 1024 + 1)],
    ['another media type', 415, () => expecting(`${keyed()}Content-Type: text/plain\r\n`, 100)],
    ['two media types', 400, () => expecting(keyed() + json + json, 100)],
    ['an unknown path', 404, () => expecting(keyed().replace('/v1/buyers', '/v1/nowhere') + json, 100)],
    ['another method', 405, () => expecting(keyed().replace('/v1/buyers', '/v1/platform') + json, 100)],
  ])('gets no 100 but the final answer for %s: %i', async (_, status, bytes) => {
    const client = await openRawClient(world.baseUrl);
    client.send(bytes());
    await client.waitFor(() => client.isEnded);
    expect(client.text()).not.toContain('100 Continue');
    expect(client.answers()).toMatchObject([{ status }]);
    expectProblem(client.answers()[0] as never);
    client.close();
  });

  it.each([
    ['in chunks', false, (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    ['of a known length', true, (body: string) => body],
  ])('is answered once for a body %s', async (what, hasLength, frame) => {
    const client = await openRawClient(world.baseUrl);
    const id = what.replaceAll(' ', '-');
    const body = JSON.stringify(buyerBody({ external_id: id, legal_name: 'Ohne Umlaut' }));
    client.send(expecting(keyed() + json, hasLength ? body.length : null));
    await client.waitFor(() => client.text() === 'HTTP/1.1 100 Continue\r\n\r\n');
    client.send(frame(body));
    await client.waitFor(() => client.answers().length > 0);
    expect(client.answers()).toMatchObject([{ status: 201 }]);
    expect(client.text().match(/100 Continue/g)).toHaveLength(1);
    client.close();
  });

  it('is answered for a form of the checkout too', async () => {
    const client = await openRawClient(world.baseUrl);
    const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
    const head = 'POST /checkout/no-such-token/language HTTP/1.1\r\nHost: tradeline.example\r\n';
    client.send(expecting(head + form, 3));
    await client.waitFor(() => client.isEnded || client.text() !== '');
    if (client.text().includes('100 Continue')) client.send('a=b');
    await client.waitFor(() => client.answers().length > 0);
    expect(client.answers()[0]?.status).toBeLessThan(500);
    client.close();
  });

  it('without a body needs no 100', async () => {
    const client = await openRawClient(world.baseUrl);
    client.send(`GET /v1/platform HTTP/1.1\r\n${good}Expect: 100-continue\r\n\r\n`);
    await client.waitFor(() => client.answers().length > 0);
    expect(client.text()).not.toContain('100 Continue');
    expect(client.answers()).toMatchObject([{ status: 200 }]);
    client.close();
  });
});

describe('a refusal before the body is read', () => {
  const wrongKey = 'Host: tradeline.example\r\nAuthorization: Bearer wrong\r\n';
  const unread = (path: string, headers: string, body: string) =>
    `POST ${path} HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

  it.each([
    ['401', 401, () => unread('/v1/buyers', wrongKey + json, smuggled())],
    ['404', 404, () => unread('/v1/no-such-path', good + json, smuggled())],
    ['405', 405, () => unread('/v1/platform', good + json, smuggled())],
    ['415', 415, () => unread('/v1/buyers', `${good}Content-Type: text/plain\r\n`, smuggled())],
  ])('%s: what is left of the body is not taken for a request', async (_, status, bytes) => {
    const { answers } = await exchange(world.baseUrl, bytes());
    expect(answers).toMatchObject([{ status }]);
  });

  it.each([
    ['401', 401, () => `POST /v1/buyers HTTP/1.1\r\n${wrongKey}${json}`],
    ['404', 404, () => `POST /v1/no-such-path HTTP/1.1\r\n${good}${json}`],
    ['413', 413, () => `POST /v1/buyers HTTP/1.1\r\n${good}${json}`],
    ['415', 415, () => `POST /v1/buyers HTTP/1.1\r\n${good}Content-Type: text/plain\r\n`],
  ])('%s reaches a client that is still sending, and ends the connection', async (_, status, head) => {
    const client = await openRawClient(world.baseUrl);
    client.send(`${head()}Content-Length: 8000000\r\n\r\n${'x'.repeat(100_000)}`);
    await client.waitFor(() => client.answers().length > 0);
    client.send('x'.repeat(4_000_000));
    await client.waitFor(() => client.isEnded);
    expect(client.answers()).toMatchObject([{ status }]);
    expectProblem(client.answers()[0] as never);
    expect(client.error).toBe(null);
    client.close();
  });

  it('closes a connection that never stops sending', async () => {
    const client = await openRawClient(world.baseUrl);
    client.send(`POST /v1/buyers HTTP/1.1\r\n${wrongKey}${json}${chunked}\r\n`);
    const drip = setInterval(() => client.send('1\r\nx\r\n'), 50);
    await client.waitFor(() => client.isClosed);
    clearInterval(drip);
    expect(client.answers()).toMatchObject([{ status: 401 }]);
  });
});

describe('requests sent without waiting for answers', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\n${good}\r\n`;

  it('are answered in their order', async () => {
    const client = await openRawClient(world.baseUrl);
    const paths = ['/v1/buyers/b1', '/v1/nowhere', '/v1/platform', '/v1/buyers?limit=0', '/v1/buyers'];
    client.send(paths.map(get).join(''));
    await client.waitFor(() => client.answers().length === paths.length);
    expect(client.answers().map(({ status }) => status)).toEqual([200, 404, 200, 400, 200]);
    client.close();
  });

  it('are answered before garbage behind them ends the connection', async () => {
    const { answers, isClosed } = await exchange(world.baseUrl, `${get('/v1/buyers/b1')}garbage\r\n\r\n`);
    expect(answers).toMatchObject([{ status: 200 }]);
    expect(isClosed).toBe(true);
  });

  it('keep their answers when garbage follows later', async () => {
    const client = await openRawClient(world.baseUrl);
    client.send(get('/v1/buyers/b1'));
    await client.waitFor(() => client.answers().length === 1);
    client.send('garbage\r\n\r\n');
    await client.waitFor(() => client.isEnded);
    expect(client.answers().map(({ status }) => status)).toEqual([200, 400]);
  });
});
