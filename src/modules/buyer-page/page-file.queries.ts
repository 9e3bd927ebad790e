/** Files of refused forms of the page: kept until the form is sent again without errors. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { pastRows } from '#infra/time/past-rows.queries';
import { DAY_SECONDS } from '#kernel/day';
import type { FileType } from '#kernel/file-type';
import type { BuyerKey } from '#modules/buyers';

const filesTable = table('buyer_page_files', {
  platform_id: 'int',
  buyer_external_id: 'text',
  form_id: 'uuid',
  file_id: 'uuid',
  media_type: text<FileType>(),
  sha256: 'bytea',
  name_sealed: 'bytea',
  created_at: 'bigint',
});

export type PageFileRow = RowOf<typeof filesTable> & { size_bytes: number };

/** A form, by the id created when its page was opened. */
export interface PageFormKey extends BuyerKey {
  formId: string;
}

/** The files of a form, in the order in which they were sent. */
export async function listPageFiles(
  db: Db,
  { platformId, externalId, formId }: PageFormKey,
): Promise<PageFileRow[]> {
  const { rows } = await sql<PageFileRow>`
    select ${filesTable.of('p')}, f.size_bytes from buyer_page_files p
    join files f on f.platform_id = ${platformId} and f.file_id = p.file_id
    where p.platform_id = ${platformId} and p.buyer_external_id = ${externalId} and p.form_id = ${formId}
    order by p.ordinal`.execute(db);
  return rows;
}

/** False if the form already has a file with this content. */
export async function insertPageFile(db: Db, file: NewRowOf<typeof filesTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('buyer_page_files')
    .values(filesTable.insertable(file))
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Releases the files from the form. They stay in the store, for their new owner. */
export async function releasePageFiles(
  db: Db,
  { platformId, externalId, formId }: PageFormKey,
): Promise<void> {
  await sql`
    delete from buyer_page_files
    where platform_id = ${platformId} and buyer_external_id = ${externalId} and form_id = ${formId}`.execute(
    db,
  );
}

/** Deletes files of the form, here and in the store. */
export async function deletePageFiles(
  db: Db,
  { platformId, externalId, formId }: PageFormKey,
  fileIds: readonly string[],
): Promise<void> {
  await sql`
    with dropped as (
      delete from buyer_page_files
      where platform_id = ${platformId} and buyer_external_id = ${externalId} and form_id = ${formId}
        and file_id = any(${fileIds}::uuid[])
      returning file_id
    )
    delete from files f using dropped d where f.platform_id = ${platformId} and f.file_id = d.file_id`.execute(
    db,
  );
}

/** Deletes the files of a buyer except the latest `keptMax`, regardless of their forms. */
export async function deleteOldestPageFiles(
  db: Db,
  { platformId, externalId }: BuyerKey,
  keptMax: number,
): Promise<void> {
  await sql`
    with dropped as (
      delete from buyer_page_files where platform_id = ${platformId} and buyer_external_id = ${externalId}
        and file_id in (
          select file_id from buyer_page_files
          where platform_id = ${platformId} and buyer_external_id = ${externalId}
          order by ordinal desc offset ${keptMax})
      returning file_id
    )
    delete from files f using dropped d where f.platform_id = ${platformId} and f.file_id = d.file_id`.execute(
    db,
  );
}

/** Longer than the session in which a form can be sent again. */
const KEPT_SECONDS = 7 * DAY_SECONDS;

/** Deletes files of all platforms that are a week old by the platform's clock, at most `limit`. Returns their number. */
export async function prunePageFiles(db: Db, realNow: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with dropped as (
      delete from buyer_page_files where (platform_id, buyer_external_id, file_id) in (
        ${pastRows(PAST_FILES, realNow - KEPT_SECONDS, limit)})
      returning platform_id, file_id
    )
    delete from files f using dropped d where f.platform_id = d.platform_id and f.file_id = d.file_id`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

const PAST_FILES = {
  table: 'buyer_page_files',
  key: ['platform_id', 'buyer_external_id', 'file_id'],
  at: sql<number>`t.created_at`,
} as const;
