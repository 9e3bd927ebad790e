/** Entity tags: a resource's version in `ETag`, `If-Match` and `If-None-Match` (RFC 9110 §8.8.3, §13.1). */
import { createHash } from 'node:crypto';
import { Problem } from '#kernel/problem';
import type { OperationResult } from '#operation/operation';
import type { Encoding } from './compression.ts';

/**
 * `"3"` for version 3; null for a result without a version. If the answer shows data that the version does not cover, a digest follows:
 * `"3-5f0e8c1f9d0c"`.
 */
export function etagOf(
  { version, isBeyondVersion }: OperationResult<unknown>,
  payload: string,
): string | null {
  if (version === undefined) return null;
  return isBeyondVersion ? `"${version}-${digestOf(payload)}"` : `"${version}"`;
}

const digestOf = (payload: string) => createHash('sha256').update(payload).digest('hex').slice(0, 12);

/** A strong tag differs between codings (RFC 9110 §8.8.3.3): `"3"` becomes `"3-br"`. */
export function encodedEtag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}

const CODING = /-(?:br|gzip)"$/;
const VERSION = /^"(\d+)(?:-[\w-]+)?"$/;

/**
 * `If-Match` as a check that throws PRECONDITION_FAILED. No header and `*` pass; a list passes if one of its tags has the version,
 * regardless of what follows it in the tag. Weak tags never match.
 */
export function versionAssertion(ifMatch: string | undefined): (version: number) => void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return passAny;
  const versions = tagsIn(ifMatch).map((tag) => VERSION.exec(tag)?.[1]);
  return (version) => {
    if (!versions.includes(String(version))) throw new Problem('PRECONDITION_FAILED');
  };
}

const passAny = () => {};

/** Whether an `If-None-Match` header has the answer's tag, in any coding: the client's copy is still valid. */
export function matchesNoneMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '').replace(CODING, '"') === etag);
}

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim());
