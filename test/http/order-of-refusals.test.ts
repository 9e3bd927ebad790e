import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatApiKey, randomApiKey } from '#kernel/api-key';
import { expectProblem } from '#test/problem';
import { exchange } from '#test/raw-client';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const HOST = 'Host: tradeline.example\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const withBody = (headers: string, body: string) =>
  `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Requests that only their body makes invalid, with the status for a valid key: all checks after that of the key. */
const WRONG_BODIES: [what: string, status: number, line: string, rest: string][] = [
  ['malformed JSON', 400, 'POST /v1/buyers', withBody(JSON_TYPE, '{')],
  ['another media type', 415, 'POST /v1/buyers', withBody('Content-Type: text/plain\r\n', '{}')],
  ['a malformed media type', 415, 'POST /v1/buyers', withBody('Content-Type: ;;;\r\n', '{}')],
  ['no media type', 415, 'POST /v1/buyers', withBody('', '{}')],
  ['a content coding', 415, 'POST /v1/buyers', withBody(`${JSON_TYPE}Content-Encoding: gzip\r\n`, '{}')],
  ['two media types', 400, 'POST /v1/buyers', withBody(JSON_TYPE + JSON_TYPE, '{}')],
  ['too large a body', 413, 'POST /v1/buyers', withBody(JSON_TYPE, 'x'.repeat(300_000))],
  ['too large a length', 413, 'POST /v1/buyers', `${JSON_TYPE}Content-Length: 99999999\r\n\r\n`],
  ['no body', 400, 'POST /v1/buyers', `${JSON_TYPE}\r\n`],
  ['a body on a GET', 400, 'GET /v1/platform', withBody(JSON_TYPE, '{}')],
  ['a body in chunks on a GET', 400, 'GET /v1/platform', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a body on a HEAD', 400, 'HEAD /v1/platform', withBody(JSON_TYPE, '{}')],
  ['a body on a DELETE', 400, 'DELETE /v1/contacts/nobody', withBody(JSON_TYPE, '{"a":1}')],
  ['a body on a POST without one', 400, 'POST /v1/webhooks/BUYER/test', withBody(JSON_TYPE, '{"a":1}')],
];

describe('401 comes before anything about the body', () => {
  const keys: [what: string, header: string][] = [
    ['no key', ''],
    ['a malformed key', 'Authorization: Bearer wrong\r\n'],
    ['an unknown key', `Authorization: Bearer ${formatApiKey(randomApiKey('sandbox'))}\r\n`],
  ];
  it.each(
    keys.flatMap(([who, header]) =>
      WRONG_BODIES.map(([what, , line, rest]) => ({ what, who, line, rest, header })),
    ),
  )('with $who: $what', async ({ line, rest, header }) => {
    const isHead = line.startsWith('HEAD');
    const { answers } = await exchange(world.baseUrl, `${line} HTTP/1.1\r\n${HOST}${header}${rest}`, isHead);
    expect(answers).toMatchObject([{ status: 401 }]);
    expect(answers[0]?.headers.get('www-authenticate')).toBe('Bearer');
    if (!isHead)
      expect(expectProblem(answers[0] as never)).toMatchObject({
        error: 'Unauthorized',
        code: 'UNAUTHORIZED',
      });
  });

  it.each(WRONG_BODIES)('with a good key: %s: %i', async (_, status, line, rest) => {
    const isHead = line.startsWith('HEAD');
    const head = `${line} HTTP/1.1\r\n${HOST}Authorization: Bearer ${world.apiKey}\r\n`;
    const { answers } = await exchange(world.baseUrl, head + rest, isHead);
    expect(answers).toMatchObject([{ status }]);
    if (!isHead) expectProblem(answers[0] as never);
  });
});

describe('405 with Allow comes before anything about the body', () => {
  it.each([
    ['GET', '/v1/sandbox/facilities', 'POST'],
    ['HEAD', '/v1/sandbox/facilities', 'POST'],
    ['PUT', '/v1/platform', 'GET, HEAD'],
    ['DELETE', '/v1/platform', 'GET, HEAD'],
    ['POST', '/v1/platform', 'GET, HEAD'],
    ['PATCH', '/v1/platform', 'GET, HEAD'],
    ['QUERY', '/v1/platform', 'GET, HEAD'],
  ])('%s %s', async (method, path, allow) => {
    for (const authorization of ['', `Authorization: Bearer ${world.apiKey}\r\n`]) {
      const bytes = `${method} ${path} HTTP/1.1\r\n${HOST}${authorization}${withBody('', '{')}`;
      const { answers } = await exchange(world.baseUrl, bytes, method === 'HEAD');
      expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([[405, allow]]);
    }
  });
});

describe('400 for a message that two programs on the way could read differently comes before all', () => {
  it.each([
    ['two Hosts', `GET /v1/nowhere HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ['two Authorizations', `GET /v1/platform HTTP/1.1\r\n${HOST}${'Authorization: x\r\n'.repeat(2)}\r\n`],
    [
      'an unknown transfer coding',
      `POST /v1/buyers HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n`,
    ],
  ])('%s', async (_, bytes) => {
    const { answers, isClosed } = await exchange(world.baseUrl, bytes);
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[400], true]);
  });
});

describe('a page without a key', () => {
  it.each(['/docs', '/openapi.json', '/checkout/no-such-token'])(
    '%s refuses a GET with a body',
    async (path) => {
      const { answers, isClosed } = await exchange(
        world.baseUrl,
        `GET ${path} HTTP/1.1\r\n${HOST}${withBody('', '{}')}`,
      );
      expect([answers.map(({ status }) => status), isClosed]).toEqual([[400], true]);
    },
  );
});
