import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Presses Tab until the element has the focus. Every element on the way must show its focus. */
export async function tabTo(page: Page, element: string | Locator): Promise<void> {
  const wanted = typeof element === 'string' ? page.locator(element) : element;
  for (let presses = 0; presses < 60; presses++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
    const unseen = await page.evaluate<string>(
      `(() => { const one = document.activeElement;
        return one === document.body || getComputedStyle(one).outlineStyle !== 'none' ? '' : one.outerHTML; })()`,
    );
    expect(unseen, 'has the focus and does not show it').toBe('');
  }
  throw new Error(`${element} cannot be reached.`);
}
