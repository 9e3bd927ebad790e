import { describe, expect, it } from 'vitest';
import { plainOf, readPdf } from '#test/pdf';
import type { DocumentBody } from './document-body.ts';
import { typesetDocument } from './typesetter.ts';

const EPC =
  'BCD\n002\n1\nSCT\nCOBADEFFXXX\nMarkthalle GmbH\nDE89370400440532013000\nEUR1190.00\n\nRF18539007547034';

function bodyOf(more: Partial<DocumentBody> = {}): DocumentBody {
  return {
    title: 'Statement of account',
    locale: 'en-GB',
    madeAt: 1_763_640_000,
    sender: 'Markthalle',
    recipient: ['Café Morgenrot eG', 'Hauptstraße 1'],
    facts: [['Date', '20 November 2025']],
    footer: 'Markthalle',
    parts: [
      { heading: 'Entries' },
      {
        columns: [
          { title: 'Description', align: 'start', isWide: true },
          { title: 'Amount', align: 'end' },
        ],
        rows: [{ cells: ['Invoice 1', '€119.00'] }, { cells: ['Total', '€119.00'], isTotal: true }],
      },
      { paragraph: 'Thank you.' },
      { note: 'Small print.' },
      { qrText: EPC, caption: 'Scan to pay', facts: [['IBAN', 'DE89 3704 0044 0532 0130 00']] },
    ],
    ...more,
  };
}

describe('a document', () => {
  it('is the same bytes for the same content, also when others are typeset between', async () => {
    const [one, other, again] = await Promise.all([
      typesetDocument(bodyOf()),
      typesetDocument(bodyOf({ title: 'Another' })),
      typesetDocument(bodyOf()),
    ]);
    expect(again.equals(one)).toBe(true);
    expect(other.equals(one)).toBe(false);
  });

  it('has a title, a language, and a structure with headings and headers of tables', async () => {
    const pdf = await readPdf(await typesetDocument(bodyOf()));
    expect(pdf).toMatchObject({
      ...{ pages: 1, title: 'Statement of account', language: 'en-GB', author: 'Markthalle', isTagged: true },
      roles: { Document: 1, H1: 1, Table: 1, TH: 2, TD: 4, Figure: 1 },
      alternatives: ['Scan to pay'],
      qrTexts: [EPC],
    });
  });

  it('repeats the headers of a table on each page', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({ cells: [`Row ${index}`, '1'] }));
    const columns = [
      { title: 'Description', align: 'start' as const, isWide: true },
      { title: 'Amount', align: 'end' as const },
    ];
    const bytes = await typesetDocument(bodyOf({ parts: [{ columns, rows }] }));
    const { pages, text } = await readPdf(bytes, { withQrCodes: false });
    expect(pages).toBeGreaterThan(2);
    expect(text.split('Description')).toHaveLength(pages + 1);
    expect(text).toContain('Row 119');
    expect(bytes.length / pages).toBeLessThan(200_000);
  });
});

describe('a hostile text', () => {
  const shown = async (name: string, locale = 'en-GB') =>
    (await readPdf(await typesetDocument(bodyOf({ recipient: [name], locale })), { withQrCodes: false }))
      .text;

  it.each([
    ['markup of HTML', '<b onclick="x">&amp; Co</b>'],
    ['markup of Typst', '#panic("x") *bold* $1/0$ \\ // @label #{ // [x'],
    ['a script of JSON', '"}],"title":"x'],
  ])('is shown as it is: %s', async (_, name) => {
    expect(plainOf(await shown(name))).toContain(plainOf(name));
  });

  it('is cut off after 1,000 characters, and breaks inside its column', async () => {
    const text = plainOf(await shown('x'.repeat(10_000)));
    expect(text.match(/x{999}\.\.\./)).not.toBeNull();
    expect(text).not.toContain('x'.repeat(1_000));
  });

  it('shows a replacement for characters that no font has', async () => {
    expect(await shown('A 😀 ไทย B')).toContain('A � ��� B');
    expect(await shown('ไทย', 'ar')).toContain('�');
  });

  it('is without Arabic vowel marks, which readers would extract twice', async () => {
    const text = plainOf(await shown('مرحبًا', 'ar'));
    expect([...text].filter((letter) => letter === 'ب')).toHaveLength(1);
    expect(text).not.toMatch(/[\u064b-\u0652]/);
  });

  it('cannot turn the direction of what follows', async () => {
    expect(plainOf(await shown('abc \u202e\u202d\u0000\u2028 xyz'))).toContain('abcxyz');
  });

  it.each(['', ' ', '\u200b', '\ufe0f', '\u0301', 'ـ'])('may be almost nothing: %j', async (name) => {
    expect(await shown(name)).toContain('Markthalle');
  });
});

it('a text that no QR code holds refuses its own document only', async () => {
  const qr = { qrText: 'x'.repeat(3_000), caption: 'Scan', facts: [] };
  await expect(typesetDocument(bodyOf({ parts: [qr] }))).rejects.toThrow('could not be typeset');
  expect((await typesetDocument(bodyOf())).subarray(0, 5).toString()).toBe('%PDF-');
});
