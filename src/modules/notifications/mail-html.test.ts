import { describe, expect, it } from 'vitest';
import { FORMALITIES, LANGUAGES } from '#kernel/language';
import { translatorOf } from '#messages';
import { faultsOfMailHtml, skeletonOf } from '#test/html-validity';
import { MAIL_CASES } from '#test/mail-variants';
import { renderMail } from './render-mail.ts';

const branding = {
  name: 'Markthalle & Söhne <b>',
  logoUrl: 'https://credit.example.com/checkout/logos/a-0.png',
  color: '#0a5c36',
  reviewDays: 2,
};
const PAGE_LINK = 'https://credit.example.com/buyer/x';

/** The tags found valid. A word that is broken elsewhere changes tags, most other words do not. */
const valid = new Set<string>();
let checked = 0;

describe('the HTML of every mail', () => {
  it.each(LANGUAGES)('is valid in %s, in every formality', async (language) => {
    const faults: string[] = [];
    for (const { kind, contents, name } of MAIL_CASES)
      for (const formality of FORMALITIES) {
        const translator = translatorOf(language, formality);
        const { html } = await renderMail(kind, contents as never, translator, branding, PAGE_LINK);
        const skeleton = skeletonOf(html);
        if (valid.has(skeleton)) continue;
        const found = await faultsOfMailHtml(html);
        if (found.length === 0) valid.add(skeleton);
        checked += 1;
        faults.push(...found.map((fault) => `${name} ${formality}: ${fault}`));
      }
    expect(faults).toEqual([]);
  });

  it('was checked', () => {
    expect(checked).toBeGreaterThan(MAIL_CASES.length);
  });
});

describe('a fault', () => {
  it.each([
    ['a table row that is not closed by its table', '<table role="presentation"><tr><td>x</p></table>'],
    ['an image without words for it', '<img src="https://a.example/b.png">'],
    ['the same id twice', '<p id="a">x</p><p id="a">y</p>'],
    ['a block in a paragraph', '<p>x<table><tr><td>y</td></tr></table></p>'],
    ['an attribute twice', '<p class="a" class="b">x</p>'],
  ])('is found: %s', async (_, part) => {
    const page = (body: string) =>
      `<!doctype html>\n<html lang="en"><head><title>x</title></head><body>${body}</body></html>\n`;
    expect(await faultsOfMailHtml(page('<p>x</p>'))).toEqual([]);
    expect(await faultsOfMailHtml(page(part))).not.toEqual([]);
  });
});
