import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type MessageKey, type MessageValues, type Translator, translatorOf } from '#messages';
import { DISPUTE_REASONS } from '#modules/disputes';
import { mailExamples } from '#modules/notifications';
import { STORY_EMAIL } from '#test/account-story';
import { axeViolations } from '#test/axe';
import { hasBrowser, recordPage, takePicture } from '#test/browser';
import { useBuyerStory } from '#test/buyer-page-browser';
import { walker } from '#test/checkout-walk';
import { FILES } from '#test/files';
import { mailsOf, queueMailFor } from '#test/mails';
import { tabTo } from '#test/tab-to';

/** The same amount, 9.99, as a person types it in each language. */
const WALKS = [
  { language: 'EN', hasScript: true, amount: '9.99' },
  { language: 'DE', hasScript: false, amount: '9,99' },
  { language: 'AR', hasScript: false, amount: '٩٫٩٩' },
] as const;

const photo = { name: 'Palette 3.png', mimeType: 'image/png', buffer: FILES['image/png'] };

/** A person who presses only keys and reads the page in one language. */
function readerOf(page: Page, translator: Translator) {
  const { keyboard } = page;
  const { locale, direction, language } = translator;
  // Elements isolate values on the page, not characters.
  const text: Translator['text'] = (key, values) =>
    translator.text(key, values).replaceAll(/[\u2068\u2069]/g, '');
  const arrive = (key: MessageKey, values?: MessageValues) =>
    page.getByRole('heading', { level: 1, name: text(key, values), exact: true }).waitFor();
  return {
    arrive,
    text,
    async press(role: 'link' | 'button', key: MessageKey, values?: MessageValues): Promise<void> {
      await tabTo(page, page.getByRole(role, { name: text(key, values), exact: true }));
      await keyboard.press('Enter');
    },
    async type(field: string, typed: string): Promise<void> {
      await tabTo(page, field);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(typed);
    },
    /** Waits for the page with this heading, and checks it. */
    async see(state: string, key: MessageKey, values?: MessageValues): Promise<void> {
      await arrive(key, values);
      await takePicture(page, `buyer-keyboard-${language}-${state}`);
      expect(await axeViolations(page), state).toEqual([]);
      const root = 'document.documentElement';
      expect(
        await page.evaluate(`[${root}.lang, ${root}.dir, ${root}.scrollWidth - ${root}.clientWidth]`),
        `${state}: language, direction, width of the overflow`,
      ).toEqual([locale, direction, 0]);
    },
  };
}

type Reader = ReturnType<typeof readerOf>;

describe.skipIf(!hasBrowser)('the buyer’s page, with the keyboard only, on a phone', () => {
  const { browser, story, lastCode } = useBuyerStory();

  /** Shows the mail about the overdue invoice, and opens its link, in a new window. */
  async function openMail(mailPage: Page, translator: Translator): Promise<Page> {
    const { language, formality } = translator;
    const { world, buyer, overdue } = story();
    await world.put(`/v1/buyers/${buyer}/settings`, { language, formality });
    const cause = `walk-${language}`;
    await queueMailFor(world, world.platform.platform_id, {
      ...{ kind: 'reminder_overdue', content: mailExamples.reminder_overdue, cause, to: STORY_EMAIL },
      ...{ buyer, invoice: overdue, language, formality, now: world.clock.now(), baseUrl: world.baseUrl },
    });
    const mail = (await mailsOf(world)).find((each) => each.cause === cause);
    await mailPage.setContent(mail?.html ?? '');
    const [page] = await Promise.all([
      mailPage.waitForEvent('popup'),
      readerOf(mailPage, translator).press('link', 'mail.page_button'),
    ]);
    return page;
  }

  async function enterCode(page: Page, { press, type, see }: Reader, hasScript: boolean): Promise<void> {
    await see('code', 'code.title');
    await press('button', 'code.send');
    await page.locator('#f-code').waitFor();
    await see('code-sent', 'code.title');
    await type('#f-code', '12');
    await press('button', 'common.continue');
    await page.getByRole('alert').waitFor();
    await see('code-wrong', 'code.title');
    await type('#f-code', await lastCode());
    if (!hasScript) await press('button', 'common.continue');
  }

  async function dispute(page: Page, { press, text, type, see }: Reader, amount: string): Promise<void> {
    const { keyboard } = page;
    await press('link', 'dispute.open');
    await see('dispute', 'dispute.open');
    await press('button', 'dispute.send');
    await page.locator('#wrong:focus').waitFor();
    await see('dispute-refused', 'dispute.open');
    const missing = `${text('dispute.about')} ${text('error.choose')}`;
    await tabTo(page, page.getByRole('link', { name: missing, exact: true }));
    await keyboard.press('Enter');
    await page.locator('#f-about:focus').waitFor();
    await keyboard.press('ArrowDown');
    await tabTo(page, '#f-lines');
    await keyboard.press('Space');
    await type('#f-amount1', amount);
    await tabTo(page, '#f-reason');
    for (let at = -1; at < DISPUTE_REASONS.indexOf('WRONG_PRICE'); at++) await keyboard.press('ArrowDown');
    await type('#f-comment', 'Agreed on 20.');
    await tabTo(page, '#f-files');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Space')]);
    await chooser.setFiles([photo]);
    await see('dispute-filled', 'dispute.open');
    await press('button', 'dispute.send');
    await page.getByRole('status').waitFor();
  }

  const disputes = async () =>
    (await story().world.get(`/v1/invoices/${story().overdue}/disputes`)).body.items;

  it.each(WALKS)(
    'leads from the mail to a dispute and out, in $language, script: $hasScript',
    async ({ language, hasScript, amount }) => {
      const translator = translatorOf(language, 'NEUTRAL');
      const { page: mailPage, context } = await walker(browser(), { hasScript, width: 360 });
      const page = await openMail(mailPage, translator);
      const { faults } = recordPage(page);
      const reader = readerOf(page, translator);
      const { arrive, press, see } = reader;
      await enterCode(page, reader, hasScript);
      await see('invoice', 'account.invoice', { number: 'RE-2025-1009' });
      const total = await page.locator('.transfer .total').innerText();
      expect(total).toContain(translator.text('order.to_pay'));
      expect(total).toContain(translator.money(14_968, 'EUR'));
      await press('link', 'account.invoices');
      await see('invoices', 'account.title');
      await press('link', 'account.invoice', { number: 'RE-2025-1010' });
      await see('instalments', 'account.invoice', { number: 'RE-2025-1010' });
      await press('link', 'account.title');
      await arrive('account.title');
      await press('link', 'account.invoice', { number: 'RE-2025-1009' });
      await arrive('account.invoice', { number: 'RE-2025-1009' });
      await dispute(page, reader, amount);
      await see('disputed', 'account.invoice', { number: 'RE-2025-1009' });
      const given = { amount: 999, line_number: 1, reason: 'WRONG_PRICE', comment: 'Agreed on 20.' };
      expect(await disputes()).toContainEqual(expect.objectContaining({ ...given, status: 'OPEN' }));
      await tabTo(page, '.disputes summary');
      await page.keyboard.press('Enter');
      await press('button', 'dispute.withdraw');
      await page.locator('.disputes summary').waitFor({ state: 'detached' });
      expect((await disputes()).filter(({ status }: { status: string }) => status === 'OPEN')).toEqual([]);
      await see('withdrawn', 'account.invoice', { number: 'RE-2025-1009' });
      await press('link', 'account.credit');
      await see('credit', 'account.credit');
      await press('link', 'account.settings');
      await see('settings', 'account.settings');
      await press('button', 'account.save');
      await page.getByRole('status').getByText(translator.text('account.saved')).waitFor();
      await press('button', 'account.leave');
      await see('left', 'code.title');
      expect(faults.filter((fault) => !fault.includes('status of 422'))).toEqual([]);
      await context.close();
    },
  );
});
