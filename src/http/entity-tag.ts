/** Entity tags: the version of a resource in `ETag`, `If-Match` and `If-None-Match` (RFC 9110 §8.8.3, §13.1). */
import { Problem } from '#kernel/problem';

/** `If-Match` as a check: `*` and no header pass, a list passes when it has the version. Weak tags never match. */
export function versionAssertion(ifMatch: string | undefined): (version: number) => void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => {};
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return (version) => {
    if (!tags.includes(etagOf(version))) throw new Problem('PRECONDITION_FAILED');
  };
}

export function etagOf(version: number): string {
  return `"${version}"`;
}
