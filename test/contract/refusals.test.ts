/** Sends each operation every wrong request that its description names, and expects the documented response. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '#kernel/api-key';
import { type DocumentedOperation, type Json, readApiDocument, takesFile } from '#test/api-document';
import { addService } from '#test/services';
import { createStoryWorld } from '#test/story-world';
import type { Reply, RequestOptions, World } from '#test/world';

const { document, operations, follow, faultsOf, exampleOf, headerFaults } = readApiDocument();

const withAnswer = (status: string, also: (operation: DocumentedOperation) => boolean = () => true) =>
  operations.filter((operation) => status in operation.described.responses && also(operation));
const hasParams = ({ path }: DocumentedOperation) => path.includes('{');
/** The reason with which the operation refuses to create the same resource twice. */
const existsReasonOf = ({ described }: DocumentedOperation): string | undefined =>
  follow(described.responses['409'])['x-reasons'].find((reason: string) => reason.endsWith('EXISTS'));
const isRefusedTwice = (operation: DocumentedOperation) =>
  !operation.path.includes('{') && existsReasonOf(operation) !== undefined;
const hasBody = ({ described }: DocumentedOperation) => 'requestBody' in described && !takesFile(described);

describe('openapi.json documents the refusal', () => {
  let world: World;
  beforeAll(async () => {
    world = await createStoryWorld();
    // The examples of some operations use resources that the example of another operation creates.
    for (const id of ['createContact', 'createWebhook', 'createOrder', 'createInvoice'])
      expect((await send(find(id))).status).toBe(201);
  });
  afterAll(() => world.close());

  function send(
    operation: DocumentedOperation,
    more: RequestOptions & { path?: string } = {},
  ): Promise<Reply> {
    const { method, path, body } = exampleOf(operation);
    return world.send(method, more.path ?? path, { ...(body !== undefined && { body }), ...more });
  }

  it.each(withAnswer('400'))('400 of $id: an unknown parameter', async (operation) => {
    const { path } = exampleOf(operation);
    const reply = await send(operation, { path: `${path}${path.includes('?') ? '&' : '?'}nonsense=1` });
    expectDocumented(operation, reply, 400);
    expect(reply.body.issues).toEqual([
      { code: 'UNRECOGNIZED_KEYS', path: 'query.nonsense', message: expect.any(String) },
    ]);
  });

  it.each(withAnswer('401'))('401 of $id: no key', async (operation) => {
    expectDocumented(operation, await send(operation, { key: null }), 401, 'API_KEY_MISSING');
  });

  it.each(withAnswer('403'))('403 of $id: a key without the scope it names', async (operation) => {
    const scope: Scope = operation.described['x-required-scope'];
    const key = await world.addKey({ scopes: scope === 'read' ? ['orders:write'] : ['read'] });
    const reply = await send(operation, { key });
    expectDocumented(operation, reply, 403, 'INSUFFICIENT_SCOPE');
    expect(reply.body.details.scope).toBe(scope);
  });

  it.each(withAnswer('404', hasParams))('404 of $id: nothing of this name', async (operation) => {
    const [, query = ''] = exampleOf(operation).path.split('?');
    const path = `${operation.path
      .replace('{service_type}', 'FINANCING')
      .replace('{kind}', 'SUMMARY')
      .replaceAll(/\{\w+\}/g, 'NOBODY')}?${query}`;
    expectDocumented(operation, await send(operation, { path }), 404);
  });

  it.each(withAnswer('409', (operation) => operation.method === 'POST' && isRefusedTwice(operation)))(
    '409 of $id: there is one already',
    async (operation) => {
      await send(operation);
      expectDocumented(operation, await send(operation), 409, existsReasonOf(operation));
    },
  );

  it.each(withAnswer('412'))('412 of $id: a version long gone', async (operation) => {
    if (operation.id === 'cancelInvoiceService')
      await addService(world, { invoice: 'example-invoice', type: 'INSURANCE' });
    expectDocumented(operation, await send(operation, { headers: { 'if-match': '"99999"' } }), 412);
  });

  it.each(withAnswer('413', hasBody))('413 of $id: a body over 256 KiB', async (operation) => {
    expectDocumented(operation, await send(operation, { body: ' '.repeat(300_000) }), 413);
  });

  it.each(withAnswer('415', hasBody))('415 of $id: a body that is not JSON', async (operation) => {
    expectDocumented(operation, await send(operation, { headers: { 'content-type': 'text/plain' } }), 415);
  });

  it.each(withAnswer('422', ({ method }) => method === 'POST'))(
    '422 of $id: the idempotency key of another request',
    async (operation) => {
      const headers = { 'idempotency-key': 'used' };
      const { body } = exampleOf(find('createBuyer'));
      await world.post('/v1/buyers', { ...body, external_id: 'first-of-its-key' }, { headers });
      expectDocumented(operation, await send(operation, { headers }), 422, 'IDEMPOTENCY_KEY_REUSED');
    },
  );

  it('424 of searchBusinesses: no registry answers', async () => {
    const alone = await createStoryWorld({ REGISTRY_GLEIF_URL: 'http://127.0.0.1:9' });
    const query = new URLSearchParams({ search_type: 'name_address', country: 'DE', name: 'Nirgendwo' });
    const reply = await alone.get(`/v1/businesses/search?${query}`);
    expectDocumented(find('searchBusinesses'), reply, 424, 'REGISTRY_UNAVAILABLE');
    await alone.close();
  });

  it('429 of any operation: too many requests', async () => {
    const limited = await createStoryWorld({
      TRADELINE_RATE_LIMIT_PER_SECOND: '1',
      TRADELINE_RATE_LIMIT_BURST: '1',
    });
    const operation = find('getPlatform');
    const first = await limited.get('/v1/platform');
    expect(headerFaults(first, operation.described.responses['200'])).toEqual([]);
    expect(first.headers.get('ratelimit-limit')).toBe('1');
    expectDocumented(operation, await limited.get('/v1/platform'), 429);
    await limited.close();
  });

  it('of what has no operation too: the path and the method', async () => {
    for (const reply of [await world.get('/v1/nothing'), await world.send('PATCH', '/v1/platform')])
      expect(faultsOf({ $ref: '#/components/schemas/Error' }, reply.body)).toBe('');
  });
});

function find(id: string): DocumentedOperation {
  return operations.find((operation) => operation.id === id) as DocumentedOperation;
}

function expectDocumented(
  operation: DocumentedOperation,
  reply: Reply,
  status: number,
  reason?: string,
): void {
  expect(`${reply.status} ${reply.text}`).toMatch(new RegExp(`^${status} `));
  const response: Json = follow(operation.described.responses[status]);
  expect(faultsOf(response.content['application/json'].schema, reply.body)).toBe('');
  expect(headerFaults(reply, response)).toEqual([]);
  expect(reply.body.reason).toBe(reason);
  if (reason !== undefined) expect(response['x-reasons']).toContain(reason);
  expect(Object.keys(document.components.schemas.Error.properties)).toEqual(
    expect.arrayContaining(Object.keys(reply.body)),
  );
}
