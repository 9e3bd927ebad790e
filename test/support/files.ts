/** The smallest complete file of each type. */
import { crc32, deflateSync } from 'node:zlib';
import type { FileType } from '#kernel/file-type';

function pngChunk(name: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(name, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** One grey pixel. */
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  pngChunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
  pngChunk('IDAT', deflateSync(Buffer.from([0, 0x80]))),
  pngChunk('IEND', Buffer.alloc(0)),
]);

const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.from('ffdb0043', 'hex'),
  Buffer.alloc(65, 1),
  Buffer.from('ffda0008010100003f00', 'hex'),
  Buffer.from('d2cf20ff00ffd017ffd9', 'hex'),
]);

export const FILES: Record<FileType, Buffer> = {
  'application/pdf': Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n' +
      'trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n',
  ),
  'image/png': png,
  'image/jpeg': jpeg,
  'application/xml': Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?>\n<Invoice><ID>1 &amp; 2</ID></Invoice>\n',
  ),
};
