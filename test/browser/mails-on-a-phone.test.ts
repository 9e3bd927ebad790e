/** Every mail in every language, on a screen of 360 px: the length of words differs, and the longest word sets the width of a table. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '#kernel/language';
import type { MailKind } from '#kernel/mail-kind';
import { translatorOf } from '#messages';
import { mailExamples } from '#modules/notifications';
import { hasBrowser, launchBrowser, takePicture } from '#test/browser';
import { patience } from '#test/patience';
import { renderMail } from '../../src/modules/notifications/render-mail.ts';

const BRANDING = { name: 'Markthalle – wholesale', logoUrl: null, color: null, reviewDays: 2 };
const KINDS = Object.keys(mailExamples) as MailKind[];

describe.skipIf(!hasBrowser)('the mails on a phone', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
    page.setDefaultTimeout(patience(10));
  });
  afterAll(() => browser?.close());

  it.each(LANGUAGES)('have room in %s', async (language) => {
    const translator = translatorOf(language, 'FORMAL');
    const tooWide: string[] = [];
    for (const kind of KINDS) {
      const { html } = await renderMail(kind, mailExamples[kind], translator, BRANDING);
      await page.setContent(html);
      if (kind === 'reminder_overdue') await takePicture(page, `reminder-phone-${language}`);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (overflow !== 0) tooWide.push(`${kind}: ${overflow} px`);
    }
    expect(tooWide).toEqual([]);
  });
});
