import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Presses Tab until the element has the focus. Every element on the way must show its focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
    await page.keyboard.press('Tab');
    const unseen = await page.evaluate<string>(
      `(() => { const one = document.activeElement;
        return one === document.body || getComputedStyle(one).outlineStyle !== 'none' ? '' : one.outerHTML; })()`,
    );
    expect(unseen, 'has the focus and does not show it').toBe('');
  }
  throw new Error(`${selector} cannot be reached.`);
}
