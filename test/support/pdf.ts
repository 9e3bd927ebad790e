/** Reads PDF documents with an independent reader: their text, their structure, and the look of a page. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { getDocument, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

const require = createRequire(import.meta.url);
const resources = dirname(require.resolve('pdfjs-dist/package.json'));
// Its types are for another module format.
const jsQR: typeof import('jsqr').default = require('jsqr');
/** Pixels per point. */
const SCALE = 2;

/** Invisible characters that control line breaks and directions. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u061c\u2066-\u2069]/g;

/** The text without white space, hyphens and invisible characters, so that line breaks do not matter. */
export const plainOf = (text: string) =>
  text
    .replace(INVISIBLE, '')
    .replace(/[\s\u2010-]+/gu, '')
    .normalize('NFKC');

const ARABIC = /\p{Script=Arabic}/u;
/** PDF readers turn brackets around. */
const BETWEEN_WORDS = /[\s()]+/;
const PUNCTUATION_AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * Whether a text has each word of another, in any order, because PDF readers return right-to-left text word by word. The letters of an
 * Arabic word may be in any order too: readers turn ligatures around.
 */
export function hasWords(text: string, expected: string): boolean {
  const said = plainOf(text);
  const sorted = (word: string) => [...word].sort().join('');
  return expected.split(BETWEEN_WORDS).every((word) => {
    const letters = plainOf(word.replace(PUNCTUATION_AROUND, ''));
    if (!ARABIC.test(letters)) return said.includes(letters);
    const starts = [...said].keys();
    return [...starts].some((at) => sorted(said.slice(at, at + letters.length)) === sorted(letters));
  });
}

interface StructureNode {
  role?: string;
  alt?: string;
  children?: StructureNode[];
}

export interface ReadPdf {
  pages: number;
  text: string;
  /** The text of each page. */
  pageTexts: string[];
  title: unknown;
  language: unknown;
  author: unknown;
  isTagged: boolean;
  /** The number of occurrences of each structure element. */
  roles: Record<string, number>;
  /** The alternative texts of pictures. */
  alternatives: string[];
  /** The texts of the QR codes, at most one for each page. */
  qrTexts: string[];
}

/** @param withQrCodes Also draws the pages, which takes a second each. */
export async function readPdf(bytes: Uint8Array, { withQrCodes = true } = {}): Promise<ReadPdf> {
  const loading = getDocument({
    data: new Uint8Array(bytes),
    cMapUrl: join(resources, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(resources, 'standard_fonts/'),
    verbosity: 0,
  });
  const document = await loading.promise;
  const { info } = await document.getMetadata();
  const named = info as Record<string, unknown>;
  const pageTexts: string[] = [];
  const found = { roles: {} as Record<string, number>, alternatives: [] as string[] };
  const qrTexts: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pageTexts.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
    visit((await page.getStructTree()) as StructureNode, found);
    const code = withQrCodes ? await qrCodeOf(page) : null;
    if (code !== null) qrTexts.push(code);
  }
  const marks = (await document.getMarkInfo()) as Map<string, boolean> | null;
  const answer = {
    pages: document.numPages,
    text: pageTexts.join(''),
    pageTexts,
    title: named.Title,
    language: named.Language,
    author: named.Author,
    isTagged: marks?.get('Marked') === true,
    ...found,
    qrTexts,
  };
  await loading.destroy();
  return answer;
}

async function qrCodeOf(page: PDFPageProxy): Promise<string | null> {
  const viewport = page.getViewport({ scale: SCALE });
  const canvas = createCanvas(viewport.width, viewport.height);
  const canvasContext = canvas.getContext('2d');
  await page.render({ canvas, canvasContext, viewport } as never).promise;
  const { data, width, height } = canvasContext.getImageData(0, 0, canvas.width, canvas.height);
  return jsQR(data as Uint8ClampedArray, width, height)?.data ?? null;
}

function visit(node: StructureNode | null, found: Pick<ReadPdf, 'roles' | 'alternatives'>): void {
  if (node === null) return;
  if (node.role) found.roles[node.role] = (found.roles[node.role] ?? 0) + 1;
  if (node.alt) found.alternatives.push(node.alt);
  for (const child of node.children ?? []) visit(child, found);
}
