/** Takes the files of a form. Their content decides their type. They are kept immediately, so that a refused form loses none. */
import { createHash, randomUUID } from 'node:crypto';
import { inTransaction } from '#infra/database/transaction';
import { brokenRuleOf, type FileType, fileTypeOf } from '#kernel/file-type';
import { isPlainLine } from '#kernel/text';
import type { FieldError } from '#modules/checkout';
import { DISPUTE_FILES_MAX } from '#modules/disputes';
import { openFileName, sealFileName } from '#modules/invoices';
import { FILE_BYTES_MAX } from '#operation/file-body';
import type { BuyerPageDeps } from './deps.ts';
import {
  deleteOldestPageFiles,
  deletePageFiles,
  insertPageFile,
  listPageFiles,
  type PageFileRow,
  type PageFormKey,
} from './page-file.queries.ts';
import type { BuyerVisit } from './visit.ts';

/** The limit for all files of a form together: the same as for one file of the API. */
export const FORM_FILES_BYTES_MAX = FILE_BYTES_MAX;
export const FORM_FILES_MEGABYTES_MAX = FORM_FILES_BYTES_MAX / 2 ** 20;
/** The limit for one buyer, in all its forms: if more are sent, the latest are kept. */
const KEPT_MAX = 5 * DISPUTE_FILES_MAX;
const NAME_LENGTH_MAX = 255;

/** A file as a browser sends it, with the name that the browser gives. */
export interface SentFormFile {
  name: string;
  bytes: Buffer;
}

export interface SentFormFiles {
  files: readonly SentFormFile[];
  /** Whether the form contained more than it may. */
  isCutOff: boolean;
  /** The unmarked ones among the files that an earlier attempt has kept. */
  unwantedIds: readonly string[];
}

/** A file that is kept for a form. */
export interface KeptFile {
  id: string;
  name: string;
  sizeBytes: number;
}

/** Deletes unmarked files, and keeps new ones. Returns the errors of files, which are then not kept. */
export async function keepFormFiles(
  deps: BuyerPageDeps,
  { key: buyer, vault, now }: Pick<BuyerVisit, 'key' | 'vault' | 'now'>,
  { formId, files, isCutOff, unwantedIds }: SentFormFiles & { formId: string },
): Promise<FieldError[]> {
  const key: PageFormKey = { ...buyer, formId };
  const known = await listPageFiles(deps.db, key);
  const unwanted = known.filter(({ file_id }) => unwantedIds.includes(file_id));
  await deletePageFiles(
    deps.db,
    key,
    unwanted.map(({ file_id }) => file_id),
  );
  const errors: FieldError[] = isCutOff ? [tooManyFiles()] : [];
  const held = known.filter((each) => !unwanted.includes(each));
  for (const { name, bytes } of files) {
    if (held.some(({ sha256 }) => sha256.equals(sha256Of(bytes)))) continue;
    const size = held.reduce((sum, { size_bytes }) => sum + size_bytes, bytes.length);
    if (held.length >= DISPUTE_FILES_MAX || size > FORM_FILES_BYTES_MAX) {
      errors.push(tooManyFiles());
      break;
    }
    const type = fileTypeOf(bytes);
    if (type === null || (await brokenRuleOf(type, bytes)) !== null) {
      errors.push({ field: 'files', error: 'error.file', values: { name: plainName(name) } });
      continue;
    }
    held.push(await keepFile({ name: nameOf(name, type), type, bytes }));
  }
  return errors.slice(0, 1);

  async function keepFile({ name, type, bytes }: SentFormFile & { type: FileType }): Promise<PageFileRow> {
    const { platformId, externalId } = buyer;
    const content = { platformId, fileId: randomUUID(), bytes, sha256: sha256Of(bytes) };
    const row = {
      ...{ platform_id: platformId, buyer_external_id: externalId, form_id: formId },
      ...{ file_id: content.fileId, media_type: type, sha256: content.sha256, created_at: now },
      name_sealed: sealFileName(vault, content.fileId, name),
    };
    await deps.files.writeFile(vault, content);
    await inTransaction(deps.db, async (db) => {
      await deps.files.putFile(db, vault, content, now);
      // The same form was sent twice at the same time.
      if (!(await insertPageFile(db, row))) await deps.files.deleteFile(db, platformId, content.fileId);
      await deleteOldestPageFiles(db, buyer, KEPT_MAX);
    });
    return { ...row, size_bytes: bytes.length };
  }
}

export async function listKeptFiles(
  db: BuyerPageDeps['db'],
  vault: BuyerVisit['vault'],
  key: PageFormKey,
): Promise<KeptFile[]> {
  return (await listPageFiles(db, key)).map((row) => ({
    ...{ id: row.file_id, name: openFileName(vault, row), sizeBytes: row.size_bytes },
  }));
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

/** The size stays a number of megabytes: the page formats it in the language of its reader. */
export function tooManyFiles(count = DISPUTE_FILES_MAX): FieldError {
  return { field: 'files', error: 'error.files', values: { count, size: FORM_FILES_MEGABYTES_MAX } };
}

const ENDINGS: Record<FileType, readonly string[]> = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'application/xml': ['.xml'],
};

/** The name with an ending of the detected type, in place of the given one: a program of another type must not open the file. */
function nameOf(name: string, type: FileType): string {
  const plain = plainName(name);
  const [ending = ''] = ENDINGS[type];
  return ENDINGS[type].some((each) => plain.toLowerCase().endsWith(each)) ? plain : `${plain}${ending}`;
}

/** Removes folders, and characters that hide or reorder a part of the name. No file is refused because of its name. */
function plainName(name: string): string {
  const last = [...(name.split(/[/\\]/).at(-1) ?? '')].filter(isPlainLine);
  return (
    last
      .slice(0, NAME_LENGTH_MAX - '.jpeg'.length)
      .join('')
      .trim() || 'file'
  );
}
