import { createHash, randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import { maskEmail } from '#kernel/email';
import type { Formality, Language } from '#kernel/language';
import { transitionOf } from '#kernel/lifecycle';
import { type MailKind, traitsOf } from '#kernel/mail-kind';
import { translatorOf } from '#messages';
import { newPageLink } from '#modules/buyers';
import type { PlatformRow } from '#modules/platforms';
import { mailLifecycle } from './mail.lifecycle.ts';
import { type Attached, insertMails, type MailContent, type NewMailRow, sealMail } from './mail.queries.ts';
import type { Branding, MailContents } from './mail-contents.ts';
import { mailExamples } from './mail-examples.ts';
import { plainLine } from './plain-line.ts';
import type { Premise } from './premise.queries.ts';
import { type RenderedMail, renderMail } from './render-mail.ts';

export interface MailRequest<Kind extends MailKind> {
  /** The reason for the mail. At most one mail is sent per cause. */
  cause: string;
  kind: Kind;
  /** One address without a name. */
  to: string;
  language: Language;
  formality: Formality;
  content: MailContents[Kind];
  /** The buyer, if the mail is about one. */
  buyer?: string;
  /** The invoice to which the link to the buyer's page leads. Default: the list of all invoices. */
  invoice?: string;
  /** False if another recipient's mail with the same content is copied to the platform. */
  isCopied?: boolean;
  /** Attached when the mail is sent. They must not be deleted before. */
  files?: readonly Attached[];
  /** The facts that must still hold when the mail leaves. */
  premises?: readonly Premise[];
  /** Unix seconds of the platform's clock. */
  now: number;
  /** The address of the service, for the logo. Without it, the platform's name is shown alone. */
  baseUrl?: string | null;
}

/** Queues a mail in the caller's transaction. Returns false if its cause already has a mail, or its kind is switched off. */
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
 * Composes a mail and its copy for the platform without inserting them, or nothing if the platform has switched its kind off.
 * Lets callers distinguish a mail that cannot be composed from a database error.
 */
export async function composeMail<Kind extends MailKind>(
  vault: Pick<Vault, 'forPlatform'>,
  platform: PlatformRow,
  request: MailRequest<Kind>,
): Promise<NewMailRow[]> {
  if (platform.mails_off.includes(request.kind)) return [];
  const { isNotice = false } = traitsOf(request.kind);
  const pageLink = pageLinkFor(vault, platform, request);
  const mail = await composeOne(vault, platform, request, { isNotice, pageLink });
  const copy = copyOf(platform, request);
  if (copy === null) return [mail];
  return [mail, await composeOne(vault, platform, copy, { isNotice: false, pageLink: null })];
}

/**
 * The copy for the platform, without the secrets of the recipient; null if no copy is sent. It is a separate mail with its own
 * attempts: otherwise each attempt that only the recipient defers would send the copy again.
 */
function copyOf<Kind extends MailKind>(
  { communication_bcc_email: to }: PlatformRow,
  { buyer: _, ...request }: MailRequest<Kind>,
): MailRequest<Kind> | null {
  const { kind, content, cause, isCopied = true } = request;
  if (traitsOf(kind).audience !== 'BUYER' || !isCopied || to === null || to === request.to) return null;
  const removers: { [Each in MailKind]?: SecretRemover<Each> } = SECRET_REMOVERS;
  const withoutSecret: SecretRemover<Kind> | undefined = removers[kind];
  return {
    ...request,
    ...{ to, cause: `${cause}/copy`, content: withoutSecret ? withoutSecret(content) : content },
  };
}

/** The link to the buyer's own page; null in mails without one, and if the service has no address. */
function pageLinkFor<Kind extends MailKind>(
  vault: Pick<Vault, 'forPlatform'>,
  platform: PlatformRow,
  { kind, buyer, invoice, to, now, baseUrl = null }: MailRequest<Kind>,
): string | null {
  const { audience, isBeforeDebt = false } = traitsOf(kind);
  if (audience !== 'BUYER' || isBeforeDebt || buyer === undefined || !baseUrl) return null;
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  const maker = { vault: platformVault, platformId: platform.platform_id, baseUrl, now };
  const named = { buyerExternalId: buyer, invoiceExternalId: invoice ?? null, recipient: to };
  return newPageLink(maker, named).url;
}

type SecretRemover<Kind extends MailKind> = (content: MailContents[Kind]) => MailContents[Kind];

/** The fields by which a reader can act as the buyer. */
type SecretField = 'code' | 'link' | 'url';

/** The mails that have such a field. A new one does not compile without a remover below. */
type SecretKind = {
  [Kind in MailKind]: NonNullable<MailContents[Kind][SecretField & keyof MailContents[Kind]]> extends never
    ? never
    : Kind;
}[MailKind];

/** The content that another reader may see. */
const SECRET_REMOVERS: { [Kind in SecretKind]: SecretRemover<Kind> } = {
  checkout_code: (content) => ({ ...content, code: '••••••' }),
  page_code: (content) => ({ ...content, code: '••••••' }),
  checkout_invitation: (content) => ({ ...content, url: null }),
  order_confirmed: (content) => ({ ...content, link: null }),
  order_payment_due: (content) => ({ ...content, link: null }),
  order_pending: (content) => ({ ...content, link: null }),
  credit_refused: (content) => ({ ...content, url: null }),
  review_granted: (content) => ({ ...content, url: null }),
};

async function composeOne<Kind extends MailKind>(
  vault: Pick<Vault, 'forPlatform'>,
  platform: PlatformRow,
  request: MailRequest<Kind>,
  { isNotice, pageLink }: { isNotice: boolean; pageLink: string | null },
): Promise<NewMailRow> {
  const {
    cause,
    kind,
    to,
    language,
    formality,
    content,
    buyer = null,
    premises = [],
    files = [],
    now,
    baseUrl = null,
  } = request;
  const translator = translatorOf(language, formality, platform.time_zone);
  const mailId = randomUUID();
  const mail: MailContent = {
    to,
    from: { name: plainLine(platform.name), address: platform.communication_email },
    bcc: null,
    files,
    replyTo: platform.communication_email,
    language,
    locale: translator.locale,
    direction: translator.direction,
    ...(await renderMail(kind, content, translator, brandingOf(platform, baseUrl), pageLink)),
  };
  return {
    platformId: platform.platform_id,
    mailId,
    cause,
    kind,
    status: transitionOf(mailLifecycle, null, 'queue').to,
    createdAt: now,
    contentSealed: sealMail(vault.forPlatform(platform.code, platform.data_key_wrapped), mailId, mail),
    buyerExternalId: buyer,
    premises,
    notice: isNotice
      ? {
          recipientMasked: maskEmail(to),
          language,
          textSha256: createHash('sha256').update(mail.text).digest(),
        }
      : null,
  };
}

/** A mail of the kind as a platform's buyers or support would get it, with sample content. */
export async function previewMail<Kind extends MailKind>(
  platform: PlatformRow,
  kind: Kind,
  { language, formality }: { language: Language; formality: Formality },
): Promise<RenderedMail> {
  const translator = translatorOf(language, formality, platform.time_zone);
  const content: MailContents[Kind] = mailExamples[kind];
  return renderMail(kind, content, translator, brandingOf(platform, null));
}

/** Shows the logo only from our own address, so that no other server learns who reads the mail. SVG is left out: mail programs drop it. */
function brandingOf(
  { name, logo_url: path, brand_color: color, review_days: reviewDays }: PlatformRow,
  baseUrl: string | null,
): Branding {
  const isShown = baseUrl !== null && path?.startsWith('/') && !path.endsWith('.svg');
  return { name, logoUrl: isShown ? `${baseUrl}${path}` : null, color, reviewDays };
}
