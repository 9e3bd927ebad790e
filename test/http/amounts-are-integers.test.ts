/** Amounts are whole minor units, without fraction or exponent, in every operation that accepts one. */
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_AMOUNT, MINOR_UNITS_MAX } from '#kernel/fields';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';
import { v1 } from '../../src/api/v1.ts';

const REMEDY = 'amounts are whole minor units: 100.00 EUR is 10000';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.post('/v1/buyers', buyerBody({}));
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(() => world.close());

/** The body as JSON, with the text of some numbers replaced: `"net":10000` by `"net":100.00`. */
function written(body: object, ...replaced: [from: string, to: string][]): string {
  return replaced.reduce((text, [from, to]) => text.replace(from, to), JSON.stringify(body));
}

const LINES = [
  { name: 'Beans', category: 'Coffee', price: 2_500, quantity: 4 },
  { name: 'Cups', category: 'Ware', price: 700, quantity: 2 },
];

describe('POST /v1/orders/draft', () => {
  it.each([
    ['net', '"net":10000', '"net":10000.00'],
    ['gross', '"gross":11900', '"gross":119e2'],
    ['gross', '"gross":11900', '"gross":1.19E4'],
    ['tax', '"tax":1900', '"tax":1900.0'],
    ['net', '"net":10000', '"net":100.5'],
    ['net', '"net":10000', '"net":"100.00"'],
  ])('refuses amount.%s: %s written as %s', async (field, from, to) => {
    const reply = await world.post(
      '/v1/orders/draft',
      written(draftOrderBody({ external_id: 'o' }), [from, to]),
    );
    expect(expectProblem(reply, 'BAD_REQUEST').issues).toEqual([
      { code: 'INVALID_TYPE', path: `body.amount.${field}`, message: expect.stringContaining(REMEDY) },
    ]);
  });

  it('refuses every such amount at once, nested and in lists, and stores nothing', async () => {
    const body = draftOrderBody({ external_id: 'wrong', line_items: LINES });
    const text = written(
      body,
      ['"net":10000', '"net":100.00'],
      ['"price":2500', '"price":25.00'],
      ['"price":700', '"price":7e2'],
    );
    const { issues } = expectProblem(await world.post('/v1/orders/draft', text), 'BAD_REQUEST');
    expect(issues.map(({ code, path }: Record<string, string>) => `${code} ${path}`)).toEqual([
      'INVALID_TYPE body.amount.net',
      'INVALID_TYPE body.line_items.0.price',
      'INVALID_TYPE body.line_items.1.price',
    ]);
    expect((await world.get('/v1/orders/wrong')).status).toBe(404);
  });

  it('accepts other integers so, and any number in custom_data', async () => {
    const body = draftOrderBody({
      external_id: 'right',
      line_items: LINES,
      custom_data: { net: 1, share: 1.5 },
    });
    const text = written(body, ['"quantity":4', '"quantity":4.0'], ['"net":1,', '"net":1E2,']);
    const reply = await world.post('/v1/orders/draft', text);
    expect(reply.status).toBe(201);
    expect(reply.body.line_items[0].quantity).toBe(4);
    expect(reply.body.custom_data).toEqual({ net: 100, share: 1.5 });
  });

  it('still refuses a key twice, __proto__ and too deep nesting beside such a number', async () => {
    const issueOf = async (more: string) => {
      const text = written(draftOrderBody({}), ['"net":10000', `"net":100.00${more}`]);
      return expectProblem(await world.post('/v1/orders/draft', text), 'BAD_REQUEST').issues[0];
    };
    expect(await issueOf(',"net":1')).toMatchObject({ code: 'INVALID_JSON', path: 'body.amount.net' });
    expect(await issueOf(',"__proto__":1')).toMatchObject({ path: 'body.amount.__proto__' });
    expect(await issueOf(`,"x":${'['.repeat(31)}${']'.repeat(31)}`)).toMatchObject({ code: 'TOO_BIG' });
  });
});

interface Part extends TSchema {
  [IS_AMOUNT]?: true;
  type?: string | string[];
  maximum?: number;
  description?: string;
  readOnly?: boolean;
  properties?: Record<string, Part>;
  items?: Part;
}

/** Every part of a schema that a request sets, with its place. */
function partsOf(schema: Part | undefined, at = ''): [path: string, part: Part][] {
  if (!schema || schema.readOnly) return [];
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    partsOf(part, `${at}.${name}`),
  );
  return [[at, schema], ...below, ...partsOf(schema.items, `${at}.0`)];
}

const numbers = v1.flatMap(([method, path, { body, query }]) =>
  [...partsOf(body as Part), ...partsOf(query as Part)]
    .filter(([, { type }]) => [type].flat().includes('integer'))
    .map(([field, part]) => ({ name: `${method} ${path} ${field}`, part })),
);

describe('every operation', () => {
  it('marks the amounts of its requests', () => {
    const amounts = numbers.filter(({ part }) => part[IS_AMOUNT]);
    expect(amounts.length).toBeGreaterThan(10);
    const unmarked = numbers.filter(
      ({ part }) =>
        !part[IS_AMOUNT] && part.maximum === MINOR_UNITS_MAX && !/^Whole units/.test(`${part.description}`),
    );
    expect(unmarked.map(({ name }) => name)).toEqual([]);
  });

  it('refuses 100.00 as the requested amount of a facility', async () => {
    for (const path of ['facility', 'facility/increase']) {
      const reply = await world.post(`/v1/buyers/buyer/${path}`, '{"requested_amount":100.00}');
      expect(expectProblem(reply, 'BAD_REQUEST').issues).toMatchObject([
        { code: 'INVALID_TYPE', path: 'body.requested_amount' },
      ]);
    }
    const terms = await world.get('/v1/buyers/buyer/payment_terms?gross_amount=100.00');
    expect(terms.body.issues).toEqual([
      { code: 'INVALID_TYPE', path: 'query.gross_amount', message: `must be integer; ${REMEDY}` },
    ]);
  });
});
