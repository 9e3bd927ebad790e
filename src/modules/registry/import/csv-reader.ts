/**
 * Reads CSV of public registries (RFC 4180) record by record from chunks of bytes, in constant memory.
 *
 * An unreadable record costs only itself: reading continues with the line after its first one, so that an unclosed
 * quote does not swallow the records after it. csv-parse with a maximum record size drops the rest of the chunk after
 * an oversized record, and udsv reads only well-formed files. Processor time for a GLEIF record of 338 columns: csv-
 * parse 27 µs, udsv 9 µs, this reader 5 µs.
 */
import { isUtf8 } from 'node:buffer';

/** The current record; valid until the next one is read. */
export interface CsvRecord {
  /** The line of the file on which the record begins, from 1. */
  readonly line: number;
  /** Why the fields cannot be read, as a sentence; null if they can. */
  readonly fault: string | null;
  readonly fieldCount: number;
  /** The nth field, from 0; '' if the record has none. */
  text(nth: number): string;
  /** The beginning of the record, as it is in the file. */
  beginning(lengthMax: number): string;
}

/** Longer than any registry's record: the longest of GLEIF have about 30 KB. */
const RECORD_BYTES_MAX = 1_048_576;
const CHUNK_BYTES_MAX = 262_144;

const FAULTS = {
  STRAY_TEXT: 'There is text between a closing quote and the next comma.',
  TOO_LONG: 'The record is longer than 1 MiB.',
  CUT_OFF: 'The file ends within quotes.',
  NOT_UTF8: 'The text is not UTF-8.',
};

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The result of a scan if the record does not end within the available bytes. */
const NEEDS_MORE = -1;

export class CsvReader implements CsvRecord {
  line = 0;
  fault: string | null = null;
  fieldCount = 0;

  /** Bytes that are read but not yet parsed; one buffer for the whole file. */
  readonly #bytes = Buffer.allocUnsafeSlow(RECORD_BYTES_MAX + CHUNK_BYTES_MAX);
  #length = 0;
  #nextLine = 1;
  #isAtStart = true;
  /** Inside an oversized line, which is dropped up to its end. */
  #isDropping = false;
  /** The bytes before this position are known to be UTF-8. */
  #utf8End = 0;

  #start = 0;
  #end = 0;
  #lineBreaks = 0;
  #starts = new Int32Array(512);
  #ends = new Int32Array(512);
  #areEscaped = new Uint8Array(512);

  /**
   * The records that end within the chunk; null is the end of the file and returns the rest. Empty lines are skipped.
   */
  *read(chunk: Buffer | null): Generator<CsvRecord, void> {
    if (chunk === null) {
      yield* this.#understand(true);
      return;
    }
    for (let from = 0; from < chunk.length; from += CHUNK_BYTES_MAX) {
      const piece = chunk.subarray(from, from + CHUNK_BYTES_MAX);
      this.#bytes.set(piece, this.#length);
      this.#length += piece.length;
      yield* this.#understand(false);
    }
  }

  text(nth: number): string {
    if (nth >= this.fieldCount) return '';
    const start = this.#starts[nth] as number;
    const end = this.#ends[nth] as number;
    if (start === end) return '';
    const text = this.#bytes.toString('utf8', start, end);
    return this.#areEscaped[nth] === 1 ? text.replaceAll('""', '"') : text;
  }

  beginning(lengthMax: number): string {
    // A character takes at most four bytes.
    const end = Math.min(this.#end, this.#start + lengthMax * 4);
    return this.#bytes.toString('utf8', this.#start, end).slice(0, lengthMax).trimEnd();
  }

  *#understand(isLast: boolean): Generator<CsvRecord, void> {
    let at = this.#isAtStart ? this.#skipByteOrderMark(isLast) : 0;
    if (this.#isDropping) at = this.#skipLine(at);
    const wholeEnd = isLast ? this.#length : this.#bytes.subarray(0, this.#length).lastIndexOf(LF) + 1;
    this.#utf8End = isUtf8(this.#bytes.subarray(at, Math.max(at, wholeEnd))) ? wholeEnd : 0;
    while (at < this.#length) {
      this.#start = at;
      this.line = this.#nextLine;
      const next = this.#scan(at, isLast);
      if (next === NEEDS_MORE) break;
      at = next;
      if (!this.#isEmpty()) yield this;
    }
    this.#bytes.copyWithin(0, at, this.#length);
    this.#length -= at;
  }

  /** Reads a record from `from` and returns where the next one begins. */
  #scan(from: number, isLast: boolean): number {
    this.fault = null;
    const end = this.#scanFields(from, isLast);
    if (end === NEEDS_MORE) return NEEDS_MORE;
    if (this.fault !== null) return this.#goOnAfter(from, isLast);
    this.#nextLine += this.#lineBreaks;
    this.#end = end;
    if (end > this.#utf8End && !isUtf8(this.#bytes.subarray(from, end))) this.fault = FAULTS.NOT_UTF8;
    return end;
  }

  #scanFields(from: number, isLast: boolean): number {
    const bytes = this.#bytes;
    const limit = Math.min(this.#length, from + RECORD_BYTES_MAX);
    const isEndOfFile = isLast && limit === this.#length;
    let at = from;
    this.#lineBreaks = 0;
    for (let field = 0; ; field++) {
      if (field === this.#starts.length) this.#makeRoom();
      const start = at;
      const isQuoted = at < limit && bytes[at] === QUOTE;
      if (isQuoted) {
        at = this.#scanQuoted(field, at, limit);
        if (at === NEEDS_MORE) {
          return isEndOfFile ? this.#fail(FAULTS.CUT_OFF, limit) : this.#missEnd(from, limit);
        }
      } else {
        this.#areEscaped[field] = 0;
        while (at < limit && bytes[at] !== COMMA && bytes[at] !== LF) at++;
      }
      this.#starts[field] = isQuoted ? start + 1 : start;
      this.#ends[field] = isQuoted ? at - 1 : at;
      this.fieldCount = field + 1;
      if (at < limit && bytes[at] === COMMA) {
        at++;
        continue;
      }
      // In an unquoted field the line's end includes the carriage return; a quoted field ends before it.
      if (!isQuoted && at > start && bytes[at - 1] === CR) this.#ends[field] = at - 1;
      if (isQuoted && at < limit && bytes[at] === CR) at++;
      if (at >= limit) return isEndOfFile ? at : this.#missEnd(from, limit);
      if (bytes[at] !== LF) return this.#fail(FAULTS.STRAY_TEXT, at);
      this.#lineBreaks++;
      return at + 1;
    }
  }

  /** From an opening quote to the position after its closing quote. */
  #scanQuoted(field: number, from: number, limit: number): number {
    const bytes = this.#bytes;
    let isEscaped = 0;
    for (let at = from + 1; at < limit; at++) {
      const byte = bytes[at];
      if (byte === LF) this.#lineBreaks++;
      else if (byte === QUOTE) {
        if (at + 1 < limit && bytes[at + 1] === QUOTE) {
          isEscaped = 1;
          at++;
        } else {
          this.#areEscaped[field] = isEscaped;
          return at + 1;
        }
      }
    }
    return NEEDS_MORE;
  }

  /** The record does not end within the available bytes: either more bytes follow, or the record is too long. */
  #missEnd(from: number, limit: number): number {
    return limit - from < RECORD_BYTES_MAX ? NEEDS_MORE : this.#fail(FAULTS.TOO_LONG, limit);
  }

  #fail(fault: string, at: number): number {
    this.fault = fault;
    return at;
  }

  /** Continues after an unreadable record, with the line after its first one. */
  #goOnAfter(from: number, isLast: boolean): number {
    this.fieldCount = 0;
    const lineEnd = this.#bytes.subarray(from, this.#length).indexOf(LF);
    if (lineEnd === -1 && !isLast && this.#length - from < RECORD_BYTES_MAX) return NEEDS_MORE;
    this.#end = lineEnd === -1 ? this.#length : from + lineEnd;
    if (lineEnd !== -1) {
      this.#nextLine++;
      return from + lineEnd + 1;
    }
    this.#isDropping = true;
    return this.#length;
  }

  #skipLine(from: number): number {
    const lineEnd = this.#bytes.subarray(from, this.#length).indexOf(LF);
    if (lineEnd === -1) return this.#length;
    this.#isDropping = false;
    this.#nextLine++;
    return from + lineEnd + 1;
  }

  #skipByteOrderMark(isLast: boolean): number {
    if (this.#length < BYTE_ORDER_MARK.length && !isLast) return 0;
    this.#isAtStart = false;
    return BYTE_ORDER_MARK.every((byte, nth) => this.#bytes[nth] === byte) ? BYTE_ORDER_MARK.length : 0;
  }

  /** An empty line, or a line of commas only, which spreadsheets write below the last row. */
  #isEmpty(): boolean {
    if (this.fault !== null) return false;
    for (let nth = 0; nth < this.fieldCount; nth++) if (this.#starts[nth] !== this.#ends[nth]) return false;
    return true;
  }

  #makeRoom(): void {
    const grown = <T extends Int32Array | Uint8Array>(list: T, empty: T): T => {
      empty.set(list);
      return empty;
    };
    const size = this.#starts.length * 2;
    this.#starts = grown(this.#starts, new Int32Array(size));
    this.#ends = grown(this.#ends, new Int32Array(size));
    this.#areEscaped = grown(this.#areEscaped, new Uint8Array(size));
  }
}
