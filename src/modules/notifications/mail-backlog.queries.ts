/** The number of mails that wait to be sent, for operators. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

export interface MailBacklog {
  pending: number;
  /** The age of the oldest mail; 0 if there is none. */
  oldest_seconds: number;
}

/** Counts the mails of all platforms. */
export async function findMailBacklog(db: Db): Promise<MailBacklog> {
  const { rows } = await sql<MailBacklog>`
    select count(platform_id)::int as pending,
      coalesce(extract(epoch from now() - min(waiting_since)), 0)::float8 as oldest_seconds
    from mails where status = 'PENDING'`.execute(db);
  return rows[0] as MailBacklog;
}
