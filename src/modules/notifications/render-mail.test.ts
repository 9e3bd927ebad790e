import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { FORMALITIES, LANGUAGES } from '#kernel/language';
import type { MailKind } from '#kernel/mail-kind';
import { translatorOf } from '#messages';
import { MAIL_CASES } from '#test/mail-variants';
import type { MailContents } from './mail-contents.ts';
import { mailExamples } from './mail-examples.ts';
import { renderMail } from './render-mail.ts';

const branding = {
  name: 'Markthalle',
  logoUrl: 'https://credit.example.com/checkout/logos/a-0.png',
  color: null,
  reviewDays: 1,
};
const kinds = Object.keys(mailExamples) as MailKind[];
const english = translatorOf('EN', 'NEUTRAL');

const render = <Kind extends MailKind>(kind: Kind, more: Partial<MailContents[Kind]> = {}, of = branding) =>
  renderMail(kind, { ...mailExamples[kind], ...more }, english, of);

/** Wide characters count two. */
const widthOf = (line: string) =>
  [...line].reduce((sum, sign) => sum + (/[\u3000-\u30ff\u3400-\u9fff\uff00-\uff60]/.test(sign) ? 2 : 1), 0);

describe.each(LANGUAGES)('in %s', (language) => {
  it.each(MAIL_CASES)('$name is rendered in every formality', async ({ kind, contents }) => {
    for (const formality of FORMALITIES) {
      const translator = translatorOf(language, formality);
      const { subject, text, html } = await renderMail(kind, contents as never, translator, branding);
      expect(subject).toContain('Markthalle');
      expect(subject.length).toBeLessThanOrEqual(200);
      expect(html).toContain(`<html lang="${translator.locale}" dir="${translator.direction}">`);
      expect(text.trim().split('\n').length).toBeGreaterThan(8);
      expect(`${subject}${text}${html}`).not.toMatch(BROKEN);
      // Dates of some languages end in a full stop.
      expect(`${subject}\n${text}`).not.toMatch(/[^.]\.\.(?!\.)/);
      const wide = text.split('\n').filter((line) => !line.startsWith('https://') && widthOf(line) > 72);
      expect(wide).toEqual([]);
    }
  });
});

const BROKEN = /\{\w+[,}]|\b(undefined|null|NaN)\b|\[object/;

describe('a mail that lacks a value', () => {
  it.each(kinds)('%s shows no trace of it, or cannot be rendered', async (kind) => {
    const { missing, rendered } = await renderWithoutEach(kind);
    expect(missing.length).toBeGreaterThan(0);
    for (const { text, html, subject } of rendered) expect(`${subject}${text}${html}`).not.toMatch(BROKEN);
  });

  it('cannot be rendered in most cases', async () => {
    const all = await Promise.all(kinds.map(renderWithoutEach));
    const missing = all.flatMap((each) => each.missing).length;
    const rendered = all.flatMap((each) => each.rendered).length;
    expect(rendered).toBeLessThan(missing / 2);
  });
});

/** The kind without each of its values in turn, if it can be rendered. */
async function renderWithoutEach(kind: MailKind) {
  const missing = Object.keys(mailExamples[kind]);
  const rendered = [];
  for (const field of missing) {
    const mail = await render(kind, { [field]: undefined }).catch(() => null);
    if (mail) rendered.push({ field, ...mail });
  }
  return { missing, rendered };
}

describe('the text', () => {
  it('is complete without the HTML', async () => {
    const { text } = await render('order_confirmed');
    expect(text).toBe(`Thank you, your order is confirmed
----------------------------------

Hello Amina Yılmaz,

Your order order-1009 of €1,234.56 from Rösterei Nord is confirmed.

  Your order: order-1009
  Seller: Rösterei Nord
  Payment: Pay in 3 monthly instalments
  Espresso beans, 1 kg (40 × €25.00): €1,000.00
  Grinder: €37.44
  Total: €1,234.56
  Pay later fee: €17.99
  Total to pay: €1,252.55

Note:
  Deliver to the back door.
  Ring twice.

Payment schedule:
  20 December 2025: €429.51
  20 January 2026: €411.52
  20 February 2026: €411.52

The fee is included in the payment due on 20 December 2025.

View order:
https://credit.example.com/checkout/wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww

The link is valid until 27 November 2025. It’s just for you, so please
don’t share it.

Kind regards
Markthalle

-- 
You’re receiving this email because an order for Café Morgenrot GmbH was
started at Markthalle.
`);
  });

  it('has a URL on one line', async () => {
    const { text } = await render('checkout_invitation');
    expect(text).toContain(`\nGo to checkout:\n${mailExamples.checkout_invitation.url}\n`);
  });

  it('breaks between the characters of scripts without spaces', async () => {
    const { text } = await render('order_pending', { comment: '納品は裏口へお願いいたします。'.repeat(8) });
    const lines = text.split('\n').filter((line) => line.includes('納品'));
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.every((line) => widthOf(line) <= 74 && !line.startsWith('  。'))).toBe(true);
  });
});

describe('in Japanese and Chinese', () => {
  it.each(['JA', 'ZH'] as const)('%s: colons are as wide as the other characters', async (language) => {
    for (const kind of kinds) {
      const { text } = await renderMail(kind, mailExamples[kind], translatorOf(language, 'FORMAL'), branding);
      expect(text, kind).not.toMatch(/\p{Script=Han}:/u);
    }
  });
});

describe('in French', () => {
  it('a space that breaks no line is before every colon of facts, schedules, notes and buttons', async () => {
    for (const kind of kinds) {
      const { text } = await renderMail(kind, mailExamples[kind], translatorOf('FR', 'FORMAL'), branding);
      const bare = text.split('\n').filter((line) => /^[^:]*[^\u00a0]:(\s|$)/.test(line));
      expect(bare, kind).toEqual([]);
    }
    const { text } = await renderMail(
      'order_confirmed',
      mailExamples.order_confirmed,
      translatorOf('FR', 'FORMAL'),
      branding,
    );
    expect(text).toMatch(/^ {2}Total\u00a0: 1\u202f234,56\u00a0€$/m);
  });
});

describe('the content', () => {
  it('has no schedule and no fee if the buyer pays in advance', async () => {
    const { text, html } = await render('order_confirmed', {
      paymentTerm: 'PREPAYMENT',
      feeMinor: 0,
      comment: null,
    });
    expect(text).toContain('Payment: Pay in advance');
    for (const form of [text, html]) expect(form).not.toMatch(/Payment schedule|\bfee\b|Note/);
  });

  it('says what to transfer, where, until when and with which reference', async () => {
    const { subject, text } = await render('order_payment_due', { lines: [], comment: null });
    expect(subject).toBe('Payment for your Markthalle order order-1009');
    expect(text).toContain(`
  Total to pay: €1,234.56
  Account holder: Markthalle GmbH
  IBAN: DE89 3704 0044 0532 0130 00
  BIC: COBADEFFXXX
  Payment reference: order-1009
  Pay by: 20 December 2025
`);
    const { text: without } = await render('order_payment_due', { account: null });
    expect(without).toContain('Markthalle will send you the bank details separately.');
    expect(without).not.toContain('IBAN');
  });

  it('sums the lines beyond the first twenty, and greets nobody by an unknown name', async () => {
    const lines = Array.from({ length: 25 }, (_, index) => ({
      name: `Line ${index + 1}`,
      quantity: 2,
      priceMinor: 100,
    }));
    const { text } = await render('order_pending', { lines, recipient: null });
    expect(text).toContain('Line 20 (2 × €1.00): €2.00\n  5 more items: €10.00\n');
    expect(text).toContain('\nHello,\n');
  });

  it('has buttons and links in the colour of the platform', async () => {
    const { html } = await render('order_confirmed', {}, { ...branding, color: '#0a5c36' as never });
    expect(html).toContain('background:#0a5c36');
    expect(html).not.toContain('#1d4fd7');
  });

  it('names no unknown company', async () => {
    const { text } = await render('checkout_invitation', { company: null });
    expect(text).toContain('because an order was started at Markthalle.');
  });

  it('shows the logo only if it has a URL', async () => {
    expect((await render('order_pending')).html).toContain(`<img src="${branding.logoUrl}"`);
    expect((await render('order_pending', {}, { ...branding, logoUrl: null as never })).html).not.toContain(
      '<img',
    );
  });
});

const HOSTILE = [
  'a\r\nBcc: victim@example.com',
  'a\nBcc: victim@example.com\n\n<b>',
  'a\u2028b\u2029c\u0085d\u000be\u0000f',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "&lt;b&gt; &amp;amp; {number} {0, plural, other {x}} ICU '{'",
  '\u202egnp.exe\u2066\u200f',
  'x'.repeat(10_000),
  'a\tb 🦊👩‍👩‍👧‍👦',
  '\ud800',
];

describe.each(HOSTILE)('the foreign text %j', (hostile) => {
  it.each(kinds)('is harmless in %s', async (kind) => {
    const spoiled = Object.fromEntries(
      Object.entries(mailExamples[kind]).map(([name, value]) => [
        name,
        HOSTILE_FIELDS.includes(name)
          ? hostile
          : name === 'lines'
            ? (value as object[]).map((line) => ({ ...line, ['name' in line ? 'name' : 'invoice']: hostile }))
            : name === 'account'
              ? { ...(value as object), holder: hostile, bic: null }
              : name === 'notice'
                ? [hostile]
                : name === 'items' || name === 'charges'
                  ? (value as object[]).map((item) =>
                      Array.isArray(item) ? [hostile, hostile] : { ...item, number: hostile },
                    )
                  : value,
      ]),
    );
    const { subject, text, html } = await renderMail(kind, spoiled as never, english, {
      ...branding,
      name: hostile,
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there.
    expect(subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect([...subject].length).toBeLessThanOrEqual(200);
    // Within a paragraph, wrapping may begin a line with any word.
    expect(text).not.toMatch(/(^|\n\n)Bcc:/);
    expect(namesOf(html).filter((name) => !NAMES.test(name))).toEqual([]);
    expect(html.match(/<title>/g)).toHaveLength(1);
    const parsed = await PostalMime.parse(`Subject: ${subject}\r\n\r\n${text}`);
    expect(parsed.headers.map(({ key }) => key)).toEqual(['subject']);
  });
});

const HOSTILE_FIELDS = [
  ...[
    'number',
    'merchant',
    'company',
    'comment',
    'code',
    'recipient',
    'reference',
    'assignee',
    'type',
    'host',
  ],
];

/** The elements and attributes of our mails. */
const NAMES =
  /^(html|head|meta|title|style|body|div|table|tr|td|img|span|bdi|h1|h2|p|br|wbr|strong|a|lang|dir|charset|name|content|role|width|height|cellpadding|cellspacing|border|class|align|valign|src|alt|href|target|rel)$/;

function namesOf(html: string): string[] {
  return [...html.matchAll(/<([a-z][^\s>]*)([^>]*)>/gi)].flatMap(([, element = '', attributes = '']) => [
    element,
    ...[...attributes.replaceAll(/"[^"]*"/g, '').matchAll(/[^\s=]+/g)].map(([name]) => name),
  ]);
}
