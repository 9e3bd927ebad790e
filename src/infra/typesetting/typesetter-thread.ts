/** Runs in a worker thread: typesets documents, one after the other, with the fonts in memory. */
import { readFileSync } from 'node:fs';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { runInThread } from '../thread.ts';
import type { DocumentBody, DocumentFact, DocumentPart } from './document-body.ts';
import { charactersOf } from './font-characters.ts';
import { readFonts } from './font-files.ts';
import { printableText } from './printable-text.ts';
import { qrDrawing } from './qr-drawing.ts';
import type { TypesettingAnswer } from './typesetter.ts';

/** The number of documents after which cached computations of one are dropped. */
const CACHE_DOCUMENTS = 4;

const fonts = readFonts();
const characters = new Set(fonts.flatMap(({ regular }) => [...charactersOf(regular)]));
const template = readFileSync(new URL('./document.typ', import.meta.url), 'utf8');
const compiler = NodeCompiler.create({
  fontArgs: [{ fontBlobs: fonts.flatMap(({ regular, bold }) => [regular, bold]) }],
});

/** The document as the template reads it. */
function templateData({ madeAt, locale, recipient, facts, parts, ...body }: DocumentBody): string {
  const { language, region } = new Intl.Locale(locale);
  const isRightToLeft = language === 'ar';
  const printable = (text: string) => printableText(text, { characters, isRightToLeft });
  const factsOf = (given: readonly DocumentFact[]) =>
    given.map(([name, value]) => [printable(name), printable(value)]);
  const partOf = (part: DocumentPart): unknown => {
    if ('qrText' in part)
      return { qr: qrDrawing(part.qrText), caption: printable(part.caption), facts: factsOf(part.facts) };
    if ('facts' in part) return { facts: factsOf(part.facts) };
    if ('columns' in part)
      return {
        columns: part.columns.map(({ title, ...layout }) => ({
          isWide: false,
          ...layout,
          title: printable(title),
        })),
        rows: part.rows.map(({ cells, isTotal = false }) => ({ cells: cells.map(printable), isTotal })),
      };
    if ('paragraph' in part && part.locale !== undefined)
      return { paragraph: printable(part.paragraph), language: new Intl.Locale(part.locale).language };
    const [name, text] = Object.entries(part)[0] as [string, string];
    return { [name]: printable(text) };
  };
  const made = new Date(madeAt * 1_000);
  return JSON.stringify({
    title: printable(body.title),
    sender: printable(body.sender),
    footer: printable(body.footer),
    language,
    region: region ?? null,
    date: [made.getUTCFullYear(), made.getUTCMonth() + 1, made.getUTCDate()],
    recipient: recipient.map(printable),
    facts: factsOf(facts),
    parts: parts.map(partOf),
  });
}

function typeset(body: DocumentBody): Uint8Array {
  const inputs = { data: templateData(body) };
  const compiled = compiler.compile({ mainFileContent: template, inputs, resetRead: true });
  const document = compiled.result;
  if (document === null) throw new Error(JSON.stringify(compiled.takeError()?.shortDiagnostics));
  const pdf = compiler.pdf(document, { pdfStandard: 'ua-1' });
  compiler.evictCache(CACHE_DOCUMENTS);
  // A copy: transferring a view would transfer the whole buffer.
  return new Uint8Array(pdf);
}

runInThread<DocumentBody, TypesettingAnswer>((body) => {
  try {
    return { pdf: typeset(body) };
  } catch (error) {
    return { failure: String(error) };
  }
});
