/** Determines the type of a file by its content, and whether the file is complete. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { checkXml, NotWellFormed } from './xml.ts';

export const FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg', 'application/xml'] as const;
export type FileType = (typeof FILE_TYPES)[number];

interface Form {
  isBegunBy(bytes: Buffer): boolean;
  isWhole(bytes: Buffer): boolean | Promise<boolean>;
  /** What a complete file has, as a text for the caller. */
  rule: string;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

const FORMS: Record<FileType, Form> = {
  'application/pdf': {
    isBegunBy: (bytes) => startsWith(bytes, Buffer.from('%PDF-')),
    // ISO 32000-1 §7.5.5. Readers look for it in the last 1,024 bytes.
    isWhole: (bytes) => bytes.subarray(-1_024).includes('%%EOF'),
    rule: 'a PDF ends with %%EOF',
  },
  'image/png': {
    isBegunBy: (bytes) => startsWith(bytes, PNG_SIGNATURE),
    isWhole: isWholePng,
    rule: 'a PNG has chunks with right checksums and ends with IEND',
  },
  'image/jpeg': {
    isBegunBy: (bytes) => startsWith(bytes, Buffer.from([0xff, 0xd8, 0xff])),
    isWhole: isWholeJpeg,
    rule: 'a JPEG has an end marker (EOI) after its segments',
  },
  'application/xml': {
    isBegunBy: (bytes) => /^(?:\u00ef\u00bb\u00bf)?\s*</.test(bytes.subarray(0, 256).toString('latin1')),
    isWhole: isWholeXml,
    rule: 'XML must be well-formed, in UTF-8, without a document type, and with tags of at most 64 KiB',
  },
};

/** The type by the first bytes; null for any other. */
export function fileTypeOf(bytes: Buffer): FileType | null {
  return FILE_TYPES.find((type) => FORMS[type].isBegunBy(bytes)) ?? null;
}

/** The rule that the file breaks, as a clause; null for a complete file. A large file is read in turns of the event loop. */
export async function brokenRuleOf(type: FileType, bytes: Buffer): Promise<string | null> {
  const { isWhole, rule } = FORMS[type];
  return (await isWhole(bytes)) ? null : rule;
}

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning);
}

/** PNG (ISO 15948) §5.3: length, name, data and checksum of each chunk. Nothing comes after IEND. */
function isWholePng(bytes: Buffer): boolean {
  const around = 12;
  for (let at = PNG_SIGNATURE.length; at + around <= bytes.length; ) {
    const end = at + around + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      return false;
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return end === bytes.length;
    at = end;
  }
  return false;
}

const EOI = 0xd9;
const START_OF_SCAN = 0xda;
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;

/**
 * ITU T.81 §B.1: segments with their lengths, and scans up to the next marker. Searching for the end marker alone would
 * find that of a thumbnail. Cameras append data after the end.
 */
function isWholeJpeg(bytes: Buffer): boolean {
  for (let at = 2; at + 1 < bytes.length; ) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] as number;
    if (marker === EOI) return true;
    if (marker === 0xff) {
      // A fill byte.
      at += 1;
      continue;
    }
    if (at + 3 >= bytes.length) return false;
    at += 2 + bytes.readUInt16BE(at + 2);
    if (marker === START_OF_SCAN) at = endOfScan(bytes, at);
  }
  return false;
}

/** The next marker in entropy-coded data, where ff00 is a byte of data. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && !isRestart(next)) return at;
  }
  return bytes.length;
}

async function isWholeXml(bytes: Buffer): Promise<boolean> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    for (const _ of checkXml(text)) await nextTurn();
    return true;
  } catch (error) {
    if (error instanceof NotWellFormed || isNoUtf8(error)) return false;
    throw error;
  }
}

const isNoUtf8 = (error: unknown) =>
  (error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
