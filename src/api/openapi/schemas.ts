/** Schemas of the code as schemas of openapi.json: each one that has a title stands in components once, under its title. */
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';

export type JsonSchema = { [keyword: string]: unknown };

export interface SchemaBook {
  /** The schema with every titled part of it replaced by a reference. Throws where two schemas claim one title. */
  print(schema: TSchema): JsonSchema;
  /** What the references lead to, by name. */
  components(): Record<string, JsonSchema>;
}

export function createSchemaBook(): SchemaBook {
  const book = new Map<string, JsonSchema>();

  const print = (schema: JsonSchema): JsonSchema => {
    const { title } = schema;
    if (typeof title !== 'string') return printKeywords(schema, print);
    const { plain, isNullable } = withoutNull(schema);
    const printed = printKeywords(plain, print);
    const known = book.get(title);
    if (known && !isDeepStrictEqual(known, printed))
      throw new Error(`Two different schemas have the title ${title}: give one of them another.`);
    book.set(title, printed);
    const reference = { $ref: `#/components/schemas/${title}` };
    return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
  };

  return {
    print: (schema) => print(schema as JsonSchema),
    components: () => Object.fromEntries([...book].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** `nullable()` of kernel/fields.ts, undone: a reference cannot carry the `null` that was added to the type. */
function withoutNull(schema: JsonSchema): { plain: JsonSchema; isNullable: boolean } {
  if (!Array.isArray(schema.type) || !schema.type.includes('null'))
    return { plain: schema, isNullable: false };
  const [type, ...others] = schema.type.filter((name) => name !== 'null');
  const values = Array.isArray(schema.enum) && schema.enum.filter((value) => value !== null);
  return {
    plain: {
      ...schema,
      type: others.length === 0 ? type : [type, ...others],
      ...(values && { enum: values }),
    },
    isNullable: true,
  };
}

const HOLDS_ONE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames'];
const HOLDS_LIST = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const HOLDS_MAP = ['properties', 'patternProperties'];

/** Each keyword printed, in one order whatever order the code wrote them in; fields keep theirs. */
function printKeywords(schema: JsonSchema, print: (part: JsonSchema) => JsonSchema): JsonSchema {
  const rank = (keyword: string) => (ORDER.indexOf(keyword) + ORDER.length + 1) % (ORDER.length + 1);
  const keywords = Object.keys(schema).sort(
    (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
  );
  return Object.fromEntries(
    keywords.map((keyword) => [keyword, printValue(keyword, schema[keyword], print)]),
  );
}

function printValue(keyword: string, value: unknown, print: (part: JsonSchema) => JsonSchema): unknown {
  const printPart = (part: unknown) =>
    typeof part === 'object' && part !== null ? print(part as JsonSchema) : part;
  if (HOLDS_ONE.includes(keyword)) return printPart(value);
  if (HOLDS_LIST.includes(keyword)) return (value as unknown[]).map(printPart);
  if (HOLDS_MAP.includes(keyword)) {
    const entries = Object.entries(value as object);
    return Object.fromEntries(entries.map(([name, part]) => [name, printPart(part)]));
  }
  return value;
}

const ORDER = [
  'title',
  'description',
  'type',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'default',
  'items',
  'minItems',
  'maxItems',
  'required',
  'properties',
  'additionalProperties',
];
