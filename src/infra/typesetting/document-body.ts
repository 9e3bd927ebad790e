/** The content of a document in parts, from which a PDF is typeset. Every text is plain: nothing in it is markup. */

/** A name and what it is, such as the day of the document. */
export type DocumentFact = [name: string, value: string];

export interface DocumentColumn {
  title: string;
  /** `end`: numbers, at the end of the line in the direction of the language. */
  align: 'start' | 'end';
  /** It takes what the others leave. One column has it. */
  isWide?: boolean;
}

export interface DocumentRow {
  cells: string[];
  /** A balance or a total: it stands out. */
  isTotal?: boolean;
}

export type DocumentPart =
  | { heading: string }
  /** `locale`: where it is in another language than the document. */
  | { paragraph: string; locale?: string }
  /** Small print. */
  | { note: string }
  | { facts: DocumentFact[] }
  | { columns: DocumentColumn[]; rows: DocumentRow[] }
  /** Facts with a QR code beside them. `caption` is also what a screen reader says instead of the code. */
  | { qrText: string; caption: string; facts: DocumentFact[] };

export interface DocumentBody {
  title: string;
  /** BCP 47: it decides fonts, hyphenation, the direction, and the voice of a screen reader. */
  locale: string;
  /** When the document was made, in unix seconds: it is in the file, so that the same content is the same bytes. */
  madeAt: number;
  /** Who writes: at the head of the first page, and the author of the file. */
  sender: string;
  /** Name and address, line by line. */
  recipient: string[];
  /** Beside the recipient. */
  facts: DocumentFact[];
  parts: DocumentPart[];
  /** At the foot of each page, beside its number. */
  footer: string;
}
