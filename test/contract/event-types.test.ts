/** The types that openapi-typescript generates: an event narrows by `type`, and only an order has an order's fields. */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPENAPI_FILE } from '#test/api-document';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, 'event-types-'));
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypescript(OPENAPI_FILE)));
});
afterAll(() => rm(folder, { recursive: true }));

/** The errors that the compiler reports for a function that handles an event. */
function faultsOf(body: string): string[] {
  const file = join(folder, 'handle.ts');
  writeFileSync(
    file,
    `import type { components, webhooks } from './api.ts';
    type Event = components['schemas']['Event'];
    type Created = webhooks['BUYER.CREATED']['post']['requestBody']['content']['application/json'];
    export function handle(event: Event, created: Created): unknown { ${body} }`,
  );
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

it('narrows by type', () => {
  expect(
    faultsOf(`
      if (event.type === 'ORDER.CANCELLED') { const gross: number = event.data.amount.gross; return gross; }
      if (event.type === 'FACILITY.FROZEN') { const total: number = event.data.total_amount; return total; }
      const type: 'BUYER.CREATED' = created.type;
      return [type, created.data.external_id];`),
  ).toEqual([]);
});

it.each([
  ["an order's amount without its type", 'return event.data.amount;'],
  [
    "a facility's limit of an order",
    "return event.type === 'ORDER.CLOSED' ? event.data.total_amount : null;",
  ],
  ["a facility's limit of a buyer", 'return created.data.total_amount;'],
])('refuses %s', (_, body) => {
  expect(faultsOf(body)).toEqual([expect.stringMatching(/^Property '\w+' does not exist on type/)]);
});
