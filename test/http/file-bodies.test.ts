import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '#http/server';
import { createLog } from '#infra/log';
import { systemClock } from '#infra/time/clock';
import { closed } from '#kernel/fields';
import { FILE_TYPES } from '#kernel/file-type';
import { assertWholeFile, FILE_BODY, FILE_BYTES_MAX, type SentFile } from '#operation/file-body';
import { operation } from '#operation/operation';
import { FILES } from '#test/files';
import { patience } from '#test/patience';
import { openRawClient } from '#test/raw-client';
import { until } from '#test/until';

/** The chunk of the returned file that cannot be read. */
let damagedChunk = -1;
const content = randomBytes(500_000);
const sha256 = createHash('sha256').update(content).digest();

const common = {
  summary: 'Files',
  tag: 'Meta' as const,
  scope: 'read' as const,
  effect: 'read' as const,
  status: 200 as const,
  problems: [],
};
const received = closed({ bytes: Type.Integer(), type: Type.String() }, 'ReceivedFile');

const server = createServer({
  routes: [
    [
      'POST',
      '/v1/files',
      operation({
        ...common,
        id: 'receive',
        fileBody: { ...FILE_BODY, secondsMax: 18 },
        response: received,
        prepare: async (_, { file }) => assertWholeFile(file as SentFile),
        run: async (_, { file }) => ({ body: { bytes: file?.bytes.length ?? 0, type: file?.type ?? '' } }),
      }),
    ],
    [
      'GET',
      '/v1/files',
      operation({
        ...common,
        id: 'answer',
        answersFile: ['application/pdf'],
        response: Type.Null(),
        run: async () => ({
          body: null,
          file: {
            name: "Rechnung 'ü'.pdf",
            type: 'application/pdf',
            sizeBytes: content.length,
            sha256,
            chunks: chunks(),
          },
        }),
      }),
    ],
    [
      'POST',
      '/v1/json',
      operation({
        ...common,
        id: 'json',
        body: closed({ text: Type.String() }),
        response: closed({ ok: Type.Boolean() }),
        run: async () => ({ body: { ok: true } }),
      }),
    ],
  ],
  log: createLog('silent'),
  clock: systemClock,
  authenticate: (authorization: string | undefined) =>
    /^Bearer \d$/.test(authorization ?? '')
      ? { platformId: Number(authorization?.at(-1)), keyId: 'k', scopes: new Set(['read']) }
      : null,
  rateLimit: null,
  ownRateLimits: {},
  clocks: { now: () => 1 },
  baseUrl: () => '',
  onCommitted: () => {},
} as never);

async function* chunks(): AsyncGenerator<Buffer> {
  for (let chunk = 0; chunk < 5; chunk += 1) {
    if (chunk === damagedChunk) throw new Error('altered');
    yield content.subarray(chunk * 100_000, (chunk + 1) * 100_000);
  }
}

let baseUrl: string;
beforeAll(async () => {
  baseUrl = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

const send = async (body: Buffer | ReadableStream, type: string, more: Record<string, string> = {}) => {
  const init = {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { authorization: 'Bearer 1', 'content-type': type, ...more },
  };
  const reply = await fetch(`${baseUrl}/v1/files`, init as RequestInit);
  return {
    status: reply.status,
    headers: reply.headers,
    body: (await reply.json()) as Record<string, never>,
  };
};

/** A request that has sent its headers and the beginning of its body. */
async function beginUpload(platform: number, length = 1_000_000) {
  const client = await openRawClient(baseUrl);
  client.send(
    `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${platform}\r\nContent-Type: application/pdf\r\n` +
      `Content-Length: ${length}\r\n\r\n%PDF-`,
  );
  return client;
}

describe('a body that is a file', () => {
  it.each(FILE_TYPES)('is taken as %s', async (type) => {
    const reply = await send(FILES[type], type);
    expect([reply.status, reply.body]).toEqual([200, { bytes: FILES[type].length, type }]);
  });

  it('may be text/xml, have a parameter, and come in chunks without a length', async () => {
    const xml = FILES['application/xml'];
    const stream = new ReadableStream({
      start(controller) {
        for (const byte of xml) controller.enqueue(Buffer.from([byte]));
        controller.close();
      },
    });
    const reply = await send(stream, 'text/xml; charset=utf-8');
    expect([reply.status, reply.body]).toEqual([200, { bytes: xml.length, type: 'application/xml' }]);
  });

  it('may have 20 MiB', async () => {
    const end = Buffer.from('\n%%EOF\n');
    const file = Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.alloc(FILE_BYTES_MAX - 9 - end.length),
      end,
    ]);
    expect((await send(file, 'application/pdf')).body).toEqual({
      bytes: FILE_BYTES_MAX,
      type: 'application/pdf',
    });
  });

  it('leaves other routes as they are: JSON of at most 256 KiB', async () => {
    const post = (body: string | Buffer, type: string) =>
      fetch(`${baseUrl}/v1/json`, {
        method: 'POST',
        body,
        headers: { authorization: 'Bearer 1', 'content-type': type },
      });
    expect((await post('{"text":"x"}', 'application/json')).status).toBe(200);
    expect((await post(FILES['image/png'], 'image/png')).status).toBe(415);
    expect((await post(`{"text":"${'x'.repeat(300_000)}"}`, 'application/json')).status).toBe(413);
  });
});

describe('a file is refused', () => {
  it('with 413 before it is sent, by its Content-Length of a byte too much', async () => {
    const client = await beginUpload(1, FILE_BYTES_MAX + 1);
    await client.waitFor(() => client.answers().length === 1);
    expect(client.answers()[0]).toMatchObject({
      status: 413,
      text: expect.stringContaining('PAYLOAD_TOO_LARGE'),
    });
    client.close();
  });

  it('with 413 where chunks add up to more', async () => {
    const part = Buffer.alloc(1024 * 1024);
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(part);
      },
    });
    const reply = await send(stream, 'application/pdf').catch(() => null);
    // The response comes while the client is still sending; some clients see only the end of the connection.
    if (reply) expect(reply.status).toBe(413);
    expect((await send(FILES['application/pdf'], 'application/pdf')).status).toBe(200);
  });

  it.each([
    ['application/json', '{}', 415],
    ['application/octet-stream', '%PDF-', 415],
    ['application/pdf', '', 400],
    ['application/pdf', 'MZ', 400],
    ['application/pdf', '%PDF-1.7 and no end', 400],
    ['application/xml', '<a>', 400],
  ])('as %s: %j', async (type, text, status) => {
    expect((await send(Buffer.from(text), type)).status).toBe(status);
  });

  it('where its content is of another type, and both are named', async () => {
    const { status, body } = await send(FILES['image/png'], 'application/pdf');
    expect([status, body.issues]).toEqual([
      400,
      [
        {
          code: 'INVALID_VALUE',
          path: 'headers.content-type',
          message: 'is application/pdf, but the content is image/png',
        },
      ],
    ]);
  });

  it('with a content coding, and without a key before anything is read', async () => {
    const pdf = FILES['application/pdf'];
    expect((await send(pdf, 'application/pdf', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send(pdf, 'application/pdf', { authorization: 'Bearer none' })).status).toBe(401);
  });
});

describe('files that are sent at once', () => {
  it('are at most four of a platform and eight in all, and their places are free once they end', async () => {
    const pdf = FILES['application/pdf'];
    const uploads = await Promise.all([1, 1, 1, 1, 2, 2, 2].map((platform) => beginUpload(platform)));
    const statusOf = async (platform: number) =>
      (await send(pdf, 'application/pdf', { authorization: `Bearer ${platform}` })).status;
    await until(async () => (await statusOf(1)) === 429, 10);
    const last = await beginUpload(2);
    await until(async () => (await statusOf(3)) === 503, 10);
    const refused = await send(pdf, 'application/pdf', { authorization: 'Bearer 3' });
    expect(refused.headers.get('retry-after')).toBe('1');
    for (const client of [...uploads, last]) client.close();
    await until(async () => (await statusOf(1)) === 200, 10);
    expect([await statusOf(2), await statusOf(3)]).toEqual([200, 200]);
  });
});

describe('a slow file', () => {
  it(
    'may take longer than other requests, and is refused after its own time',
    async () => {
      const client = await beginUpload(1, 1_000);
      const startedAt = performance.now();
      while (!client.isEnded) {
        client.send('x');
        await sleep(250);
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      // Other requests have 15 seconds, this route 18.
      expect(seconds).toBeGreaterThan(17);
      expect(client.answers()).toMatchObject([{ status: 408 }]);
      client.close();
    },
    patience(40) * 1_000,
  );
});

describe('an answer that is a file', () => {
  const get = (headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}/v1/files`, { headers: { authorization: 'Bearer 1', ...headers } });

  it('has the bytes, and headers with which a browser saves it', async () => {
    const reply = await get();
    expect(Buffer.from(await reply.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '500000',
      'content-disposition': "attachment; filename*=UTF-8''Rechnung%20%27%C3%BC%27.pdf",
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      etag: `"${sha256.toString('hex')}"`,
    });
  });

  it('is 304 for one that the client has', async () => {
    const { headers } = await get();
    const again = await get({ 'if-none-match': headers.get('etag') as string });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is a problem where the first chunk is damaged, and breaks off where a later one is', async () => {
    damagedChunk = 0;
    const refused = await get();
    expect([refused.status, refused.headers.get('content-disposition')]).toEqual([500, null]);
    damagedChunk = 3;
    const broken = await get();
    await expect(broken.arrayBuffer()).rejects.toThrow();
    damagedChunk = -1;
  });
});
