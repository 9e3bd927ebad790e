/** The decrypted mails of a world. */

import { expect } from 'vitest';
import type { MailKind } from '#kernel/mail-kind';
import {
  type MailContent,
  type MailRequest,
  mailExamples,
  openMail,
  queueMail,
} from '#modules/notifications';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { eventually } from './until.ts';
import type { World } from './world.ts';

export interface StoredMail extends MailContent {
  mailId: string;
  platformId: number;
  kind: string;
  cause: string;
  status: string;
  attempts: number;
  failure: string | null;
  /** Unix seconds of the platform's clock. */
  createdAt: number;
  sentAt: number | null;
}

interface Row {
  platform_id: number;
  mail_id: string;
  kind: string;
  cause: string;
  status: string;
  attempts: number;
  failure: string | null;
  created_at: string;
  sent_at: string | null;
  content_sealed: Buffer;
}

/** Queues a mail of a platform with its current settings. */
export async function queueMailFor<Kind extends MailKind>(
  { installation }: World,
  platformId: number,
  request: MailRequest<Kind>,
  db = installation.db,
): Promise<boolean> {
  const platform = (await findPlatform(installation.db, platformId)) as PlatformRow;
  return queueMail(db, installation.vault, platform, request);
}

/** The mails of all platforms, oldest first, optionally those to one recipient. */
export async function mailsOf(world: World, { to }: { to?: string } = {}): Promise<StoredMail[]> {
  const { db, vault } = world.installation;
  const rows = await world.sql<Row>('select * from mails order by waiting_since, created_at, mail_id');
  const mails = rows.map(async (row): Promise<StoredMail> => {
    const { code, data_key_wrapped } = (await findPlatform(db, row.platform_id)) as PlatformRow;
    return {
      ...openMail(vault.forPlatform(code, data_key_wrapped), row),
      mailId: row.mail_id,
      platformId: row.platform_id,
      kind: row.kind,
      cause: row.cause,
      status: row.status,
      attempts: row.attempts,
      failure: row.failure,
      createdAt: Number(row.created_at),
      sentAt: row.sent_at === null ? null : Number(row.sent_at),
    };
  });
  return (await Promise.all(mails)).filter((mail) => to === undefined || mail.to === to);
}

/** Waits until at least one mail exists and none is pending. */
export async function untilSent(world: World, filter: { to?: string } = {}): Promise<StoredMail[]> {
  return eventually(async () => {
    const mails = await mailsOf(world, filter);
    expect(mails.length).toBeGreaterThan(0);
    expect(mails.filter(({ status }) => status === 'PENDING')).toEqual([]);
    return mails;
  });
}

/** A sent mail of the demo, like one from the checkout of a cancelled order. */
export async function addSentMail(world: World, cause = 'example'): Promise<void> {
  const now = 1_763_640_000;
  await queueMailFor(world, world.platform.platform_id, {
    ...{ cause, kind: 'order_cancelled', content: mailExamples.order_cancelled, now },
    ...{ to: 'einkauf@morgenrot.example', buyer: 'cafe-morgenrot', language: 'DE', formality: 'FORMAL' },
  });
  await world.sql("update mails set status = 'SENT', sent_at = $1 where cause = $2", [now + 2, cause]);
}
