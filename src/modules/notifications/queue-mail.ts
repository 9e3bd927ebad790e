import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import type { Formality, Language } from '#kernel/language';
import { transitionOf } from '#kernel/lifecycle';
import { translatorOf } from '#messages';
import type { PlatformRow } from '#modules/platforms';
import { mailLifecycle } from './mail.lifecycle.ts';
import { insertMails, type MailContent, type NewMailRow, sealMail } from './mail.queries.ts';
import { type Branding, isSupportKind, type MailContents, type MailKind } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';
import { renderMail } from './render-mail.ts';

export interface MailRequest<Kind extends MailKind> {
  /** The reason for the mail. At most one mail is sent per cause. */
  cause: string;
  kind: Kind;
  /** One address without a name. */
  to: string;
  language: Language;
  formality: Formality;
  content: MailContents[Kind];
  /** Unix seconds of the platform's clock. */
  now: number;
  /** The address of the service, for the logo. Without it, the platform's name is shown alone. */
  baseUrl?: string | null;
}

/** Queues a mail in the caller's transaction. Returns false where its cause has a mail already. */
export async function queueMail<Kind extends MailKind>(
  db: Db,
  vault: Vault,
  platform: PlatformRow,
  request: MailRequest<Kind>,
): Promise<boolean> {
  const [isQueued = false] = await insertMails(db, await composeMail(vault, platform, request));
  return isQueued;
}

/**
 * Composes a mail without inserting it, and a second one for the platform's blind copy if the first holds a secret. Lets
 * callers distinguish a mail that cannot be composed from a database error.
 */
export async function composeMail<Kind extends MailKind>(
  vault: Vault,
  platform: PlatformRow,
  request: MailRequest<Kind>,
): Promise<NewMailRow[]> {
  const copyTo = isSupportKind(request.kind) ? null : platform.communication_bcc_email;
  const withoutSecret: SecretRemover<Kind> | undefined = SECRET_REMOVERS[request.kind];
  if (!withoutSecret) return [await composeOne(vault, platform, request, copyTo)];
  const mail = await composeOne(vault, platform, request, null);
  if (copyTo === null || copyTo === request.to) return [mail];
  const content = withoutSecret(request.content);
  const copy = { ...request, to: copyTo, cause: `${request.cause}/copy`, content };
  return [mail, await composeOne(vault, platform, copy, null)];
}

type SecretRemover<Kind extends MailKind> = (content: MailContents[Kind]) => MailContents[Kind];

/** For the mails that hold a secret: the content that another reader may see. */
const SECRET_REMOVERS: { [Kind in MailKind]?: SecretRemover<Kind> } = {
  checkout_code: (content) => ({ ...content, code: '••••••' }),
  checkout_invitation: (content) => ({ ...content, url: null }),
  order_confirmed: (content) => ({ ...content, link: null }),
  order_payment_due: (content) => ({ ...content, link: null }),
  order_pending: (content) => ({ ...content, link: null }),
  credit_refused: (content) => ({ ...content, url: null }),
  review_granted: (content) => ({ ...content, url: null }),
};

async function composeOne<Kind extends MailKind>(
  vault: Vault,
  platform: PlatformRow,
  { cause, kind, to, language, formality, content, now, baseUrl = null }: MailRequest<Kind>,
  bcc: string | null,
): Promise<NewMailRow> {
  const translator = translatorOf(language, formality, platform.time_zone);
  const mailId = randomUUID();
  const mail: MailContent = {
    to,
    from: { name: plainLine(platform.name), address: platform.communication_email },
    bcc,
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

/** Shows the logo only from our own address, so that no other server learns who reads; and not as SVG, which mail programs drop. */
function brandingOf(
  { name, logo_url: path, brand_color: color, review_days: reviewDays }: PlatformRow,
  baseUrl: string | null,
): Branding {
  const isShown = baseUrl !== null && path?.startsWith('/') && !path.endsWith('.svg');
  return { name, logoUrl: isShown ? `${baseUrl}${path}` : null, color, reviewDays };
}
