/** Every operation and each of its ids, as a request with a name that the caller must not learn about. */
import type { TSchema } from 'typebox';
import type { Route } from '#http/bind';
import { FILES } from './files.ts';
import { randomFrom } from './random.ts';
import { fittingValue, isId } from './schema-values.ts';
import type { Method } from './world.ts';

export interface Probe {
  /** The operation and the place of the foreign name. An operation without one is probed unchanged. */
  name: string;
  method: Method;
  path: string;
  body?: unknown;
}

/** The names of a kind of resource: the caller's, and another tenant's. */
export interface Names {
  own: string;
  foreign: string;
}

/**
 * Probes that end or create resources come last, because after them the caller would have a resource with the foreign name.
 * @param names By the collection in the path: `buyers`. A search text has the key `text`.
 */
export function tenantProbes(routes: readonly Route[], names: Record<string, Names>): Probe[] {
  const probes = routes.flatMap((route) => {
    const fields = fieldsOf(route);
    return [null, ...fields].map((foreign) => ({
      rank: isNewName(route, foreign) ? 2 : route[0] === 'DELETE' ? 1 : 0,
      probe: probe(route, fields, foreign, names),
    }));
  });
  return probes.toSorted((one, another) => one.rank - another.rank).map(({ probe }) => probe);
}

const NEW_NAMES = ['body.external_id', 'body.type', 'body.reference', 'query.file_external_id'];

/** Whether the operation assigns this name to a new resource. */
function isNewName([method]: Route, at: Field | null): boolean {
  return method === 'POST' && NEW_NAMES.includes(at?.path ?? '');
}

interface Parameters {
  properties: Record<string, { enum?: readonly string[] }>;
}

interface Field {
  /** Rooted at params, query or body, as in an issue. */
  path: string;
  kind: string;
}

function fieldsOf([, path, operation]: Route): Field[] {
  // A simulator names what it simulates: /v1/sandbox/orders.
  const collection = path.replace('/sandbox/', '/').split('/')[2] as string;
  const inObject = (schema: TSchema | undefined, root: string): Field[] =>
    Object.entries((schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {})
      // A read-only field is not a name: it must be the stored value.
      .filter(([, field]) => !('readOnly' in field))
      .flatMap(([name, field]) => fieldsIn(field, name, `${root}.${name}`));
  const fieldsIn = (
    schema: TSchema & { type?: unknown; items?: TSchema },
    name: string,
    at: string,
  ): Field[] => {
    const types = [schema.type].flat();
    if (types.includes('array') && schema.items) return fieldsIn(schema.items, name, `${at}.0`);
    if (types.includes('object')) return inObject(schema, at);
    const kind = kindOf(name, collection, isId(schema));
    return kind === undefined ? [] : [{ path: at, kind }];
  };
  return [
    ...inObject(operation.params, 'params'),
    ...inObject(operation.query, 'query'),
    ...inObject(operation.body, 'body'),
  ];
}

/** The kind of resource that a field names; undefined if none. */
function kindOf(name: string, collection: string, isExternalId: boolean): string | undefined {
  if (collection === 'webhooks' && name === 'type') return 'webhooks';
  if (name === 'query') return 'text';
  // Ids assigned by the platform itself, or by its bank.
  if (name === 'vouched_by' || name === 'end_to_end_id') return undefined;
  if (name === 'external_id') return collection;
  if (name === 'reference' && collection === 'buyers') return 'mandates';
  if (name === 'decision_id') return 'decisions';
  if (name === 'entry_id') return 'entries';
  if (name === 'event_id') return 'events';
  if (name === 'document_id') return 'documents';
  if (name === 'resource_external_id') return 'merchants';
  // A party of accounts, in the example a buyer.
  if (name === 'party') return 'buyers';
  const other = /^(\w+)_external_ids?$/.exec(name)?.[1];
  if (other !== undefined) return `${other}s`;
  if (isExternalId || /_ids?$/.test(name))
    throw new Error(`What the field ${name} of ${collection} names is not known here.`);
  return undefined;
}

function probe(route: Route, fields: Field[], foreign: Field | null, names: Record<string, Names>): Probe {
  const [method, path, operation] = route;
  const valueAt = (at: Field): string => {
    const known = names[at.kind];
    if (!known) throw new Error(`No id known for ${at.path} of ${operation.id}: add the kind ${at.kind}.`);
    if (at === foreign) return known.foreign;
    // For a new resource, an existing name would only be refused as taken.
    const isTaken = isNewName(route, at) && at.kind !== 'webhooks';
    return isTaken ? `new-${operation.id}-${foreign ? fields.indexOf(foreign) : ''}` : known.own;
  };
  const making = {
    random: randomFrom(1),
    follow: (schema: unknown) => schema as never,
    idOf: () => 'replaced-below',
    optionalShare: 0,
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    // An enum value is not a name.
    const [choice] = (operation.params as Parameters | undefined)?.properties[name]?.enum ?? [];
    if (choice !== undefined) return choice;
    const at = fields.find(({ path: at }) => at === `params.${name}`);
    if (!at) throw new Error(`No id known for the parameter ${name} of ${operation.id}.`);
    return encodeURIComponent(valueAt(at));
  });

  const { properties = {}, required = [] } = (operation.query ?? {}) as {
    properties?: Record<string, TSchema & { items?: { enum?: string[] } }>;
    required?: string[];
  };
  const fieldOf = (name: string) =>
    fields.find(({ path: at }) => at === `query.${name}` || at === `query.${name}.0`);
  // Required parameters that name nothing of a tenant are sent as in the example.
  const isSentAsShown = required.some((name) => fieldOf(name) === undefined);
  const query = new URLSearchParams(isSentAsShown ? operation.example?.query : {});
  for (const [name, schema] of Object.entries(properties)) {
    const at = fieldOf(name);
    if (name === 'expand') query.set(name, (schema.items?.enum ?? []).join(','));
    else if (at && (at === foreign || required.includes(name))) query.set(name, valueAt(at));
  }

  const body = operation.fileBody
    ? FILES['application/pdf']
    : operation.body && fittingValue(making, operation.body);
  for (const at of fields)
    if (at.path.startsWith('body.')) put(body, at.path.split('.').slice(1), valueAt(at));
  // The date of a document must not be in the future, regardless of the random instant.
  if (isDated(body)) body.invoiced_at = 1;
  // A promise must not end before today.
  if (operation.id === 'createPromise') Object.assign(body as object, { until: 4_000_000_000 });
  // A position that every platform has.
  if (operation.id === 'recoverWebhook') Object.assign(body as object, { after: 0 });
  // A simulator accepts a payment only to reverse it.
  if (operation.id === 'simulateInvoice') put(body, ['trigger'], 'reverse');
  return {
    name: `${operation.id}${foreign ? ` with another's ${foreign.path}` : ''}`,
    method,
    path: query.size === 0 ? filled : `${filled}?${query}`,
    ...(body !== undefined && { body }),
  };
}

const isDated = (body: unknown): body is { invoiced_at: number } =>
  typeof body === 'object' && body !== null && 'invoiced_at' in body;

/** Sets the value at a path, creating the objects and lists on the way. */
function put(target: unknown, [step = '', ...rest]: string[], value: string): void {
  const object = target as Record<string, unknown>;
  if (rest.length === 0) {
    object[step] = value;
    return;
  }
  object[step] ??= /^\d+$/.test(rest[0] as string) ? [] : {};
  put(object[step], rest, value);
}
