/** Cursors of lists: the position at which a page ended. The next page begins after it, regardless of rows added before it since then. */
import { timingSafeEqual } from 'node:crypto';
import type { PlatformVault } from '#infra/secrets/vault';
import { invalidRequest } from '#kernel/problem';

/** The value that identifies a row in its list. */
export type ListKey = string | number;

/** The last item of a page. */
export interface ListPosition {
  /** As in `sort_by`. */
  sort: string;
  /** The value of the sort column. */
  value: string | number | null;
  key: ListKey;
}

const PROOF_BYTES = 9;

/** A cursor for the position. It is authenticated with the platform's key, so that a cursor of another list or platform is refused. */
export function cursorOf(vault: PlatformVault, list: string, { sort, value, key }: ListPosition): string {
  const text = Buffer.from(JSON.stringify([sort, value, key]));
  return Buffer.concat([proofOf(vault, list, text), text]).toString('base64url');
}

/** Throws INVALID_REQUEST for a cursor of another list, another platform or another order. */
export function readCursor(vault: PlatformVault, list: string, cursor: string, sort: string): ListPosition {
  const bytes = Buffer.from(cursor, 'base64url');
  const [proof, text] = [bytes.subarray(0, PROOF_BYTES), bytes.subarray(PROOF_BYTES)];
  if (proof.length < PROOF_BYTES || !timingSafeEqual(proof, proofOf(vault, list, text)))
    throw refused('is not a cursor of this list: pass `next` of a page unchanged');
  const [sorted, value, key] = JSON.parse(text.toString()) as [string, string | number | null, ListKey];
  if (sorted !== sort) throw refused(`belongs to a list sorted by ${sorted}: pass the same sort_by with it`);
  return { sort, value, key };
}

const proofOf = (vault: PlatformVault, list: string, text: Uint8Array): Buffer =>
  vault.mac(`list-cursor/${list}`, Buffer.from(text).toString()).subarray(0, PROOF_BYTES);

const refused = (message: string) =>
  invalidRequest([{ code: 'INVALID_VALUE', path: 'query.after', message }]);
