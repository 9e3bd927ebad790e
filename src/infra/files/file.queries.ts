import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { type NewRowOf, type RowOf, table } from '../database/table.ts';

export const filesTable = table('files', {
  platform_id: 'int',
  file_id: 'uuid',
  created_at: 'bigint',
  size_bytes: 'int',
  sha256: 'bytea',
  is_in_folder: 'boolean',
});

export type FileRow = RowOf<typeof filesTable>;

export async function findFile(db: Db, platformId: number, fileId: string): Promise<FileRow | undefined> {
  return db
    .selectFrom('files')
    .select(filesTable.columns)
    .where('platform_id', '=', platformId)
    .where('file_id', '=', fileId)
    .$castTo<FileRow>()
    .executeTakeFirst();
}

/** The ids of the files whose content is in the folder. */
export async function listFilesInFolder(db: Db, platformId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('file_id')
    .where('platform_id', '=', platformId)
    .where('is_in_folder', '=', true)
    .orderBy('file_id')
    .execute();
  return rows.map(({ file_id }) => file_id);
}

export async function insertFile(db: Db, file: NewRowOf<typeof filesTable>): Promise<void> {
  await db.insertInto('files').values(filesTable.insertable(file)).execute();
}

/** Deletes the row and its chunks. */
export async function deleteFileRow(db: Db, platformId: number, fileId: string): Promise<void> {
  await db.deleteFrom('files').where('platform_id', '=', platformId).where('file_id', '=', fileId).execute();
}

export async function insertChunk(
  db: Db,
  platformId: number,
  fileId: string,
  chunk: number,
  sealed: Buffer,
): Promise<void> {
  await db
    .insertInto('file_chunks')
    .values({ platform_id: platformId, file_id: fileId, chunk, sealed })
    .execute();
}

export async function findChunk(
  db: Db,
  platformId: number,
  fileId: string,
  chunk: number,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('file_chunks')
    .select('sealed')
    .where('platform_id', '=', platformId)
    .where('file_id', '=', fileId)
    .where('chunk', '=', chunk)
    .executeTakeFirst();
  return row?.sealed;
}

/** Which of these files of one platform have a row. */
export async function findKnownFiles(db: Db, platformId: number, fileIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ file_id: string }>`
    select file_id from files
    where platform_id = ${platformId} and file_id = any(${fileIds}::uuid[])`.execute(db);
  return new Set(rows.map((row) => row.file_id));
}
