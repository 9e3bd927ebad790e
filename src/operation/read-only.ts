/** Read, merge, send: a full replacement accepts the read-only fields of its resource, with their stored values. */
import { type TObject, type TProperties, Type } from 'typebox';
import { changedFields } from '#kernel/changes';
import { closed } from '#kernel/fields';
import { invalidRequest } from '#kernel/problem';

/**
 * The body of a full replacement: the settable fields, and every other field of the resource as an optional read-only
 * one. The type has the settable fields only, because an operation uses no others.
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
 * @param stored The resource as a read request shows it, under the lock of the change.
 */
export function assertReadOnlyFields(schema: TObject, body: object, stored: object): void {
  const isReadOnly = (name: string) =>
    (schema.properties[name] as { readOnly?: boolean } | undefined)?.readOnly === true;
  const sent = Object.fromEntries(Object.entries(body).filter(([name]) => isReadOnly(name)));
  const changed = changedFields<Record<string, unknown>>({ ...stored }, sent);
  if (changed.length === 0) return;
  throw invalidRequest(
    changed.map((name) => ({
      code: 'INVALID_VALUE',
      path: `body.${name}`,
      message: 'is read-only: leave it out, or send the stored value',
    })),
  );
}
