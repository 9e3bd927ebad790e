/** The buyer's page in a real browser. */
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type AccountStory, STORY_EMAIL, STORY_NOW, tellAccountStory } from './account-story.ts';
import { launchBrowser } from './browser.ts';
import { type PageBrowser, pageCodes } from './buyer-page.ts';
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

/** A browser and the story of a buyer, for the tests of a file. Each test begins an hour after the one before, so that another code may be sent. */
export function useBuyerStory() {
  let browser: Browser;
  let story: AccountStory;
  let hours = 0;
  beforeAll(async () => {
    [story, browser] = await Promise.all([tellAccountStory(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await story?.close();
  });
  beforeEach(() => story.world.clock.set(STORY_NOW + 3_600 * ++hours));
  return {
    browser: () => browser,
    story: () => story,
    /** The code that was mailed last. */
    lastCode: async () => (await pageCodes(story.world, STORY_EMAIL)).at(-1) ?? '',
  };
}
