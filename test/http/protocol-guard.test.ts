import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '#test/problem';
import { exchange } from '#test/raw-client';
import { createWorld, type World } from '#test/world';

let world: World;
/** The headers of every valid request. */
let good: string;
beforeAll(async () => {
  world = await createWorld();
  good = `Host: tradeline.example\r\nAuthorization: Bearer ${world.apiKey}\r\n`;
});
afterAll(() => world.close());

const platform = 'GET /v1/platform HTTP/1.1\r\n';
const absolute = (origin: string, more = '') => `GET ${origin}/v1/platform${more} HTTP/1.1\r\n`;

/** Bytes to send, and the status of the one answer; 0 if the server only closes the connection. */
type Case = readonly [what: string, status: number, bytes: () => string];

function itAnswers(cases: readonly Case[], isConnectionKept?: boolean) {
  it.each(cases)('%s: %i', async (_, status, bytes) => {
    const { answers, isClosed } = await exchange(world.baseUrl, bytes());
    expect(answers.map((answer) => answer.status)).toEqual(status === 0 ? [] : [status]);
    for (const answer of answers) if (answer.status >= 400) expectProblem(answer);
    if (isConnectionKept !== undefined) expect(isClosed).toBe(!isConnectionKept);
  });
}

describe('a request that two programs on the way could read differently is refused, and its connection ends', () => {
  itAnswers(
    [
      ['two Hosts', 400, () => `${platform}${good}Host: other.example\r\n\r\n`],
      ['the same Host twice', 400, () => `${platform}${good}Host: tradeline.example\r\n\r\n`],
      ['no Host', 400, () => `${platform}${good.replace(/^Host.*\r\n/, '')}\r\n`],
      ['no Host in HTTP/1.0', 400, () => `GET /v1/platform HTTP/1.0\r\n\r\n`],
      ['an empty Host', 400, () => `${platform}Host:\r\n\r\n`],
      ['a Host with a space', 400, () => `${platform}Host: a b\r\n\r\n`],
      ['a Host with a path', 400, () => `${platform}Host: a/v1\r\n\r\n`],
      ['a Host with a user', 400, () => `${platform}Host: me@a\r\n\r\n`],
      ['two Hosts in one line', 400, () => `${platform}Host: a, b\r\n\r\n`],
      ['an absolute target without Host', 400, () => `${absolute('http://a')}Authorization: x\r\n\r\n`],
      ['an absolute target with two Hosts', 400, () => `${absolute('http://a')}${good}Host: a\r\n\r\n`],
      ['an absolute target of another scheme', 400, () => `${absolute('ftp://a')}${good}\r\n`],
      ['an absolute target with a user', 400, () => `${absolute('http://me@a')}${good}\r\n`],
      ['an absolute target without a host', 400, () => `${absolute('http://')}${good}\r\n`],
      ['an absolute target with a fragment', 400, () => `${absolute('http://a', '#x')}${good}\r\n`],
      ['a target without a path', 400, () => `GET tradeline.example:80 HTTP/1.1\r\n${good}\r\n`],
      ['OPTIONS of everything', 400, () => `OPTIONS * HTTP/1.1\r\n${good}\r\n`],
      ['a fragment', 400, () => `GET /v1/platform#fragment HTTP/1.1\r\n${good}\r\n`],
      ['a fragment that looks like a query', 400, () => `GET /v1/buyers#limit=1 HTTP/1.1\r\n${good}\r\n`],
      [
        'a byte that is no UTF-8 in a query',
        400,
        () => `GET /v1/buyers/search?query=%ff HTTP/1.1\r\n${good}\r\n`,
      ],
      ['a byte that is no UTF-8 in a name', 400, () => `GET /v1/buyers?%ff=1 HTTP/1.1\r\n${good}\r\n`],
      ['a backslash for a slash', 400, () => `GET \\v1\\platform HTTP/1.1\r\n${good}\r\n`],
      ['two Authorizations', 400, () => `${platform}${good}Authorization: Bearer other\r\n\r\n`],
      ['GET with a body', 400, () => `${platform}${good}Content-Length: 2\r\n\r\n{}`],
      [
        'GET with a body in chunks',
        400,
        () => `${platform}${good}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      ],
      ['an unknown expectation', 400, () => `${platform}${good}Expect: the-unexpected\r\n\r\n`],
      ['HTTP/0.9', 400, () => 'GET /v1/platform\r\n\r\n'],
      ['HTTP/1.2', 400, () => `GET /v1/platform HTTP/1.2\r\n${good}\r\n`],
      ['HTTP/2.0 in the words of HTTP/1.1', 400, () => `GET /v1/platform HTTP/2.0\r\n${good}\r\n`],
      ['the greeting of HTTP/2', 400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['the greeting of TLS', 400, () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['a greeting of no protocol', 400, () => 'hello\r\n\r\n'],
    ],
    false,
  );

  it('HEAD with a body: 400 without one', async () => {
    const head = `HEAD /v1/platform HTTP/1.1\r\n${good}Content-Length: 2\r\n\r\n{}`;
    const { answers, isClosed } = await exchange(world.baseUrl, head, true);
    expect(answers).toMatchObject([{ status: 400, text: '' }]);
    expect(isClosed).toBe(true);
  });
});

describe('malformed headers are refused, and the connection ends', () => {
  const withLine = (line: string) => () => `${platform}${good}${line}\r\n\r\n`;
  itAnswers(
    [
      ['a folded line', 400, withLine('X-Note: 1\r\n 2')],
      ['a first line that is folded', 400, () => `${platform} ${good}\r\n`],
      ['NUL in a value', 400, withLine('X-Note: 1\x002')],
      ['a control character in a value', 400, withLine('X-Note: 1\x012')],
      ['NUL in a name', 400, withLine('X-\x00Note: 1')],
      ['a letter beyond ASCII in a name', 400, withLine('X-N\xf6te: 1')],
      ['a space before the colon', 400, withLine('X-Note : 1')],
      ['a space before the colon of Host', 400, () => `${platform}Host : tradeline.example\r\n\r\n`],
      ['no colon', 400, withLine('X-Note')],
      ['no name', 400, withLine(': 1')],
      ['lines that end with LF', 400, () => `${platform}${good}\r\n`.replaceAll('\r\n', '\n')],
      ['one line that ends with LF', 400, () => `${platform}X-Note: 1\n${good}\r\n`],
      ['a line that ends with CR', 400, withLine('X-Note: 1\rX-Other: 2')],
      ['a value of 20 kB', 400, withLine(`X-Note: ${'x'.repeat(20_000)}`)],
      ['4,000 headers', 400, withLine(`a:\r\n`.repeat(4_000).trim())],
      ['a path of 20 kB', 400, () => `GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\n${good}\r\n`],
    ],
    false,
  );

  it('the answer to headers over the limit names the limit', async () => {
    const { answers } = await exchange(world.baseUrl, `${platform}X-Note: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answers.map(({ text }) => JSON.parse(text).issues)).toEqual([
      [{ code: 'INVALID_FORMAT', path: 'headers', message: 'must have at most 16384 bytes together' }],
    ]);
  });
});

describe('an absolute target is read as its path', () => {
  itAnswers(
    [
      ['of the host of the Host header', 200, () => `${absolute('http://tradeline.example')}${good}\r\n`],
      ['of another host, which replaces the header', 200, () => `${absolute('http://other')}${good}\r\n`],
      ['with a port', 200, () => `${absolute('http://tradeline.example:8080')}${good}\r\n`],
      ['of the scheme https', 200, () => `${absolute('https://tradeline.example')}${good}\r\n`],
      ['of a scheme in capitals', 200, () => `${absolute('HTTP://tradeline.example')}${good}\r\n`],
      ['with a query', 400, () => `${absolute('http://a', '?limit=0')}${good}\r\n`],
      ['with an unknown path', 404, () => `GET http://a/nowhere HTTP/1.1\r\n${good}\r\n`],
      ['without a path', 302, () => `GET http://a HTTP/1.1\r\n${good}\r\n`],
      ['with a query and no path', 302, () => `GET http://a?x=1 HTTP/1.1\r\n${good}\r\n`],
      ['of another method', 405, () => `${absolute('http://a').replace('GET', 'PUT')}${good}\r\n`],
    ],
    true,
  );
});

describe('methods', () => {
  const buyer = (method: string) => () => `${method} /v1/buyers/nobody HTTP/1.1\r\n${good}\r\n`;
  itAnswers([
    ['TRACE', 405, buyer('TRACE')],
    ['OPTIONS', 405, buyer('OPTIONS')],
    ['PATCH', 405, buyer('PATCH')],
    ['QUERY', 405, buyer('QUERY')],
    ['PROPFIND', 405, buyer('PROPFIND')],
    ['POST on a single buyer', 405, buyer('POST')],
    [
      'OPTIONS as a browser asks before CORS',
      405,
      () =>
        `OPTIONS /v1/buyers HTTP/1.1\r\n${good}Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
    ],
    ['CONNECT', 0, () => `CONNECT other.example:443 HTTP/1.1\r\n${good}\r\n`],
    ['an unknown method', 400, buyer('FETCH')],
    ['a method in small letters', 400, buyer('get')],
    [
      'DELETE with a body that says something',
      400,
      () =>
        `DELETE /v1/contacts/nobody HTTP/1.1\r\n${good}Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}`,
    ],
    [
      'DELETE with an empty object',
      404,
      () =>
        `DELETE /v1/contacts/nobody HTTP/1.1\r\n${good}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      'an upgrade to a WebSocket is not taken up',
      200,
      () => `${platform}${good}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    ],
    [
      'an upgrade to HTTP/2 is not taken up',
      200,
      () =>
        `${platform}${good}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    ],
  ]);

  it.each([
    ['/v1/platform', 200],
    ['/v1/buyers/nobody', 404],
    ['/v1/no-such-path', 404],
    ['/v1/buyers?limit=0', 400],
  ])('HEAD %s: %i, as GET answers, without the body', async (path, status) => {
    const head = `HEAD ${path} HTTP/1.1\r\n${good}\r\n`;
    const { answers, isClosed } = await exchange(world.baseUrl, head, true);
    const like = await world.get(path);
    expect(like.status).toBe(status);
    expect(answers).toMatchObject([{ status, text: '' }]);
    expect(answers[0]?.headers.get('content-length')).toBe(like.headers.get('content-length'));
    expect(isClosed).toBe(false);
  });
});

describe('paths are not normalized', () => {
  const get = (path: string) => () => `GET ${path} HTTP/1.1\r\n${good}\r\n`;
  itAnswers(
    [
      ['two slashes in front', 404, get('//v1/platform')],
      ['two slashes within', 404, get('/v1//platform')],
      ['a slash behind', 404, get('/v1/platform/')],
      ['another case', 404, get('/V1/platform')],
      ['a dot segment', 404, get('/v1/./platform')],
      ['two dots', 404, get('/v1/buyers/../platform')],
      ['two dots in percent', 404, get('/v1/buyers/%2e%2e/platform')],
      ['two dots as an id', 400, get('/v1/buyers/..')],
      ['a semicolon', 404, get('/v1/platform;v=1')],
      ['NUL in an id', 400, get('/v1/buyers/%00')],
      ['NUL in the type of a webhook', 400, () => `POST /v1/webhooks/%00/test HTTP/1.1\r\n${good}\r\n`],
      ['a slash in an id', 400, get('/v1/buyers/a%2fb')],
      ['a byte that is no UTF-8 in an id', 400, get('/v1/buyers/%ff')],
      ['half a surrogate pair in an id', 400, get('/v1/buyers/%ed%a0%80')],
      ['half a percent sign in an id', 400, get('/v1/buyers/%4')],
      ['NUL in a query', 400, get('/v1/buyers/search?query=%00')],
      ['an id of 101 characters', 400, get(`/v1/buyers/${'x'.repeat(101)}`)],
      ['an id of 10 kB', 400, get(`/v1/buyers/${'x'.repeat(10_000)}`)],
      ['an offset of 2^63', 400, get('/v1/buyers?offset=9223372036854775808')],
      ['an instant of 10^15', 400, get('/v1/buyers?created_at=1000000000000000')],
      ['an instant after the year 9999', 400, get('/v1/buyers?created_at=253402300800')],
      ['__proto__ as a parameter', 400, get('/v1/buyers?__proto__=1')],
      ['a parameter 1,900 times', 400, get(`/v1/buyers?${'limit=1&'.repeat(1_900)}`)],
    ],
    true,
  );

  it('a percent-encoded letter is decoded', async () => {
    const { answers } = await exchange(world.baseUrl, get('/v1/%70latform')());
    expect(answers).toMatchObject([{ status: 200 }]);
  });
});
