/** How many mails wait to be sent, for operators. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

export interface MailBacklog {
  pending: number;
  /** Of the oldest one; 0 without one. */
  oldest_seconds: number;
}

/** Of all platforms. */
export async function findMailBacklog(db: Db): Promise<MailBacklog> {
  const { rows } = await sql<MailBacklog>`
    select count(platform_id)::int as pending,
      coalesce(extract(epoch from now() - min(waiting_since)), 0)::float8 as oldest_seconds
    from mails where status = 'PENDING'`.execute(db);
  return rows[0] as MailBacklog;
}
