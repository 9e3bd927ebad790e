/** Bodies of HTML forms with files: `multipart/form-data` (RFC 7578). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#kernel/problem';
import { formOf } from './form-body.ts';

export interface FormFile {
  /** The file name that the browser sends. */
  name: string;
  bytes: Buffer;
}

export interface MultipartForm {
  fields: URLSearchParams;
  files: FormFile[];
  /** The body exceeded the limit: the parts at its end are missing. */
  isCutOff: boolean;
}

/** The limit of all text fields together. */
const FIELDS_CHARACTERS_MAX = 64 * 1024;
/** Two for each of 500 lines of an invoice, and room for files and other fields. Parsing blocks the process: a million parts take 10 s. */
const PARTS_MAX = 2_000;

/**
 * Reads multipart bodies in this Fastify context. Of a body over `bytesMax`, it keeps the complete parts at the beginning: fields precede
 * files, so a form with too large files loses no text. The caller limits the time.
 */
export function readMultipartBodies(app: FastifyInstance, bytesMax: number): void {
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
      const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers;
      if (coding.toLowerCase() !== 'identity') throw new Problem('UNSUPPORTED_MEDIA_TYPE');
      const delimiter = delimiterIn(type);
      const { bytes, isCutOff } = await readBeginning(payload, bytesMax);
      if (hasMoreThan(PARTS_MAX, delimiter, bytes)) throw new Problem('PAYLOAD_TOO_LARGE');
      return { ...(await partsOf(isCutOff ? wholeParts(bytes, delimiter) : bytes, type)), isCutOff };
    },
  );
}

async function readBeginning(payload: AsyncIterable<Buffer>, bytesMax: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of payload) {
    if (length < bytesMax) chunks.push(chunk.subarray(0, bytesMax - length));
    length += chunk.length;
  }
  return { bytes: Buffer.concat(chunks), isCutOff: length > bytesMax };
}

/** The delimiter before each part. Throws BAD_REQUEST for a type that browsers do not send: the parser could read it differently. */
function delimiterIn(type: string): string {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;\s*boundary=(?:"([^"\\]+)"|([^\s";]+))\s*$/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new Problem('BAD_REQUEST');
  return `--${boundary}`;
}

function hasMoreThan(countMax: number, delimiter: string, bytes: Buffer): boolean {
  let at = -1;
  for (let count = 0; count <= countMax; count += 1) {
    at = bytes.indexOf(delimiter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** Truncates the body after its last complete part. */
function wholeParts(bytes: Buffer, delimiter: string): Buffer {
  const end = bytes.lastIndexOf(`\r\n${delimiter}`);
  if (end === -1) throw new Problem('BAD_REQUEST');
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`\r\n${delimiter}--\r\n`)]);
}

/** Throws BAD_REQUEST for a body that is not a valid form. */
async function partsOf(bytes: Buffer, type: string): Promise<Omit<MultipartForm, 'isCutOff'>> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new Problem('BAD_REQUEST');
    });
  const fields = new URLSearchParams();
  const files: FormFile[] = [];
  let characters = 0;
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      characters += value.length;
      fields.append(name, value);
    } else if (value.name !== '' || value.size > 0)
      // A browser sends a file field without a file as an empty file without a name.
      files.push({ name: value.name, bytes: Buffer.from(await value.arrayBuffer()) });
  }
  if (characters > FIELDS_CHARACTERS_MAX) throw new Problem('PAYLOAD_TOO_LARGE');
  return { fields, files };
}

/** The form of a request body, with or without files; empty without a body. */
export function multipartOf(body: unknown): MultipartForm {
  const isMultipart = typeof body === 'object' && body !== null && 'files' in body;
  return isMultipart ? (body as MultipartForm) : { fields: formOf(body), files: [], isCutOff: false };
}
