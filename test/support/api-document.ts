/** openapi.json as a client reads it: operations by id, references resolved, schemas compiled as written. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { FILES } from './files.ts';
import type { Method, Reply } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: the description is read as any client reads it, without our types.
export type Json = any;

export interface DocumentedOperation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  id: string;
  /** The operation object. */
  described: Json;
}

export interface ApiDocument {
  document: Json;
  operations: DocumentedOperation[];
  /** The value, or the target of its `$ref`. */
  follow(value: Json): Json;
  /** The request that the document shows for the operation. */
  exampleOf(operation: DocumentedOperation): { method: Method; path: string; body: Json };
  /** Documented headers that are missing or wrong, and undocumented headers that not every HTTP answer has. */
  headerFaults(reply: Reply, response: Json): string[];
  /** The faults of the value according to a schema of the document; '' if there are none. */
  faultsOf(schema: Json, value: unknown): string;
}

/** Our own keywords, which other tools ignore. */
const EXTENSIONS = [
  'x-max-bytes',
  'x-max-depth',
  'x-postcode-format',
  'x-vat-id-format',
  'x-register-id-format',
  'x-gross-is-net-plus-tax',
];
const FORMATS = [
  'int64',
  'amount-range',
  'country',
  'e164',
  'bic',
  'iban',
  'email',
  'plain-line',
  'plain-text',
  'seconds-range',
  'uri',
  'uri-reference',
  'uuid',
];

export const OPENAPI_FILE = new URL('../../openapi.json', import.meta.url);

export function readApiDocument(text = readFileSync(OPENAPI_FILE, 'utf8')): ApiDocument {
  const document = JSON.parse(text);
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
  ajv.addVocabulary([...EXTENSIONS, 'discriminator']);
  for (const format of FORMATS) ajv.addFormat(format, true);
  // Each named schema separately, because the document around them is not a schema.
  const alone = (schema: Json) =>
    JSON.stringify(closed(schema)).replaceAll('"#/components/schemas/', '"schema:');
  for (const [name, schema] of Object.entries(document.components.schemas))
    ajv.addSchema(JSON.parse(alone(schema)), `schema:${name}`);
  const compiled = new Map<string, ValidateFunction>();

  const faultsOf = (schema: Json, value: unknown) => {
    const text = alone(schema);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? '' : ajv.errorsText(validate.errors, { dataVar: 'value' });
  };
  const follow = (value: Json): Json =>
    typeof value?.$ref === 'string'
      ? value.$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, step: string) => at[step], document)
      : value;
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, described]) => ({
      method: method.toUpperCase() as DocumentedOperation['method'],
      path,
      id: described.operationId,
      described,
    })),
  );
  return {
    document,
    operations,
    follow,
    faultsOf,
    exampleOf: (operation) => exampleOf(operation, follow),
    headerFaults: (reply, response) => headerFaults(reply, follow(response).headers, follow, faultsOf),
  };
}

/** Answers are open for clients, so that fields can be added. Here an undocumented field is a fault. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, part]) => [name, closed(part)]);
  return {
    ...(schema.type === 'object' && schema.properties && { additionalProperties: false }),
    ...Object.fromEntries(entries),
  };
}

/** Whether the body of an operation is a file. */
export function takesFile(described: Json): boolean {
  return described.requestBody?.content['application/pdf'] !== undefined;
}

function exampleOf(
  { method, path, described }: DocumentedOperation,
  follow: ApiDocument['follow'],
): { method: Method; path: string; body: Json } {
  const parameters: Json[] = (described.parameters ?? []).map(follow);
  const shown = (at: string) =>
    parameters.filter((parameter) => parameter.in === at && parameter.example !== undefined);
  const query = shown('query').map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const filled = shown('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example)),
    path,
  );
  return {
    method,
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    body: takesFile(described)
      ? FILES['application/pdf']
      : described.requestBody?.content['application/json'].example,
  };
}

const STANDING_HEADERS = [
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
];

function headerFaults(
  { headers }: Reply,
  documented: Json,
  follow: ApiDocument['follow'],
  faultsOf: ApiDocument['faultsOf'],
): string[] {
  const known = Object.entries<Json>(documented).map(([name, header]) => [name, follow(header)] as const);
  const wrong = known.flatMap(([name, { required, schema }]) => {
    const value = headers.get(name);
    if (value === null) return required ? [`${name} is missing`] : [];
    const fault = faultsOf(schema, schema.type === 'integer' ? Number(value) : value);
    return fault === '' ? [] : [`${name}: ${fault}`];
  });
  const names = new Set(known.map(([name]) => name.toLowerCase()));
  const unknown = [...headers.keys()].filter((name) => !names.has(name) && !STANDING_HEADERS.includes(name));
  return [...wrong, ...unknown.map((name) => `${name} is not documented`)];
}
