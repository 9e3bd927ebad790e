import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { describeApi } from '#api/openapi';
import { v1 } from '#api/v1';
import type { Route } from '#http/bind';
import { EVENT_TYPES } from '#kernel/event';
import { closed, named, nullable, oneOf } from '#kernel/fields';
import { CODES } from '#kernel/problem-codes';
import { REASONS, type Reason } from '#kernel/problem-reasons';
import { operation } from '#operation/operation';
import { type Json, OPENAPI_FILE, readApiDocument } from '#test/api-document';

const { document, operations, follow, faultsOf } = readApiDocument();
const operationOf = (id: string) => operations.find((each) => each.id === id)?.described;

describe('openapi.json', () => {
  it('is what the operations print: run `npm run generate` when it is not', () => {
    expect(readFileSync(OPENAPI_FILE, 'utf8')).toBe(`${JSON.stringify(describeApi(v1), null, 2)}\n`);
  });

  it('is valid OpenAPI 3.1, and every reference in it leads somewhere', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      expect(follow({ $ref: JSON.parse(reference) }), reference).toBeTypeOf('object');
    }
  });

  it('has exactly the routes of the API, each with its own id', () => {
    const described = operations.map(({ method, path, id }) => `${method} ${path} ${id}`);
    expect(described.sort()).toEqual(v1.map(([method, path, { id }]) => `${method} ${path} ${id}`).sort());
    expect(new Set(operations.map(({ id }) => id)).size).toBe(v1.length);
  });

  it('gives every integer 64 bits, and every list a type of items', () => {
    for (const { path, schema } of schemasBelow(document)) {
      if ([schema.type].flat().includes('integer')) expect(schema.format, path).toBe('int64');
      if ([schema.type].flat().includes('array')) expect(schema.items, path).toBeDefined();
    }
  });

  it('names every enum that clients meet in a field', () => {
    const unnamed = schemasBelow(document).filter(
      ({ path, schema }) => schema.enum && !/^.components.(schemas.\w+|headers.\w+.schema)$/.test(path),
    );
    // Each list has its own enum of sort orders; a condition is not a field.
    expect(unnamed.filter(({ path }) => !/\/(parameters\/\d+\/schema|if)(\/|$)/.test(path))).toEqual([]);
  });

  it('is at most 5 kB for each operation and type of event, as compact JSON', () => {
    expect(JSON.stringify(document).length).toBeLessThanOrEqual(5_000 * (v1.length + EVENT_TYPES.length));
  });

  it('has exactly the event types in the webhooks section', () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES);
  });

  it('describes every tag that it uses', () => {
    const used = [...operations.map(({ described }) => described), ...webhooks()].flatMap(({ tags }) => tags);
    expect(document.tags.map(({ name }: Json) => name)).toEqual(expect.arrayContaining([...new Set(used)]));
    for (const { description } of document.tags) expect(description).toMatch(/^\S.*\.$/);
  });

  it('names each reason an operation has, at its status, and none that the tables lack', () => {
    for (const [, , { id, problems }] of v1) {
      const named = Object.entries<Json>(operationOf(id).responses).flatMap(([status, response]) =>
        (follow(response)['x-reasons'] ?? []).map((reason: Reason) => [reason, status]),
      );
      for (const [reason, status] of named)
        expect(CODES[REASONS[reason as Reason].code].status, id).toBe(+status);
      const own = problems.filter((problem) => problem !== 'NOT_FOUND');
      expect(named.map(([reason]) => reason)).toEqual(expect.arrayContaining(own));
    }
  });

  it('lists the general responses for every operation', () => {
    for (const { method, id, described } of operations) {
      const statuses = Object.keys(described.responses);
      const expected = ['400', '401', '429', '500', '503'];
      // An operation that is open to every key refuses none.
      if ('x-required-scope' in described) expected.push('403');
      if (method === 'POST') expected.push('409', '422');
      if (described.requestBody) expected.push('413', '415');
      expect(statuses, id).toEqual(expect.arrayContaining(expected));
      expect(statuses.includes('412'), id).toBe(hasParameter(described, 'If-Match'));
      expect(hasParameter(described, 'Idempotency-Key'), id).toBe(method === 'POST');
    }
  });

  it('has an example for every operation, and every example fits its schema', () => {
    for (const { id, described } of operations) {
      for (const parameter of described.parameters ?? []) {
        const { schema, example, required, name } = follow(parameter);
        if (required) expect(example, `${id} ${name}`).toBeDefined();
        if (example !== undefined) expect(faultsOf(schema, example), `${id} ${name}`).toBe('');
      }
      const bodies = [described.requestBody, ...Object.values<Json>(described.responses).map(follow)];
      for (const body of bodies.filter(Boolean)) expect(faultsOfExamples(body), id).toEqual([]);
    }
  });

  it('shows an example of every event that fits the schema', () => {
    for (const { requestBody, summary } of webhooks()) {
      expect(faultsOfExamples(requestBody)).toEqual([]);
      expect(requestBody.content['application/json'].example.type).toBe(summary);
    }
  });
});

describe('describeApi', () => {
  const routeOf = (id: string, response: ReturnType<typeof closed>): Route => [
    'GET',
    `/v1/${id}`,
    operation({
      id,
      summary: id,
      tag: 'Meta',
      scope: 'read',
      effect: 'read',
      status: 200,
      response,
      problems: [],
      run: async () => ({ body: {} }),
    }),
  ];
  const crate = closed({ weight: Type.Integer() }, 'Crate');

  it('writes a named schema once, and refers to it in every place, also where it may be null', () => {
    const lorry = closed({ first: crate, second: nullable(crate), more: Type.Array(crate) }, 'Lorry');
    const { components }: Json = describeApi([routeOf('getLorry', lorry)]);
    const reference = { $ref: '#/components/schemas/Crate' };
    expect(components.schemas.Crate).toEqual({
      title: 'Crate',
      type: 'object',
      required: ['weight'],
      properties: { weight: { type: 'integer', format: 'int64' } },
    });
    expect(components.schemas.Lorry.properties).toEqual({
      first: reference,
      second: { anyOf: [reference, { type: 'null' }] },
      more: { type: 'array', items: reference },
    });
  });

  it('closes the objects of requests only', () => {
    const { components }: Json = document;
    expect(components.schemas.OrderCreation.additionalProperties).toBe(false);
    expect(components.schemas.AmountInput.additionalProperties).toBe(false);
    for (const name of ['Order', 'Amount', 'Error', 'OrderEventData'])
      expect(components.schemas[name], name).not.toHaveProperty('additionalProperties');
  });

  it('names a schema once, whatever the description at its uses', () => {
    const colour = named('Colour', oneOf(['RED', 'BLUE'], 'A colour'));
    const ball = closed(
      { inside: colour, outside: nullable({ ...colour, description: 'Null if it is clear' }) },
      'Ball',
    );
    const { components }: Json = describeApi([routeOf('getBall', ball)]);
    const reference = { $ref: '#/components/schemas/Colour' };
    expect(components.schemas.Colour).toEqual({
      title: 'Colour',
      description: 'A colour',
      type: 'string',
      enum: ['RED', 'BLUE'],
    });
    expect(components.schemas.Ball.properties).toEqual({
      inside: reference,
      outside: { description: 'Null if it is clear', anyOf: [reference, { type: 'null' }] },
    });
  });

  it('refuses two different schemas with one title', () => {
    const other = closed({ weight: Type.String() }, 'Crate');
    expect(() => describeApi([routeOf('getCrate', crate), routeOf('getOther', other)])).toThrow(
      'Two different schemas have the title Crate',
    );
  });
});

/** Every schema, with its path. Examples are not schemas. */
function schemasBelow(value: Json, path = ''): { path: string; schema: Json }[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value)
    .filter(([name]) => name !== 'example' && name !== 'examples')
    .flatMap(([name, part]) => schemasBelow(part, `${path}/${name}`));
  return 'type' in value || 'enum' in value ? [{ path, schema: value }, ...below] : below;
}

function webhooks(): Json[] {
  return Object.values<Json>(document.webhooks).map(({ post }) => post);
}

function hasParameter(described: Json, name: string): boolean {
  return (described.parameters ?? []).some((parameter: Json) => follow(parameter).name === name);
}

/** The violations: a body without an example, and each example that its schema refuses. */
function faultsOfExamples({ content }: Json): string[] {
  // 304 has no content.
  if (content === undefined) return [];
  // A file response has no example.
  if (!('application/json' in content)) return [];
  const { schema, example, examples } = content['application/json'];
  const shown = examples ? Object.values<Json>(examples).map((each) => follow(each).value) : [example];
  return shown
    .map((value) => (value === undefined ? 'has no example' : faultsOf(schema, value)))
    .filter((fault) => fault !== '');
}
