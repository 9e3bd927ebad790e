import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import type { Formality, Language } from '#kernel/language';
import { transitionOf } from '#kernel/lifecycle';
import { translatorOf } from '#messages';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { mailLifecycle } from './mail.lifecycle.ts';
import { insertMail, type MailContent, type NewMailRow, sealMail } from './mail.queries.ts';
import type { Branding, MailContents, MailKind } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';
import { renderMail } from './render-mail.ts';

export interface MailOrder<Kind extends MailKind> {
  platformId: number;
  /** What it is sent for: a second mail for it is not sent. */
  cause: string;
  kind: Kind;
  /** One bare address. */
  to: string;
  language: Language;
  formality: Formality;
  content: MailContents[Kind];
  /** Unix seconds, by the platform's clock. */
  now: number;
  /** Our own address, for the logo; left out: the platform's name is shown alone. */
  baseUrl?: string | null;
}

/**
 * Writes a mail and lets it wait: it exists if the transaction commits, and says what was true in it. Answers false
 * where there is one for this cause already.
 */
export async function queueMail<Kind extends MailKind>(
  db: Db,
  vault: Vault,
  order: MailOrder<Kind>,
): Promise<boolean> {
  const platform = await findPlatform(db, order.platformId);
  if (!platform) throw new Error(`There is no platform ${order.platformId}.`);
  return insertMail(db, await composeMail(vault, platform, order));
}

/** The same before it is written: for whoever tells a mail that cannot be composed from a database that is away. */
export async function composeMail<Kind extends MailKind>(
  vault: Vault,
  platform: PlatformRow,
  { cause, kind, to, language, formality, content, now, baseUrl = null }: MailOrder<Kind>,
): Promise<NewMailRow> {
  const translator = translatorOf(language, formality);
  const mailId = randomUUID();
  const mail: MailContent = {
    to,
    from: { name: plainLine(platform.name), address: platform.communication_email },
    bcc: platform.communication_bcc_email,
    replyTo: platform.communication_email,
    locale: translator.locale,
    direction: translator.direction,
    ...(await renderMail(kind, content, translator, brandingOf(platform, baseUrl))),
  };
  return {
    platformId: platform.platform_id,
    mailId,
    cause,
    kind,
    status: transitionOf(mailLifecycle, null, 'queue').to,
    createdAt: now,
    contentSealed: sealMail(vault.forPlatform(platform.code, platform.data_key_wrapped), mailId, mail),
  };
}

/** The logo only from our own address, so that nobody else learns who reads; and not as SVG, which mail programs leave out. */
function brandingOf({ name, logo_url: path }: PlatformRow, baseUrl: string | null): Branding {
  const isShown = baseUrl !== null && path?.startsWith('/') && !path.endsWith('.svg');
  return { name, logoUrl: isShown ? `${baseUrl}${path}` : null };
}
