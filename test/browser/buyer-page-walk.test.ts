import { describe, expect, it } from 'vitest';
import { STORY_EMAIL } from '#test/account-story';
import { hasBrowser } from '#test/browser';
import { pageToken } from '#test/buyer-page';
import { useBuyerStory } from '#test/buyer-page-browser';
import { heading, walker } from '#test/checkout-walk';

describe.skipIf(!hasBrowser)('a walk through the buyer’s page', () => {
  const { browser, story, lastCode } = useBuyerStory();

  const linkOf = () => {
    const { world, buyer } = story();
    return `${world.baseUrl}/buyer/${pageToken(world, buyer, { to: STORY_EMAIL, invoiceExternalId: 'overdue' })}`;
  };

  it.each([true, false])('leads from the mail to the money and out again, script: %s', async (hasScript) => {
    const { page, record, context } = await walker(browser(), { hasScript, width: 360 });
    await page.goto(linkOf());
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.locator('#f-code').fill('12');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').waitFor();
    await page.locator('#f-code').fill(await lastCode());
    if (!hasScript) await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, 'Invoice RE-2025-1009');
    expect(await page.locator('.transfer .total').innerText()).toMatch(/Total to pay\s+€149\.68/);
    await page.getByRole('link', { name: 'Invoices', exact: true }).click();
    await heading(page, 'Open invoices');
    await page.getByRole('link', { name: 'Invoice RE-2025-1010' }).click();
    await heading(page, 'Invoice RE-2025-1010');
    await page.getByRole('link', { name: 'Credit limit' }).click();
    await heading(page, 'Credit limit');
    expect(await page.locator('[aria-current=page]').innerText()).toBe('Credit limit');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Language').selectOption('DE');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Änderungen gespeichert.').waitFor();
    await page.getByLabel('Sprache').selectOption('EN');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('status').getByText('Changes saved.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Verify it’s you');
    await page.goBack();
    await page.reload();
    await heading(page, 'Verify it’s you');
    expect(record.faults.filter((fault) => !fault.includes('status of 422'))).toEqual([]);
    expect(record.referers).toEqual([]);
    await context.close();
  });

  it('says in a second browser how long to wait for a code of its own', async () => {
    const first = await walker(browser());
    await first.page.goto(linkOf());
    await first.page.getByRole('button', { name: 'Send code' }).click();
    await first.page.locator('#f-code').waitFor();
    const { page, record, context } = await walker(browser());
    await page.goto(linkOf());
    expect(await page.locator('#f-code').count()).toBe(0);
    expect(await page.getByText('You can request a new code in').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Send code' }).isDisabled()).toBe(true);
    expect(record.faults).toEqual([]);
    await first.context.close();
    await context.close();
  });
});
