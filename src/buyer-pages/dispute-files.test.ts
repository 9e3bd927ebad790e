import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { prunePageFiles } from '#modules/buyer-page';
import { STORY_EMAIL } from '#test/account-story';
import { buyerBody } from '#test/bodies';
import { openedPage, pageBrowser, pageToken } from '#test/buyer-page';
import {
  type DisputeForm,
  type FormField,
  fieldErrors,
  PDF_FILE,
  PNG_FILE,
  pageText,
  tellDisputeForm,
  WHOLE,
} from '#test/dispute-form';
import { FILES } from '#test/files';
import { readHtml } from '#test/html';

let form: DisputeForm;
beforeAll(async () => {
  form = await tellDisputeForm();
});
afterAll(() => form.close());
beforeEach(() => form.newInvoice());

describe('files', () => {
  const bytesOf = (text: string) => new File([text], 'photo.jpg', { type: 'image/jpeg' });

  it.each([
    ['of another type, whatever the name says', bytesOf('MZ\u0090 this program cannot be run')],
    ['of HTML that claims to be an image', bytesOf('<!doctype html><script>alert(1)</script>')],
    ['that were cut off', new File([new Uint8Array(FILES['image/png'].subarray(0, -8))], 'photo.png')],
    ['that are empty', new File([], 'photo.jpg')],
  ])('%s are refused, and the others kept', async (_, file) => {
    const refused = await form.send([...WHOLE, ['files', PDF_FILE], ['files', file]]);
    expect(fieldErrors(refused)).toEqual(['f-files-error']);
    expect(pageText(refused)).toContain(`${file.name} isn’t a valid PDF, JPEG, PNG or XML file.`);
    expect(pageText(refused)).toContain('Already uploaded delivery note.pdf');
    expect(await form.disputes()).toEqual([]);
  });

  it('get an ending of their type, and a name that shows itself whole', async () => {
    const name = '..\\..\\invoice\u202efdp.exe';
    await form.send([...WHOLE, ['files', new File([new Uint8Array(FILES['image/png'])], name)]]);
    expect((await form.files()).map(({ name }) => name)).toEqual(['invoicefdp.exe.png']);
  });

  it('are at most ten', async () => {
    const many = Array.from({ length: 11 }, (_, index): FormField => {
      const content = Buffer.concat([FILES['application/pdf'], Buffer.from(`% ${index}`)]);
      return ['files', new File([new Uint8Array(content)], `${index}.pdf`)];
    });
    const refused = await form.send([...WHOLE, ...many]);
    expect(fieldErrors(refused)).toEqual(['f-files-error']);
    expect(pageText(refused)).toContain('Up to 10 files, 20 MB in total.');
    expect(refused.text.match(/name="kept"/g)).toHaveLength(10);
  });

  it('of more than 20 MiB lose no text, and none of those before', async () => {
    const large = new File([new Uint8Array(21 * 1024 * 1024)], 'film.pdf');
    const refused = await form.send([...WHOLE, ['files', PNG_FILE], ['files', large]]);
    expect(fieldErrors(refused)).toEqual(['f-files-error']);
    expect(refused.text).toContain('Two bags were torn open.');
    expect(pageText(refused)).toContain('Already uploaded torn bags.png');
  });

  it('are pruned after a week, with their content', async () => {
    await form.send([
      ['about', ''],
      ['files', PNG_FILE],
    ]);
    const pruneIn = (seconds: number) =>
      prunePageFiles(form.world.installation.db, form.world.clock.now() + seconds, 1_000);
    expect([await pruneIn(0), (await form.kept()) > 0]).toEqual([0, true]);
    expect(await pruneIn(8 * 86_400)).toBeGreaterThan(0);
    expect(await form.kept()).toBe(0);
  });

  it('are the latest fifty of a buyer, whatever its forms', async () => {
    for (let nth = 0; nth < 6; nth++) {
      const many = Array.from({ length: 10 }, (_, index): FormField => {
        const content = Buffer.concat([FILES['application/pdf'], Buffer.from(`% ${nth} ${index}`)]);
        return ['files', new File([new Uint8Array(content)], `${index}.pdf`)];
      });
      await form.send([['about', ''], ...many]);
    }
    expect(await form.kept()).toBe(50);
  });
});

describe('what is no form', () => {
  const raw = (body: string | Buffer, type: string, path = `invoices/${form.invoice()}/dispute`) =>
    request(`${form.world.baseUrl}/buyer/${form.page.token}/${path}`, {
      ...{ method: 'POST', body },
      headers: { 'content-type': type, cookie: form.page.cookie() ?? '', 'sec-fetch-site': 'same-origin' },
    });

  it.each([
    ['no boundary', 'x', 'multipart/form-data', 400],
    ['another boundary', '--a\r\n\r\n--a--\r\n', 'multipart/form-data; boundary=b', 400],
    [
      'a part that never ends',
      '--a\r\nContent-Disposition: form-data; name="words"\r\n\r\nx',
      'multipart/form-data; boundary=a',
      400,
    ],
    [
      'more parts than fields',
      `${'--a\r\nContent-Disposition: form-data; name="words"\r\n\r\n\r\n'.repeat(2_001)}--a--\r\n`,
      'multipart/form-data; boundary=a',
      413,
    ],
    ['text', 'x', 'text/plain', 415],
    ['a form without files', 'about=INVOICE&reason=BORED', 'application/x-www-form-urlencoded', 422],
  ])('is answered: %s', async (_, body, type, status) => {
    const answer = await raw(body, type);
    const html = await answer.body.text();
    expect([answer.statusCode, readHtml(html).faults]).toEqual([status, []]);
  });

  it('is refused from another site, and before a code opened the page', async () => {
    const foreign = await form.page.send(`invoices/${form.invoice()}/dispute`, WHOLE, {
      'sec-fetch-site': 'cross-site',
    });
    expect(foreign.status).toBe(403);
    const locked = pageBrowser(form.world, pageToken(form.world, 'buyer', { to: STORY_EMAIL }));
    const reply = await locked.send(`invoices/${form.invoice()}/dispute`, [...WHOLE, ['files', PNG_FILE]]);
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '../../code']);
    expect(await form.disputes()).toEqual([]);
  });

  it('is unknown for an invoice of another buyer, and for a dispute of it', async () => {
    const company = { legal_name: 'Stranger GmbH', contact_email: 'stranger@stranger.example' };
    await form.world.post('/v1/buyers', buyerBody({ ...company, external_id: 'stranger' }));
    const stranger = await openedPage(form.world, 'stranger', 'stranger@stranger.example');
    await form.send(WHOLE);
    const dispute = (await form.disputes())[0]?.external_id;
    const path = `invoices/${form.invoice()}/dispute`;
    const replies = [
      await stranger.get(path),
      await stranger.send(path, WHOLE),
      await stranger.post(`invoices/${form.invoice()}/disputes/${dispute}/withdraw`),
      await form.page.post(`invoices/${form.invoice()}/disputes/nothing/withdraw`),
      await form.page.post(`invoices/overdue/disputes/${dispute}/withdraw`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(await form.disputes()).toMatchObject([{ status: 'OPEN' }]);
  });
});
