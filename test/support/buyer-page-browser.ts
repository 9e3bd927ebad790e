/** The buyer's page in a real browser. */
import type { BrowserContext } from 'playwright-core';
import type { PageBrowser } from './buyer-page.ts';
import type { World } from './world.ts';

/** Gives the browser the session of an opened page. Returns the page's address, which ends with a slash. */
export async function enterBuyerPage(
  context: BrowserContext,
  { baseUrl }: World,
  opened: PageBrowser,
): Promise<string> {
  const [name = '', value = ''] = opened.cookie()?.split('=') ?? [];
  const address = `${baseUrl}/buyer/${opened.token}/`;
  await context.addCookies([{ name, value, url: address }]);
  return address;
}
