/** Files as request and response bodies. */
import { brokenRuleOf, FILE_TYPES, type FileType, fileTypeOf } from '#kernel/file-type';
import { type Issue, invalidRequest } from '#kernel/problem';

export const FILE_BYTES_MAX = 20 * 1024 * 1024;
/** 20 MiB at 1.4 Mbit/s. */
const FILE_SECONDS_MAX = 120;

/** The limits of a body that is a file. */
export interface FileBody {
  bytesMax: number;
  /** How long the body may take to arrive. */
  secondsMax: number;
}

export const FILE_BODY: FileBody = { bytesMax: FILE_BYTES_MAX, secondsMax: FILE_SECONDS_MAX };

/** The accepted values of Content-Type, and the file type of each (RFC 7303 §9.2: text/xml is an alias). */
export const FILE_MEDIA_TYPES: Readonly<Record<string, FileType>> = {
  ...(Object.fromEntries(FILE_TYPES.map((type) => [type, type])) as Record<FileType, FileType>),
  'text/xml': 'application/xml',
};

/** A file in a request. */
export interface SentFile {
  /** The type that the Content-Type declares. */
  type: FileType;
  bytes: Buffer;
}

/** A file in an answer. */
export interface AnsweredFile {
  name: string;
  type: FileType | 'text/csv';
  sizeBytes: number;
  sha256: Buffer;
  chunks: AsyncIterable<Buffer>;
}

/** Throws BAD_REQUEST for a file that has no known type, has another type than its Content-Type declares, or is truncated. */
export async function assertWholeFile({ type, bytes }: SentFile): Promise<void> {
  const issue = await issueOf(type, bytes);
  if (issue) throw invalidRequest([issue]);
}

async function issueOf(stated: FileType, bytes: Buffer): Promise<Issue | null> {
  const found = fileTypeOf(bytes);
  if (found === null)
    return {
      code: 'INVALID_VALUE',
      path: 'body',
      message: 'must have the content of a PDF, PNG, JPEG or XML file',
    };
  if (found !== stated) {
    const message = `is ${stated}, but the content is ${found}`;
    return { code: 'INVALID_VALUE', path: 'headers.content-type', message };
  }
  const rule = await brokenRuleOf(found, bytes);
  return rule === null
    ? null
    : { code: 'INVALID_FORMAT', path: 'body', message: `is truncated or damaged: ${rule}` };
}
