import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IssueCode } from '#kernel/problem-codes';
import { buyerBody } from '#test/bodies';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Sends the bytes unchanged, without a media type if `mediaType` is null. */
async function send(
  bytes: string | Uint8Array,
  { mediaType = 'application/json', headers = {}, path = '/v1/buyers', isChunked = false }: Sending = {},
) {
  const body = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  const response = await fetch(world.baseUrl + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.apiKey}`,
      ...(mediaType !== null && { 'content-type': mediaType }),
      ...headers,
    },
    body: isChunked ? body.stream() : await body.bytes(),
    ...(isChunked && { duplex: 'half' }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
interface Sending {
  mediaType?: string | null;
  headers?: Record<string, string>;
  path?: string;
  isChunked?: boolean;
}

let buyersSent = 0;
/** A valid body, with more fields as JSON text. */
function buyer(more = ''): string {
  const text = JSON.stringify(buyerBody({ external_id: `b${++buyersSent}` }));
  return more === '' ? text : `${text.slice(0, -1)},${more}}`;
}
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a body that is not one JSON value, or that parsing would change', () => {
  it.each<[what: string, code: IssueCode, path: string, bytes: () => string | Uint8Array]>([
    ['nothing', 'REQUIRED', 'body', () => ''],
    ['white space', 'INVALID_JSON', 'body', () => '  \n'],
    ['text that is no JSON', 'INVALID_JSON', 'body', () => 'legal_name=x'],
    ['JSON cut short', 'INVALID_JSON', 'body', () => buyer().slice(0, -1)],
    ['a second value', 'INVALID_JSON', 'body', () => `${buyer()}{}`],
    ['a comment', 'INVALID_JSON', 'body', () => `/* new */${buyer()}`],
    ['a comma too many', 'INVALID_JSON', 'body', () => `${buyer().slice(0, -1)},}`],
    ['single quotes', 'INVALID_JSON', 'body', () => "{'legal_name': 'x'}"],
    ['NaN', 'INVALID_JSON', 'body', () => buyer('"registered_at":NaN')],
    ['a byte order mark', 'INVALID_JSON', 'body', () => `\ufeff${buyer()}`],
    ['UTF-16', 'INVALID_JSON', 'body', () => Buffer.from(buyer(), 'utf16le')],
    ['Latin-1', 'INVALID_JSON', 'body', () => Buffer.from(buyer(), 'latin1')],
    [
      'a byte that is no UTF-8',
      'INVALID_JSON',
      'body',
      () => Buffer.from(buyer('"a":"~"')).map((byte) => (byte === 0x7e ? 0xed : byte)),
    ],
    ['a key twice', 'INVALID_JSON', 'body.legal_name', () => buyer('"legal_name":"Other"')],
    [
      'a key twice, once escaped',
      'INVALID_JSON',
      'body.legal_name',
      () => buyer('"legal\\u005fname":"Other"'),
    ],
    ['NUL', 'INVALID_VALUE', 'body.trading_name', () => buyer('"trading_name":"a\\u0000b"')],
    ['half a surrogate pair', 'INVALID_VALUE', 'body.trading_name', () => buyer('"trading_name":"\\ud800"')],
    [
      'half a surrogate pair deep in custom_data',
      'INVALID_VALUE',
      'body.custom_data.a.0',
      () => buyer('"custom_data":{"a":["\\udfff"]}'),
    ],
    ['__proto__', 'INVALID_VALUE', 'body.__proto__', () => buyer('"__proto__":{"admin":true}')],
    [
      '__proto__ in custom_data',
      'INVALID_VALUE',
      'body.custom_data.__proto__',
      () => buyer('"custom_data":{"__proto__":1}'),
    ],
    ['__proto__, escaped', 'INVALID_VALUE', 'body.__proto__', () => buyer('"\\u005f_proto__":1')],
    ['2^53', 'TOO_BIG', 'body.registered_at', () => buyer('"registered_at":9007199254740992')],
    ['2^63', 'TOO_BIG', 'body.registered_at', () => buyer('"registered_at":9223372036854775808')],
    ['-2^63', 'TOO_BIG', 'body.registered_at', () => buyer('"registered_at":-9223372036854775808')],
    ['1e400', 'TOO_BIG', 'body.registered_at', () => buyer('"registered_at":1e400')],
    ['1e400 in custom_data', 'TOO_BIG', 'body.custom_data.a', () => buyer('"custom_data":{"a":1e400}')],
    ['1e-400', 'INVALID_VALUE', 'body.registered_at', () => buyer('"registered_at":1e-400')],
    ['an instant of 10^15', 'TOO_BIG', 'body.registered_at', () => buyer('"registered_at":1000000000000000')],
    ['an array', 'INVALID_TYPE', 'body', () => `[${buyer()}]`],
    ['a string', 'INVALID_TYPE', 'body', () => '"buyer"'],
    ['a number', 'INVALID_TYPE', 'body', () => '1'],
    ['true', 'INVALID_TYPE', 'body', () => 'true'],
    ['null', 'INVALID_TYPE', 'body', () => 'null'],
  ])('%s is refused with %s', async (_, code, path, bytes) => {
    const { issues } = expectProblem(await send(bytes()), 'BAD_REQUEST');
    expect(issues).toMatchObject([{ code, path }]);
  });

  it.each([33, 10_000, 100_000])('is refused when nested %i levels deep', async (depth) => {
    const reply = await send(buyer(`"custom_data":{"a":${nested(depth - 2)}}`));
    expect(expectProblem(reply, 'BAD_REQUEST').issues).toMatchObject([{ code: 'TOO_BIG' }]);
  });

  it('gets the issue of its own field up to 32 levels', async () => {
    const reply = await send(buyer(`"custom_data":{"a":${nested(30)}}`));
    expect(expectProblem(reply, 'BAD_REQUEST').issues).toMatchObject([
      { code: 'TOO_BIG', path: 'body.custom_data' },
    ]);
  });

  it('names at most 100 issues, however many there are', async () => {
    const lines = await send(`{"line_items":[${'1,'.repeat(130_000)}1]}`, { path: '/v1/orders/draft' });
    expect(expectProblem(lines, 'BAD_REQUEST').issues).toHaveLength(100);
    const fields = Array.from({ length: 20_000 }, (_, index) => `"f${index}":1`);
    expect(expectProblem(await send(`{${fields}}`), 'BAD_REQUEST').issues).toHaveLength(100);
  });
});

describe('a body of', () => {
  const limit = 256 * 1024;
  const padded = (length: number) => buyer().padEnd(length - 1, ' ');

  it.each([false, true])('256 KiB is taken (in chunks: %s)', async (isChunked) => {
    const text = padded(limit);
    const bytes = Buffer.from(text.padEnd(text.length + limit - Buffer.byteLength(text)));
    expect(bytes.length).toBe(limit);
    expect((await send(bytes, { isChunked })).status).toBe(201);
  });

  it.each([false, true])('one byte more is refused with 413 (in chunks: %s)', async (isChunked) => {
    const bytes = Buffer.alloc(limit + 1, ' ');
    bytes.write(buyer());
    expectProblem(await send(bytes, { isChunked }), 'PAYLOAD_TOO_LARGE');
  });

  it('8 MB gets 413, not a broken connection', async () => {
    expectProblem(await send(Buffer.alloc(8_000_000, ' ')), 'PAYLOAD_TOO_LARGE');
  });
});

describe('the media type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON',
    'application/json; profile=x',
  ])('%s is read', async (mediaType) => {
    expect((await send(buyer(), { mediaType })).status).toBe(201);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'application',
    ';;;',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset=',
    'application/json; charset=utf-8; charset=utf-16',
    null,
  ])('%s is refused with 415', async (mediaType) => {
    expectProblem(await send(buyer(), { mediaType }), 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each([
    ['gzip', () => gzipSync(buyer())],
    ['gzip', () => buyer()],
    ['br', () => buyer()],
    ['identity, gzip', () => buyer()],
  ])('in the coding %s is refused with 415', async (coding, bytes) => {
    const reply = await send(bytes(), { headers: { 'content-encoding': coding } });
    expectProblem(reply, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['identity', 'Identity'])('in the coding %s is read', async (coding) => {
    expect((await send(buyer(), { headers: { 'content-encoding': coding } })).status).toBe(201);
  });
});

describe('an operation without a body', () => {
  const path = '/v1/webhooks/BUYER/test';
  beforeAll(() => world.post('/v1/webhooks', { type: 'BUYER', url: 'http://127.0.0.1:9/' }));

  it('accepts none', async () => {
    expect((await world.post(path)).status).toBe(200);
    expect((await send('', { path, mediaType: null })).status).toBe(200);
    expect((await send('', { path })).status).toBe(200);
  });

  it('accepts an empty object, which some clients always send', async () => {
    expect((await send('{}', { path })).status).toBe(200);
  });

  it.each(['{"a":1}', '[]', 'null', '""', '0', 'false'])('refuses %s', async (bytes) => {
    const { issues } = expectProblem(await send(bytes, { path }), 'BAD_REQUEST');
    expect(issues).toMatchObject([{ code: 'UNRECOGNIZED_KEYS', path: 'body' }]);
  });

  it('refuses an empty object of another media type', async () => {
    expectProblem(await send('{}', { path, mediaType: 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE');
  });
});
