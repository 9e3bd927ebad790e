/** Read, merge, send: a full replacement accepts the read-only fields of its resource, with their stored values. */
import { type TObject, type TProperties, Type } from 'typebox';
import { changedFields } from '#kernel/changes';
import { closed } from '#kernel/fields';
import { invalidRequest } from '#kernel/problem';

/**
 * The body of a full replacement: the settable fields, and every other field of the resource as an optional read-only one. The type has
 * only the settable fields, because operations use no others.
 */
export function replacementOf<P extends TProperties>(
  settable: P,
  resource: TObject,
  title: string,
): TObject<P> {
  const others = Object.entries(resource.properties).filter(([name]) => !(name in settable));
  const readOnly = others.map(([name, schema]) => [
    name,
    Type.Optional(Type.Unsafe({ ...schema, readOnly: true })),
  ]);
  return closed({ ...settable, ...Object.fromEntries(readOnly) }, title);
}

/**
 * Throws a 400 that names every read-only field of the body whose value is not the stored one.
 * @param schema Made by `replacementOf`.
 * @param stored The resource under the lock of the change. It may have more fields than the schema shows.
 */
export function assertReadOnlyFields(schema: TObject, body: object, stored: object): void {
  const isReadOnly = (name: string) =>
    (schema.properties[name] as { readOnly?: boolean } | undefined)?.readOnly === true;
  const sent = Object.fromEntries(Object.entries(body).filter(([name]) => isReadOnly(name)));
  const changed = changedFields(shownBy(schema, stored) as Record<string, unknown>, sent);
  if (changed.length === 0) return;
  throw invalidRequest(
    changed.map((name) => ({
      code: 'INVALID_VALUE',
      path: `body.${name}`,
      message: 'is read-only: leave it out, or send the stored value',
    })),
  );
}

/** The part of a value that an answer with this schema shows. */
function shownBy(schema: ShownSchema, value: unknown): unknown {
  const { properties, items } = schema;
  if (items && Array.isArray(value)) return value.map((item) => shownBy(items, item));
  if (!properties || typeof value !== 'object' || value === null) return value;
  const shown = Object.entries(value).filter(([name]) => name in properties);
  return Object.fromEntries(shown.map(([name, part]) => [name, shownBy(properties[name] ?? {}, part)]));
}

interface ShownSchema {
  properties?: Record<string, ShownSchema>;
  items?: ShownSchema;
}
