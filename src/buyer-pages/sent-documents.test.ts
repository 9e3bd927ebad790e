/** The documents sent about an invoice, on the page of its buyer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountStory, STORY_EMAIL, tellAccountStory } from '#test/account-story';
import { invoiceBody } from '#test/bodies';
import { englishBuyer, openedPage, type PageBrowser, pageBrowser } from '#test/buyer-page';
import { addFiledDocument } from '#test/filed-documents';
import { readHtml } from '#test/html';

let story: AccountStory;
let page: PageBrowser;
beforeAll(async () => {
  story = await tellAccountStory();
  page = await openedPage(story.world, story.buyer, STORY_EMAIL);
});
afterAll(() => story.close());

describe('an invoice', () => {
  it('offers what was sent about it, in the language of that mail', async () => {
    const { world, buyer } = story;
    const { text } = await page.get('invoices/overdue');
    expect(text).toContain(
      '<a href="../invoices/overdue/documents/notice" download><bdi lang="en">Notice of assignment</bdi></a>',
    );
    expect(readHtml(text).text.replaceAll(/\s+/g, ' ')).toContain('Notice of assignment · 20 November 2025');
    const { status, headers } = await page.get('invoices/overdue/documents/notice');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''assignment-notice-overdue-2025-11-20.pdf",
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
    });
    const { platform_id } = world.platform;
    await world.post('/v1/buyers', englishBuyer({ external_id: 'addressee' }));
    const theirs = { external_id: 'of-an-addressee', buyer_external_id: 'addressee' };
    await world.post('/v1/invoices', invoiceBody(theirs));
    await addFiledDocument(world, platform_id, {
      ...{ documentId: 'their-notice', invoice: 'of-an-addressee', buyer: 'addressee' },
    });
    await addFiledDocument(world, platform_id, { documentId: 'unsent', invoice: 'overdue', buyer });
    await world.sql(
      "delete from notice_handovers where notice_id in (select notice_id from notices where cause like '%/unsent')",
    );
    expect((await page.get('invoices/overdue')).text).not.toContain('documents/unsent');
    for (const path of [
      'invoices/of-an-addressee/documents/their-notice',
      'invoices/overdue/documents/their-notice',
      'invoices/split/documents/notice',
      ...['unsent', 'unknown', '%00'].map((id) => `invoices/overdue/documents/${id}`),
    ])
      expect([path, (await page.get(path)).status]).toEqual([path, 404]);
    const locked = pageBrowser(world, page.token);
    expect((await locked.get('invoices/overdue/documents/notice')).status).toBe(303);
  });
});
