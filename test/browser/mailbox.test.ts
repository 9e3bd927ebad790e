import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Language } from '#kernel/language';
import type { MailKind } from '#kernel/mail-kind';
import { mailExamples } from '#modules/notifications';
import { hasBrowser, launchBrowser, recordPage, takePicture } from '#test/browser';
import { mailsOf, queueMailFor, untilSent } from '#test/mails';
import { patience } from '#test/patience';
import { createWorld, type World } from '#test/world';
import { mailboxUrl } from '../../src/mailbox/access.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const HOSTILE = [
  '"><script>document.title="hacked"</script>',
  '</title></style></textarea><img src=x onerror=\'document.title="hacked"\'>',
  '<svg onload=alert(1)><style>@import "https://evil.example/x.css"</style>',
  'javascript:alert(1)\u202e\r\nBcc: eve@evil.example',
];

describe.skipIf(!hasBrowser)('the mailbox in a browser', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([
      createWorld({ platform: { name: 'Markthalle – wholesale for gastronomy' } }),
      launchBrowser(),
    ]);
    world.clock.set(1_763_640_000);
    for (const kind of Object.keys(mailExamples) as MailKind[]) await queue(kind, 'EN');
    await queue('order_confirmed', 'AR');
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  async function queue<Kind extends MailKind>(kind: Kind, language: Language, more: object = {}) {
    world.clock.set(world.clock.now() + 60);
    const to = 'anna.berg@cafe-morgenrot.example';
    await queueMailFor(world, world.platform.platform_id, {
      cause: `${kind}/${language}/${JSON.stringify(more)}`,
      kind,
      to,
      language: language,
      formality: 'NEUTRAL',
      content: { ...mailExamples[kind], ...more },
      now: world.clock.now(),
      baseUrl: world.baseUrl,
    });
    await untilSent(world);
  }

  async function open(options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext({ viewport: { width: 1180, height: 900 }, ...options });
    context.setDefaultTimeout(patience(10));
    const page = await context.newPage();
    const record = recordPage(page);
    await page.goto(mailboxUrl(world.installation.vault, world.platform, world.baseUrl));
    return { page, record, close: () => context.close() };
  }

  async function violationsOf(page: Page): Promise<unknown[]> {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      // biome-ignore lint/suspicious/noExplicitAny: the line above adds axe to the page.
      const { violations } = await (globalThis as any).axe.run({ exclude: ['iframe'] });
      // biome-ignore lint/suspicious/noExplicitAny: axe has no types here.
      return violations.map(({ id, nodes }: any) => [id, nodes.map((node: any) => node.html)]);
    });
  }

  describe.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }],
    ['phone-dark', { colorScheme: 'dark', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }],
  ] as const)('%s', (name, options) => {
    it('lists mails and shows each, without errors or foreign requests', async () => {
      const { page, record, close } = await open(options);
      await page.getByRole('heading', { name: 'Messages' }).waitFor();
      expect(page.url()).toBe(`${world.baseUrl}/sandbox/mailbox`);
      await takePicture(page, `mailbox-${name}`);
      const mails = await mailsOf(world);
      for (const [index, mail] of mails.entries()) {
        await page.goto(`${world.baseUrl}/sandbox/mailbox/${mail.mailId}`);
        const frame = page.frameLocator('iframe');
        await frame.locator('h1').waitFor();
        expect(await overflowOf(page)).toBeLessThanOrEqual(0);
        const body = await openMail(page);
        await takePicture(body, `mail-${name}-${index}-${mail.kind}`);
        expect(await overflowOf(body)).toBeLessThanOrEqual(0);
        await body.close();
      }
      await takePicture(page, `mailbox-${name}-message`);
      expect(record.faults).toEqual([]);
      expect(record.requests.filter((url) => !url.startsWith(`${world.baseUrl}/`))).toEqual([]);
      await close();
    });
  });

  it.each(['light', 'dark'] as const)('has no violation for axe in %s', async (colorScheme) => {
    const { page, close } = await open({ colorScheme, bypassCSP: true });
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('listitem').first().getByRole('link').click();
    await page.getByRole('heading', { name: 'As HTML' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const body = await openMail(page);
    expect(await violationsOf(body)).toEqual([]);
    await page.context().clearCookies();
    await page.goto(`${world.baseUrl}/sandbox/mailbox`);
    expect(await violationsOf(page)).toEqual([]);
    await close();
  });

  it('opens with a typed key, by keyboard, without script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${world.baseUrl}/sandbox/mailbox`);
    await page.getByLabel('API key').focus();
    await page.keyboard.type('tl_test_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This is not an API key').waitFor();
    await takePicture(page, 'mailbox-sign-in');
    await page.getByLabel('API key').focus();
    await page.keyboard.type(world.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    await context.close();
  });

  it('shows the logo of the platform', async () => {
    await addLogo(world);
    await queue('order_pending', 'EN', { number: 'with-logo' });
    const { page, record, close } = await open({ colorScheme: 'dark' });
    await page.getByRole('listitem').first().getByRole('link').click();
    const logo = page.frameLocator('iframe').locator('img');
    await logo.waitFor();
    expect(await logo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(
      1,
    );
    await takePicture(page, 'mailbox-logo');
    expect(record.faults).toEqual([]);
    await world.sql('update platforms set logo_url = null');
    await close();
  });

  it('opens a link of a mail in the top window', async () => {
    const url = `${world.baseUrl}/docs/errors`;
    await queue('checkout_invitation', 'EN', { url });
    const { page, close } = await open();
    await page.getByRole('listitem').first().getByRole('link').click();
    await page.frameLocator('iframe').getByRole('link', { name: 'Go to checkout' }).click();
    await page.waitForURL(url);
    await close();
  });

  it.each(HOSTILE)('shows %j as text only', async (text) => {
    await queue('order_confirmed', 'EN', { number: text, merchant: text, company: text, comment: text });
    const { page, record, close } = await open();
    await page.getByRole('listitem').first().getByRole('link').click();
    await page.frameLocator('iframe').locator('h1').waitFor();
    const body = await openMail(page);
    expect(await body.title()).not.toBe('hacked');
    expect(await body.locator('script, svg, img').count()).toBe(0);
    expect(record.faults).toEqual([]);
    expect(record.requests.filter((url) => !url.startsWith(`${world.baseUrl}/`))).toEqual([]);
    const newest = (await mailsOf(world)).at(-1);
    expect(newest?.subject).not.toMatch(/[\r\n\u202e]/);
    await close();
  });

  /** The HTML of the message alone, as a mail program shows it. */
  async function openMail(page: Page): Promise<Page> {
    const body = await page.context().newPage();
    await body.goto(`${page.url()}/html`);
    return body;
  }

  const overflowOf = (page: Page) =>
    page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
});

/** A logo of one white pixel. */
async function addLogo(world: World): Promise<void> {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';
  const { platform_id, code } = world.platform;
  const content = Buffer.from(png, 'base64');
  const [logo] = await world.sql<{ name: string }>(
    `insert into platform_logos (platform_id, media_type, content, sha256, created_at)
      values ($1, 'image/png', $2, sha256($2), 1) returning left(encode(sha256, 'hex'), 16) as name`,
    [platform_id, content],
  );
  await world.sql('update platforms set logo_url = $2 where platform_id = $1', [
    platform_id,
    `/checkout/logos/${code}-${logo?.name}.png`,
  ]);
}
