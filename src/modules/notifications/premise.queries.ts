/** Premises of mails: the facts that must still hold when a mail leaves. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { unnestRows } from '#infra/database/unnest-rows';
import { transitionOf } from '#kernel/lifecycle';
import { mailLifecycle } from './mail.lifecycle.ts';

/** A resource at a version. A mail is right only while the resource has this version. */
export interface Premise {
  kind: 'order' | 'checkout_code' | 'invoice' | 'facility' | 'dispute' | 'reminder';
  /** Identifies the resource on its platform. */
  key: string;
  version: number;
}

interface PremiseRow extends Premise {
  platformId: number;
  mailId: string;
}

const unnestPremises = unnestRows<PremiseRow>('t', {
  platform_id: ['int', 'platformId'],
  mail_id: ['uuid', 'mailId'],
  kind: ['text', 'kind'],
  key: ['text', 'key'],
  version: ['int', 'version'],
});

export async function insertPremises(db: Db, premises: PremiseRow[]): Promise<void> {
  await sql`
    insert into mail_premises (platform_id, mail_id, kind, key, version)
    select * from ${unnestPremises(premises)} on conflict do nothing`.execute(db);
}

/** The keys of the premises that a mail has of one kind. */
export async function listPremiseKeys(
  db: Db,
  platformId: number,
  { mailId, kind }: { mailId: string; kind: Premise['kind'] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('mail_premises')
    .select('key')
    .where('platform_id', '=', platformId)
    .where('mail_id', '=', mailId)
    .where('kind', '=', kind)
    .execute();
  return rows.map(({ key }) => key);
}

const WITHDRAWN = {
  PENDING: transitionOf(mailLifecycle, 'PENDING', 'withdraw').to,
  FAILED: transitionOf(mailLifecycle, 'FAILED', 'withdraw').to,
};

/**
 * Withdraws the mails with an earlier version of these premises, in the transaction that changed them: those that wait, and those that
 * failed, which a retry would send. A mail that is being sent at that moment still arrives, and is SENT. Returns their number.
 * Mails are queued under the same lock as their premise changes, or their follower processes both: otherwise a mail could be queued
 * after its premise has ended. Claims skip mails that are being withdrawn.
 */
export async function withdrawMails(db: Db, platformId: number, now: readonly Premise[]): Promise<number> {
  const { numAffectedRows } = await sql`
    with ended as materialized (
      select m.mail_id, m.status
      from unnest(
        ${now.map(({ kind }) => kind)}::text[], ${now.map(({ key }) => key)}::text[], ${now.map(({ version }) => version)}::int[]
      ) k(kind, key, version)
      join mail_premises p on p.platform_id = ${platformId} and p.kind = k.kind and p.key = k.key and p.version < k.version
      join mails m on m.platform_id = p.platform_id and m.mail_id = p.mail_id
      where m.status in ('PENDING', 'FAILED')
      order by m.mail_id
      for update of m
    )
    update mails m set status = case ended.status when 'PENDING' then ${WITHDRAWN.PENDING} else ${WITHDRAWN.FAILED} end
    from ended where m.platform_id = ${platformId} and m.mail_id = ended.mail_id
    ${sql.raw(UNPREPARED)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Withdraws a claimed mail whose content no longer holds when it could leave. */
export async function withdrawMail(
  db: Db,
  { platform_id: platformId, mail_id: mailId }: { platform_id: number; mail_id: string },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ status: WITHDRAWN.PENDING })
    .where('platform_id', '=', platformId)
    .where('mail_id', '=', mailId)
    .where('status', '=', 'PENDING')
    .execute();
}

/**
 * Withdraws the failed mails of a cause, to each recipient: others are sent instead, and a retry must not send both. Mails whose failure is
 * not reported to support yet stay, because only failed mails are reported.
 */
export async function withdrawFailedMails(
  db: Db,
  platformId: number,
  { buyerExternalId, cause }: { buyerExternalId: string; cause: string },
): Promise<void> {
  await sql`
    with failed as materialized (
      -- Locks in the order in which mails are retried.
      select mail_id from mails
      where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId} and status = 'FAILED'
        and is_support_notified and (cause = ${cause} or starts_with(cause, ${`${cause}/to/`}))
      order by mail_id for update
    )
    update mails m set status = ${WITHDRAWN.FAILED}
    from failed where m.platform_id = ${platformId} and m.mail_id = failed.mail_id
    ${sql.raw(UNPREPARED)}`.execute(db);
}
