/** The content of a document in parts, from which a PDF is typeset. Every text is plain: nothing in it is markup. */

/** A label and its value, such as the date of the document. */
export type DocumentFact = [name: string, value: string];

export interface DocumentColumn {
  title: string;
  /** `end` is for numbers: at the end of the line in the direction of the language. */
  align: 'start' | 'end';
  /** It takes the remaining width. Exactly one column has it. */
  isWide?: boolean;
}

export interface DocumentRow {
  cells: string[];
  /** A balance or a total, which is emphasized. */
  isTotal?: boolean;
}

export type DocumentPart =
  | { heading: string }
  /** Set `locale` if it is in another language than the document. */
  | { paragraph: string; locale?: string }
  /** Small print. */
  | { note: string }
  | { facts: DocumentFact[] }
  | { columns: DocumentColumn[]; rows: DocumentRow[] }
  /** Facts next to a QR code. A screen reader reads `caption` instead of the code. */
  | { qrText: string; caption: string; facts: DocumentFact[] };

export interface DocumentBody {
  title: string;
  /** BCP 47. It determines the fonts, hyphenation, direction, and voice of a screen reader. */
  locale: string;
  /**
   * When the document was made, in unix seconds. It is written to the file instead of the current time, so that the same body gives the
   * same bytes.
   */
  madeAt: number;
  /** The sender, at the head of the first page, and as the author of the file. */
  sender: string;
  /** Name and address, line by line. */
  recipient: string[];
  /** Printed next to the recipient. */
  facts: DocumentFact[];
  parts: DocumentPart[];
  /** At the foot of each page, next to its number. */
  footer: string;
}
