/**
 * A chain of hashes. Each link has the hash over its content and the previous hash, and the end is sealed with a key that is not in the
 * database. An owner of the schema who changes or removes a link breaks the chain; one who recomputes the chain cannot seal it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** An end of a chain: the last position, and the hash there. */
export interface ChainEnd {
  position: number;
  hash: Buffer;
}

export interface ChainLink extends ChainEnd {
  previous_hash: Buffer;
}

/** The end of a chain as it is stored. */
export interface SealedEnd extends ChainEnd {
  seal: Buffer;
}

/** The end of an empty chain. */
export const CHAIN_START: ChainEnd = { position: 0, hash: Buffer.alloc(32) };

/** The seal of an end. `owner` is the platform that the chain belongs to, so the seal of another chain does not match. */
export function sealOf(key: Uint8Array, owner: number, { position, hash }: ChainEnd): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([owner, position, hash.toString('hex')]))
    .digest();
}

/** Null if the link continues the chain, otherwise a sentence. `computed` is the hash over the current content. */
export function linkFault(end: ChainEnd, link: ChainLink, computed: Buffer): string | null {
  const expected = end.position + 1;
  if (link.position !== expected)
    return link.position === expected + 1
      ? `Entry ${expected} is missing.`
      : `Entries ${expected} to ${link.position - 1} are missing.`;
  if (!link.hash.equals(computed)) return `Entry ${link.position} was changed.`;
  if (!link.previous_hash.equals(end.hash))
    return `Entry ${link.position} does not continue the entry before it.`;
  return null;
}

/** Null if the chain ends where its sealed head says, otherwise a sentence. */
export function headFault(
  key: Uint8Array,
  owner: number,
  end: ChainEnd,
  head: SealedEnd | undefined,
): string | null {
  if (head === undefined) return end.position === 0 ? null : 'The head of the chain is missing.';
  const seal = sealOf(key, owner, head);
  if (head.seal.length !== seal.length || !timingSafeEqual(head.seal, seal))
    return 'The head of the chain was not written by the service.';
  if (head.position > end.position)
    return `The chain ends at entry ${end.position}, and entry ${head.position} was its last.`;
  return head.position === end.position && head.hash.equals(end.hash)
    ? null
    : 'The chain does not end at its head.';
}
