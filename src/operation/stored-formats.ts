/** Read, merge, send: a full replacement accepts stored values that lack the format of their country. */
import { isDeepStrictEqual } from 'node:util';
import { type Issue, invalidRequest } from '#kernel/problem';

type Part = Record<string, unknown> | undefined;

/**
 * Throws a 400 with the issues of values that differ from the stored ones. So a caller can send back unchanged values from registries, or
 * values that are older than the format check.
 * @param issues Issues of country formats, with paths such as `body.business_address.postcode`.
 */
export function assertFormatsOfNew(issues: readonly Issue[] | undefined, body: object, stored: object): void {
  const changed = (issues ?? []).filter(({ path }) => !isStored(path.split('.').slice(1, -1), body, stored));
  if (changed.length > 0) throw invalidRequest(changed);
}

function isStored([field = '', position]: string[], body: object, stored: object): boolean {
  const [sent, kept] = [body, stored].map((each) => (each as Record<string, unknown>)[field]);
  if (position !== undefined && Array.isArray(sent) && Array.isArray(kept))
    return kept.some((each) => isDeepStrictEqual(each, sent[Number(position)]));
  const [one, other] = [sent as Part, kept as Part];
  return one?.postcode === other?.postcode && one?.country === other?.country;
}
