/** Where a page stands: its links are relative, so that no token is written into it, and a proxy may add a path in front. */

export interface RelativeLinks {
  /** From the page to /checkout/. */
  root: string;
  /** From the page to /checkout/<token>/. */
  folder: string;
}

/** @param url The path of the request, with or without a query. */
export function relativeLinksOf(url: string): RelativeLinks {
  const depth = (url.split('?')[0] as string).split('/').length - 3;
  return { root: '../'.repeat(Math.max(0, depth)), folder: '../'.repeat(Math.max(0, depth - 1)) };
}
