import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { codeOfLogoFile, type Logo, logoPathOfFile } from './logo.rules.ts';

/** Inserts or replaces the logo of a platform. The caller writes the platform's logo_url. */
export async function writeLogo(
  db: Db,
  platformId: number,
  { mediaType, content }: Logo,
  now: number,
): Promise<void> {
  await sql`
    insert into platform_logos (platform_id, media_type, content, sha256, created_at)
    values (${platformId}, ${mediaType}, ${content}, sha256(${content}), ${now})
    on conflict (platform_id) do update set media_type = excluded.media_type, content = excluded.content,
      sha256 = excluded.sha256, created_at = excluded.created_at`.execute(db);
}

export async function deleteLogo(db: Db, platformId: number): Promise<void> {
  await db.deleteFrom('platform_logos').where('platform_id', '=', platformId).execute();
}

/** A logo of any platform, by its file name. Logos are public. Undefined for unknown and replaced logos. */
export async function findLogo(db: Db, file: string): Promise<Logo | undefined> {
  const code = codeOfLogoFile(file);
  if (code === null) return undefined;
  const { rows } = await sql<Logo>`
    select l.media_type as "mediaType", l.content
    from platforms p join platform_logos l on l.platform_id = p.platform_id
    where p.code = ${code} and p.logo_url = ${logoPathOfFile(file)}`.execute(db);
  return rows[0];
}
