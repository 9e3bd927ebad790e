/** One request at a link to a buyer's page: the buyer of the page, and whether this browser may see it. */
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import { DAY_SECONDS } from '#kernel/day';
import { maskEmail } from '#kernel/email';
import type { Formality, Language } from '#kernel/language';
import {
  type BuyerKey,
  type BuyerRow,
  type ContactRow,
  findBuyer,
  findContactsOfBuyer,
  localeOfBuyer,
  openPageToken,
  type PageLink,
  pageEmailsOf,
  platformOfPageToken,
  recipientMacOf,
} from '#modules/buyers';
import {
  CODE_MINUTES,
  isGood,
  isSameMac,
  macOfEmail,
  type PlatformView,
  platformView,
  sessionHash,
  waitSecondsOf,
} from '#modules/checkout';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import type { BuyerPageDeps } from './deps.ts';
import {
  findLastPageCode,
  findPageSession,
  type PageCodeRow,
  type PageSessionRow,
} from './page-access.queries.ts';

/** By the platform's clock, from the entry of the code. */
export const PAGE_SESSION_SECONDS = DAY_SECONDS;

/** What a browser sends: the token of the address, and the secret of its cookie. */
export interface PageSender {
  token: string;
  session: string | null;
  /** The network of the browser; null if browsers cannot be distinguished. */
  network: string | null;
}

/** Everything read for one request. It is never shown unfiltered. */
export interface BuyerVisit {
  key: BuyerKey;
  link: PageLink;
  platform: PlatformRow;
  vault: PlatformVault;
  /** Unix seconds of the platform's clock. */
  now: number;
  buyer: BuyerRow;
  contacts: ContactRow[];
  /** The address that receives the code; null if no address proves anything. */
  email: string | null;
  session: PageSessionRow | null;
  lastCode: PageCodeRow | null;
  /** The address whose owner has the session; null while the page is locked. */
  verifiedEmail: string | null;
}

/** What any browser with the link may see. */
export interface ShownAround {
  platform: PlatformView;
  language: Language;
  formality: Formality;
  timeZone: string;
  isSandbox: boolean;
}

/** The form that sends and accepts the code. */
export interface CodeView {
  /** Masked: `c•••@m•••.example`; null if no address on file may open the page. */
  email: string | null;
  isSent: boolean;
  validMinutes: number;
  /** Seconds until another code may be sent. */
  againInSeconds: number;
}

/** Null for an unknown, forged or expired token, and for the page of a disabled or relocating platform. */
export async function readVisit(
  deps: BuyerPageDeps,
  db: Db,
  { token, session }: Pick<PageSender, 'token' | 'session'>,
): Promise<BuyerVisit | null> {
  const platformId = platformOfPageToken(token);
  const platform = platformId === null ? undefined : await findPlatform(db, platformId);
  if (!platform || platform.disabled_at !== null || platform.relocating_since !== null) return null;
  const vault = deps.vault.forPlatform(platform.code, platform.data_key_wrapped);
  const link = openPageToken(vault, token);
  deps.clocks.learn(platform.platform_id, platform.clock_ahead_seconds);
  const now = deps.clocks.now(platform.platform_id);
  if (link === null || link.expiresAt <= now) return null;
  const key = { platformId: platform.platform_id, externalId: link.buyerExternalId };
  const hash = sessionHash(session);
  const [buyer, contacts, row, lastCode] = await Promise.all([
    findBuyer(db, key),
    findContactsOfBuyer(db, { platformId: key.platformId, buyerExternalId: key.externalId }),
    hash === null ? undefined : findPageSession(db, key, hash),
    findLastPageCode(db, key),
  ]);
  if (!buyer) return null;
  const emails = pageEmailsOf(vault, buyer, contacts);
  const recipient = emails.find((email) => recipientMacOf(vault, email) === link.recipientMac);
  return {
    ...{ key, link, platform, vault, now, buyer, contacts },
    email: recipient ?? emails[0] ?? null,
    session: row ?? null,
    lastCode: lastCode ?? null,
    verifiedEmail: verifiedEmailOf({ vault, now, emails }, row),
  };
}

/** The address of the session. A session ends with its time, and once its address no longer speaks for the company. */
function verifiedEmailOf(
  { vault, now, emails }: { vault: PlatformVault; now: number; emails: string[] },
  session: PageSessionRow | undefined,
): string | null {
  const { verified_at: verifiedAt = null, email_mac: mac = null } = session ?? {};
  if (verifiedAt === null || mac === null || verifiedAt + PAGE_SESSION_SECONDS <= now) return null;
  return emails.find((email) => isSameMac(macOfEmail(vault, email), mac)) ?? null;
}

export function shownAround(
  { platform, buyer }: Pick<BuyerVisit, 'platform' | 'buyer'>,
  isSandbox: boolean,
): ShownAround {
  const { language, formality, checkout_language } = buyer;
  const country = buyer.business_address?.country ?? null;
  return {
    platform: platformView(platform),
    ...localeOfBuyer({ language, formality, checkout_language, country }, platform),
    timeZone: platform.time_zone,
    isSandbox,
  };
}

export function codeView({ email, vault, lastCode, session, now }: BuyerVisit): CodeView {
  const emailMac = email === null ? null : macOfEmail(vault, email);
  const hasCode = emailMac !== null && lastCode !== null && isGood(lastCode, emailMac, now);
  return {
    email: email === null ? null : maskEmail(email),
    // A browser without a session has to request its own code first.
    isSent: hasCode && session !== null,
    validMinutes: CODE_MINUTES,
    againInSeconds: emailMac === null ? 0 : waitSecondsOf(lastCode, emailMac, now),
  };
}
