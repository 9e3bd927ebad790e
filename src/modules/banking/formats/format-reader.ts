import type { XmlPiece, XmlShape } from '#infra/files/xml-stream';
import type { BankRecord } from './bank-document.ts';

/** A format of bank files in XML. */
export interface FormatReader {
  /** The root element that identifies the format. */
  root: string;
  shape: XmlShape;
  /** Reads one file. */
  reader(): { read(piece: XmlPiece): Iterable<BankRecord> };
}
