/** Compares the text of a PDF with the text from which it was typeset. */
import type { DocumentBody, DocumentPart } from '#infra/typesetting/document-body';
import { hasWords, plainOf, type ReadPdf } from './pdf.ts';

/** Texts in the order of the page. A table repeats its header, which comes first, on each page that it reaches. */
interface TextBlock {
  texts: string[];
  header?: string[];
}

function blockOf(part: DocumentPart): TextBlock {
  if ('heading' in part) return { texts: [part.heading] };
  if ('paragraph' in part) return { texts: [part.paragraph] };
  if ('note' in part) return { texts: [part.note] };
  if ('qrText' in part) return { texts: [...part.facts.flat(), part.caption] };
  if ('facts' in part) return { texts: part.facts.flat() };
  const header = part.columns.map(({ title }) => title);
  return { texts: [...header, ...part.rows.flatMap(({ cells }) => cells)], header };
}

const blocksOf = ({ sender, recipient, facts, title, parts }: DocumentBody): TextBlock[] => [
  { texts: [sender, ...recipient, ...facts.flat(), title] },
  ...parts.map(blockOf),
];

/** The same text twice, piece by piece and without white space: as it was written, and as a reader of the PDF extracts it. */
export interface ComparedText {
  written: string[];
  extracted: string[];
}

/** Arabic vowel marks. */
const VOWEL_MARKS = /[\u064b-\u0652\u0670]/g;
/** The body as documents show it: without vowel marks. */
const shownOf = (body: DocumentBody): DocumentBody =>
  JSON.parse(JSON.stringify(body).replace(VOWEL_MARKS, ''));

/** Right-to-left text counts as the same if its paragraph has the same words and letters, in any order. */
export function compareTexts(given: DocumentBody, { pageTexts }: Pick<ReadPdf, 'pageTexts'>): ComparedText {
  const body = shownOf(given);
  const isRightToLeft = new Intl.Locale(body.locale).language === 'ar';
  const blocks = blocksOf(body);
  const footers = pageTexts.map((_, index) => `${body.footer} ${index + 1} / ${pageTexts.length}`);
  const pieces = [...blocks.flatMap(({ texts }) => texts), ...footers];
  const extracted = cut(withoutRepetitions(blocks, footers, pageTexts.map(plainOf)), pieces.map(lengthOf));
  const written = pieces.map(plainOf);
  if (!isRightToLeft) return { written, extracted };
  const isSame = (piece: string, found = '') => hasLetters(piece, found) && hasWords(found, piece);
  return {
    written,
    extracted: extracted.map((found, index) =>
      isSame(pieces[index] ?? '', found) ? (written[index] ?? '') : found,
    ),
  };
}

const lengthOf = (text: string) => plainOf(text).length;
const sorted = (text: string) => [...plainOf(text)].sort().join('');
const hasLetters = (one: string, other: string) => sorted(one) === sorted(other);

/** The text of all pages, then their footers. Leaves out the headers that are repeated where a page begins within a table. */
function withoutRepetitions(blocks: TextBlock[], footers: string[], pages: string[]): string {
  let end = 0;
  const tables = blocks.flatMap(({ texts, header }) => {
    const start = end;
    end += lengthOf(texts.join(''));
    return header === undefined ? [] : [{ start, end, header: header.join('') }];
  });
  let said = '';
  let feet = '';
  for (const [index, page] of pages.entries()) {
    const table = tables.find((each) => each.start < said.length && said.length < each.end);
    const head = page.slice(0, lengthOf(table?.header ?? ''));
    const foot = page.length - lengthOf(footers[index] ?? '');
    said += page.slice(hasLetters(head, table?.header ?? '') ? head.length : 0, foot);
    feet += page.slice(foot);
  }
  return said + feet;
}

/** Cuts a text into pieces of these lengths, and what remains. */
function cut(text: string, lengths: number[]): string[] {
  let at = 0;
  const pieces = lengths.map((length) => {
    at += length;
    return text.slice(at - length, at);
  });
  return at < text.length ? [...pieces, text.slice(at)] : pieces;
}
