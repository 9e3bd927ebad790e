import { expect, it } from 'vitest';
import { relativeLinksOf } from './relative-links.ts';

it.each([
  ['/checkout', 'checkout/', 'checkout/'],
  ['/checkout/', '', ''],
  ['/checkout/token', '', ''],
  ['/checkout/token?a=/b/c', '', ''],
  ['/checkout/token/', '../', ''],
  ['/checkout/token/company', '../', ''],
  ['/checkout/token/company/search?query=a/b', '../../', '../'],
  ['/checkout/token/code/send', '../../', '../'],
])('links from %s to the root and to the folder of the token', (url, root, folder) => {
  expect(relativeLinksOf(url)).toEqual({ root, folder });
  const from = new URL(url, 'https://pay.example');
  expect(new URL(`${root}assets/x.css`, from).pathname).toBe('/checkout/assets/x.css');
});
