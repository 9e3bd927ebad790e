/** Relative links: pages contain no token, and a proxy may add a path prefix. */

export interface RelativeLinks {
  /** From the page to /checkout/. */
  root: string;
  /** From the page to /checkout/<token>/. */
  folder: string;
}

/** @param url The path of the request, with or without a query. */
export function relativeLinksOf(url: string): RelativeLinks {
  const depth = (url.split('?')[0] as string).split('/').length - 3;
  // Without a slash after it, `/checkout` is a page of the folder above.
  if (depth < 0) return { root: 'checkout/', folder: 'checkout/' };
  return { root: '../'.repeat(Math.max(0, depth)), folder: '../'.repeat(Math.max(0, depth - 1)) };
}
