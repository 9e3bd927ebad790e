/** Converts schemas of the code to schemas of openapi.json. Each titled schema is in components once, under its title. */
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { OWN_DESCRIPTION } from '#kernel/fields';

export type JsonSchema = { [keyword: string]: unknown; [OWN_DESCRIPTION]?: unknown };

export interface SchemaBook {
  /** The schema of a part of a request, with every titled part of it replaced by a reference. */
  printInput(schema: TSchema): JsonSchema;
  /** The schema of a part of an answer or event. Its objects are open, so that fields can be added. */
  printOutput(schema: TSchema): JsonSchema;
  /** The referenced schemas, by name. */
  components(): Record<string, JsonSchema>;
}

/** Printing throws if two different schemas have one title. A title used in both requests and answers must print the same. */
export function createSchemaBook(): SchemaBook {
  const book = new Map<string, JsonSchema>();

  const add = (title: string, printed: JsonSchema): JsonSchema => {
    const known = book.get(title);
    if (known && !isDeepStrictEqual(known, printed))
      throw new Error(`Two different schemas have the title ${title}: give one of them another.`);
    book.set(title, printed);
    return { $ref: `#/components/schemas/${title}` };
  };

  const printer = (isOpen: boolean) => {
    const print = ({ readOnly, ...schema }: JsonSchema): JsonSchema => {
      // A request repeats a read-only field as an answer showed it, so it refers to the schemas of answers.
      if (readOnly === true) return { readOnly, ...printOutput(schema) };
      const { title } = schema;
      if (typeof title !== 'string') return printKeywords(schema, print, isOpen);
      const { plain, isNullable } = withoutNull(schema);
      const { own, ofUse } = partsOf(plain);
      const reference = add(title, printKeywords(own, print, isOpen));
      return { ...ofUse, ...(isNullable ? { anyOf: [reference, { type: 'null' }] } : reference) };
    };
    return print;
  };
  const printInput = printer(false);
  const printOutput = printer(true);

  return {
    printInput: (schema) => printInput(schema as JsonSchema),
    printOutput: (schema) => printOutput(schema as JsonSchema),
    components: () => Object.fromEntries([...book].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** Separates a `named()` schema of kernel/fields.ts from the keywords that one use of it overrides. */
function partsOf(schema: JsonSchema): { own: JsonSchema; ofUse: JsonSchema } {
  if (!(OWN_DESCRIPTION in schema)) return { own: schema, ofUse: {} };
  const { [OWN_DESCRIPTION]: ownDescription, description, default: fallback, ...own } = schema;
  return {
    own: { ...own, ...(ownDescription !== undefined && { description: ownDescription }) },
    ofUse: {
      ...(description !== ownDescription && { description }),
      ...(fallback !== undefined && { default: fallback }),
    },
  };
}

/** Undoes `nullable()` of kernel/fields.ts, because a reference cannot include the `null` that was added to the type. */
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

/**
 * Spelled out for code generators. Without a format, most take an integer as 32 bits, too few for an amount. From an object that refuses
 * unknown fields they make a client that breaks on answers of later versions. A type of only `null` has no name in Java, so the client
 * would not compile.
 */
function forGenerators(schema: JsonSchema, isOpen: boolean): JsonSchema {
  const { additionalProperties, ...open } = schema;
  if (schema.type === 'null') return { const: null };
  const printed = isOpen && additionalProperties === false ? open : schema;
  const isInteger = [printed.type].flat().includes('integer');
  return isInteger ? { format: 'int64', ...printed } : printed;
}

const HOLDS_ONE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames'];
const HOLDS_LIST = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const HOLDS_MAP = ['properties', 'patternProperties'];

/** Prints the keywords in a fixed order, regardless of their order in the code. Fields keep their order. */
function printKeywords(
  coded: JsonSchema,
  print: (part: JsonSchema) => JsonSchema,
  isOpen: boolean,
): JsonSchema {
  const schema = forGenerators(coded, isOpen);
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
