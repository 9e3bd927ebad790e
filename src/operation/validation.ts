/** Strict validation of a request's input. Reports all issues together, each with its code and path. */
import { Ajv, type ErrorObject, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import type { TObject, TSchema } from 'typebox';
import { grossMatches } from '#kernel/amount';
import { isCountry } from '#kernel/country';
import { LISTS_FIELDS, REMEDY } from '#kernel/fields';
import type { Issue } from '#kernel/problem';
import type { IssueCode } from '#kernel/problem-codes';
import { isBlank, isPlainLine } from '#kernel/text';
import { COUNTRY_FORMATS, type CountryFormat } from './country-formats.ts';
import { FORMATS } from './formats.ts';

export type Source = 'params' | 'query' | 'headers' | 'body';
export type Validator = (value: unknown) => Issue[];

// `\S` alone stands for visible text. Zero-width characters are not in `\s`, but a name that consists of them is as empty as one of spaces.
// The API description keeps `\S`, which every regular expression dialect reads.
const patternOf = (pattern: string, flags: string) =>
  pattern === '\\S' ? { test: (text: string) => !isBlank(text) } : new RegExp(pattern, flags);

// `verbose` adds the schema to errors of our own keywords; the messages name its bounds.
const ajv = new Ajv({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  verbose: true,
  code: { regExp: Object.assign(patternOf, { code: 'new RegExp' }) },
});
for (const [name, { check }] of Object.entries(FORMATS)) ajv.addFormat(name, check);
for (const name of ['x-max-bytes', 'x-max-depth', 'x-gross-is-net-plus-tax', ...COUNTRY_FORMATS.keys()]) {
  ajv.addKeyword({
    keyword: name,
    type: 'object',
    schema: true,
    errors: false,
    validate: keywordCheck(name),
  });
}

function keywordCheck(name: string): SchemaValidateFunction {
  switch (name) {
    case 'x-max-bytes':
      return (limit: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= limit;
    case 'x-max-depth':
      return (limit: number, value: unknown) => depthOf(value) <= limit;
    case 'x-gross-is-net-plus-tax':
      return (_: true, value: { net?: unknown; gross?: unknown; tax?: unknown }) =>
        ![value.net, value.gross, value.tax ?? 0].every(Number.isSafeInteger) || grossMatches(value as never);
    default: {
      const format = COUNTRY_FORMATS.get(name) as CountryFormat;
      return (_: true, value: Record<string, unknown>) => {
        const { country, [format.field]: text } = value;
        if (format.type !== undefined && value.type !== format.type) return true;
        const isFit = typeof text === 'string' && isPlainLine(text) && !isBlank(text);
        return !isFit || !isCountryText(country) || format.check(text, country);
      };
    }
  }
}

const isCountryText = (country: unknown): country is string =>
  typeof country === 'string' && isCountry(country);

const countryIssues = new WeakSet<Issue>();

/** Whether the issue is that a value lacks the format of its country, as stored and registry values may. */
export function isOfCountryFormat(issue: Issue): boolean {
  return countryIssues.has(issue);
}

/** Compiles a schema. The validator never throws; it returns [] for a valid value, otherwise at most ISSUES_MAX issues. */
export function compileValidator(schema: TSchema, source: Source): Validator {
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    const issues = issuesOf(validate.errors ?? [], source);
    // Each error refers to the invalid value and would keep it in memory until the next request.
    validate.errors = null;
    return issues;
  };
}

/** Reads query text by its schema: integers as numbers, true and false as booleans, `a,b` and repeated parameters as lists. */
export function compileQueryReader(
  schema: TObject,
): (query: Record<string, unknown>) => Record<string, unknown> {
  const readers = new Map<string, (value: unknown) => unknown>();
  for (const [name, property] of Object.entries(schema.properties as Record<string, { type?: string }>)) {
    if (property.type === 'integer') readers.set(name, readInteger);
    if (property.type === 'boolean') readers.set(name, readBoolean);
    if (property.type === 'array') readers.set(name, readList);
  }
  return (query) => {
    // Without a prototype, `__proto__` is an unknown parameter like any other.
    const read: Record<string, unknown> = Object.create(null);
    for (const name of Object.keys(query)) read[name] = readers.get(name)?.(query[name]) ?? query[name];
    return read;
  };
}

const readInteger = (value: unknown) =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
const readBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value);
const readList = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).flatMap((text) => String(text).split(','));

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const part of Object.values(value)) deepest = Math.max(deepest, depthOf(part));
  return 1 + deepest;
}

// If several rules fail at one path, only the most basic issue is reported: an empty external_id is too short, and the
// pattern that it does not match is left out.
const PRECEDENCE: IssueCode[] = [
  'UNRECOGNIZED_KEYS',
  'REQUIRED',
  'INVALID_TYPE',
  'INVALID_ENUM',
  'TOO_SHORT',
  'TOO_LONG',
  'TOO_SMALL',
  'TOO_BIG',
];
const rank = (issue: Issue) =>
  (PRECEDENCE.indexOf(issue.code) + PRECEDENCE.length + 1) % (PRECEDENCE.length + 1);

/** A body of 256 KiB can have 300,000 issues; a hundred are enough to act on. */
export const ISSUES_MAX = 100;

function issuesOf(errors: ErrorObject[], source: Source): Issue[] {
  const byPath = new Map<string, Issue>();
  for (const error of errors) {
    if (byPath.size === ISSUES_MAX) break;
    // A failed `if` adds nothing: its `then` reports what is missing.
    if (error.keyword === 'if') continue;
    const issue = issueOf(error, source);
    const known = byPath.get(issue.path);
    if (!known || rank(issue) < rank(known)) byPath.set(issue.path, issue);
  }
  return [...byPath.values()];
}

function issueOf(error: ErrorObject, source: Source): Issue {
  const path = pathOf(error, source);
  const { params } = error;
  const remedy = error.parentSchema?.[REMEDY as never];
  const issue = (code: IssueCode, message: string): Issue => ({
    code,
    path,
    message: remedy === undefined ? message : `${message}; ${remedy}`,
  });
  switch (error.keyword) {
    case 'required':
      return issue('REQUIRED', 'is required');
    case 'additionalProperties':
      return issue('UNRECOGNIZED_KEYS', `is not a known field${knownFields(error.parentSchema)}`);
    case 'false schema':
      return issue('UNRECOGNIZED_KEYS', 'cannot be combined with the other fields');
    case 'type':
      return issue('INVALID_TYPE', `must be ${[params.type].flat().join(' or ')}`);
    case 'enum':
      return issue(
        'INVALID_ENUM',
        `must be one of ${params.allowedValues.filter((value: unknown) => value !== null).join(', ')}`,
      );
    case 'minLength':
      return issue('TOO_SHORT', 'must not be empty');
    case 'maxLength':
      return issue('TOO_LONG', `must have at most ${params.limit} characters`);
    case 'minItems':
      return issue('TOO_SHORT', `must have at least ${params.limit} items`);
    case 'maxItems':
      return issue('TOO_LONG', `must have at most ${params.limit} items`);
    case 'minProperties':
      return issue('REQUIRED', 'must have one of its fields');
    case 'maxProperties':
      return issue('INVALID_VALUE', 'must have only one of its fields');
    case 'minimum':
      return issue('TOO_SMALL', `must be at least ${params.limit}`);
    case 'maximum':
      return issue('TOO_BIG', `must be at most ${params.limit}`);
    case 'pattern':
      return params.pattern === '\\S'
        ? issue('TOO_SHORT', 'must not be empty')
        : issue('INVALID_FORMAT', `must match ${params.pattern}`);
    case 'format':
      return issue(
        FORMATS[params.format]?.code ?? 'INVALID_FORMAT',
        FORMATS[params.format]?.message ?? 'has the wrong format',
      );
    case 'not':
      return issue('INVALID_VALUE', 'is a reserved word');
    case 'x-max-bytes':
      return issue('TOO_LONG', `must have at most ${error.schema} bytes as JSON`);
    case 'x-max-depth':
      return issue('TOO_BIG', `must be nested at most ${error.schema} levels deep`);
    case 'x-gross-is-net-plus-tax':
      return issue('AMOUNT_MISMATCH', 'must be net + tax');
    default: {
      const format = COUNTRY_FORMATS.get(error.keyword);
      if (!format) return issue('INVALID_VALUE', error.message ?? 'is not valid');
      const found = issue('INVALID_FORMAT', format.message((error.data as { country: string }).country));
      countryIssues.add(found);
      return found;
    }
  }
}

/** The names of the fields, if the object lists them. */
function knownFields(schema: ErrorObject['parentSchema']): string {
  const { [LISTS_FIELDS]: isListed, properties } = (schema ?? {}) as {
    [LISTS_FIELDS]?: true;
    properties?: object;
  };
  return isListed ? `; the fields are ${Object.keys(properties ?? {}).join(', ')}` : '';
}

/** Keywords of an object whose issue is reported at one of its fields. */
const FIELD_OF_KEYWORD: Record<string, string> = {
  'x-gross-is-net-plus-tax': 'gross',
  ...Object.fromEntries([...COUNTRY_FORMATS].map(([keyword, { field }]) => [keyword, field])),
};

function pathOf(error: ErrorObject, source: Source): string {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  // A list in the query is one parameter: its issues are reported at the parameter.
  if (source === 'query')
    return [source, steps[0] ?? error.params.additionalProperty ?? error.params.missingProperty].join('.');
  const last =
    error.params.missingProperty ?? error.params.additionalProperty ?? FIELD_OF_KEYWORD[error.keyword];
  return [source, ...steps, ...(last === undefined ? [] : [last])].join('.');
}
