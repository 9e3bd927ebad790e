/**
 * Sends every example of openapi.json to a server with the demo story, in the order of the document, DELETE last. The responses
 * are recorded as the examples of responses. `npx vitest run test/contract/examples.test.ts -u` records them again.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_DECISION_ID } from '#modules/underwriting';
import { EXAMPLE_EVENT_ID } from '#modules/webhooks';
import type { Json } from '#test/api-document';
import { apiOfExamples, exampleOperations, sendExample } from '#test/examples';
import { createStoryWorld, STORY_SEEDED_AT } from '#test/story-world';
import type { World } from '#test/world';

const { operations, follow, faultsOf, headerFaults } = apiOfExamples;

const ANSWERS_FILE = '../../src/api/openapi/answers.json';
const LINE_WIDTH = 110;

describe('the examples of openapi.json', () => {
  let world: World;
  const answers: Record<string, unknown> = {};
  /** `Buyer.legal_name` of every documented field that an answer had. */
  const seen = new Set<string>();
  beforeAll(async () => {
    world = await createStoryWorld();
  });
  afterAll(() => world.close());

  it.each(exampleOperations)('$id works as documented', async (operation) => {
    const { id, described } = operation;
    const reply = await sendExample(world, operation);
    const [success] = Object.values<Json>(described.responses);
    expect(headerFaults(reply, success)).toEqual([]);
    const { schema } = success.content['application/json'] ?? {};
    // A file.
    if (!schema) return;
    expect(faultsOf(schema, reply.body)).toBe('');
    collectFields(schema, reply.body, seen);
    answers[id] = withoutChance(reply.body);
  });

  it('are answered as the document shows', async () => {
    await expect(printJson(answers)).toMatchFileSnapshot(ANSWERS_FILE);
  });

  it('bring out every documented field of an answer', () => {
    const documented = new Set<string>();
    for (const { described } of operations)
      for (const response of Object.values<Json>(described.responses).slice(0, 1))
        if (response.content['application/json'])
          fieldsBelow(response.content['application/json'].schema, documented);
    expect(documented.size).toBeGreaterThan(80);
    expect([...documented].filter((field) => !seen.has(field))).toEqual([]);
  });
});

function collectFields(schema: Json, value: Json, seen: Set<string>): void {
  if (value === null || value === undefined) return;
  const target = follow(schema.anyOf?.[0] ?? schema);
  if (target.type === 'array') for (const item of value) collectFields(target.items, item, seen);
  for (const [name, property] of Object.entries<Json>(target.properties ?? {})) {
    if (!(name in value)) continue;
    seen.add(`${target.title}.${name}`);
    collectFields(property, value[name], seen);
  }
}

function fieldsBelow(schema: Json, fields: Set<string>): void {
  const target = follow(schema.anyOf?.[0] ?? schema);
  if (target.type === 'array') fieldsBelow(target.items, fields);
  for (const [name, property] of Object.entries<Json>(target.properties ?? {})) {
    const field = `${target.title}.${name}`;
    if (fields.has(field)) continue;
    fields.add(field);
    fieldsBelow(property, fields);
  }
}

/** Constant values for fields that are random or depend on the real time. */
const FIXED = {
  signing_secret: 'tl_whsec_ExampleOnlyExampleOnlyExampleOnlyExampleOn',
  previous_secret_until: STORY_SEEDED_AT + 3_600,
  event_id: '0b6f0a52-3c1e-4a8b-9f60-5d2c7c1e9a41',
};

function withoutChance(body: Json): Json {
  const fixed = Object.entries(FIXED).filter(([name]) => body?.[name]);
  return fixed.length === 0 ? body : { ...body, ...Object.fromEntries(fixed) };
}

/** As the formatter of the repository prints it: lists of plain values are on one line, if they fit. */
function printJson(value: unknown): string {
  const withoutRandomIds = JSON.stringify(value, null, 2)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+(\/checkout\/logos\/)/g, 'https://credit.example.com$1')
    .replaceAll(
      /http:\/\/127\.0\.0\.1:\d+\/checkout\/[\w-]{48}"/g,
      'https://credit.example.com/checkout/ExampleOnlyExampleOnlyExampleOnlyExampleOnl"',
    )
    .replaceAll(
      /http:\/\/127\.0\.0\.1:\d+\/buyer\/[\w-]{60,}"/g,
      'https://credit.example.com/buyer/ExampleOnlyExampleOnlyExampleOnlyExampleOnlyExampleOnlyExampleOnly"',
    )
    .replaceAll(
      /(?<="(?:decision_id|replaced_by)": (?:\[\s+)?)"[\da-f]{8}-[\da-f-]{27}"/g,
      JSON.stringify(EXAMPLE_DECISION_ID),
    )
    // Authenticated with the platform's key.
    .replaceAll(
      /"next": "[\w-]{30,}"/g,
      '"next": "ExampleOnlyWyItY3JlYXRlZF9hdCIsMTc2MzY0MDAwMCwiZXhhbXBsZSJd"',
    )
    .replaceAll(/"payment_reference": "RF\w+"/g, '"payment_reference": "RF18539007547034"')
    .replaceAll(/\\nRF\w+"/g, '\\nRF18539007547034"')
    .replaceAll(/"assessed_ms": \d+/g, '"assessed_ms": 12')
    // From the clock of the database, which no test sets.
    .replaceAll(/"recorded_at": \d+/g, `"recorded_at": ${STORY_SEEDED_AT}`)
    .replaceAll(/"api_key:\w{12}"/g, '"api_key:tQ3vX8mZkL2p"')
    .replaceAll(/"(event_id|id)": "[\da-f]{8}-[\da-f-]{27}"/g, `"$1": "${EXAMPLE_EVENT_ID}"`)
    .replaceAll(
      /"((?:late_charge_)?external_id)": "[\da-f]{8}-[\da-f-]{27}"/g,
      '"$1": "8deb96ab-a197-46b9-aa8d-2f25ac1ffd0d"',
    );
  const text = withoutRandomIds.replaceAll(
    /^(.*)\[\n\s+([^[\]{}]*?)\n\s+\](,?)$/gm,
    (list, before: string, items: string, after: string) => {
      const line = `${before}[${items.replaceAll(/\n\s+/g, ' ')}]${after}`;
      return line.length > LINE_WIDTH ? list : line;
    },
  );
  // The world's own key has a different id each time.
  return `${text.replaceAll(/"api_key:(?!demo-story)[^"]+"/g, '"api_key:HFynBr0CyKbi"')}\n`;
}
