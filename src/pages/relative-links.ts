/** Relative links: pages contain no token, and a proxy may add a path prefix. */

/** The first segment of a surface's addresses. */
export type Mount = 'checkout' | 'buyer';

export interface RelativeLinks {
  /** From the page to /checkout/, which contains the style sheet and the logos. */
  root: string;
  /** From the page to the folder of the token: /checkout/<token>/. */
  folder: string;
}

/** @param url The path of the request, with or without a query. */
export function relativeLinksOf(url: string, mount: Mount = 'checkout'): RelativeLinks {
  const depth = (url.split('?')[0] as string).split('/').length - 3;
  // Without a trailing slash, `/checkout` is a page of the parent folder.
  if (depth < 0) return { root: 'checkout/', folder: `${mount}/` };
  const toMount = '../'.repeat(depth);
  const root = mount === 'checkout' ? toMount : `${toMount}../checkout/`;
  return { root, folder: '../'.repeat(Math.max(0, depth - 1)) };
}
