/**
 * Links to the buyer's own page. A token is sealed with the key of its platform: it can be neither read nor made without the
 * key, and is not stored. It only allows its holder to have a code mailed to the buyer.
 */
import type { PlatformVault } from '#infra/secrets/vault';
import { DAY_SECONDS } from '#kernel/day';

/** How long a link is valid, by the platform's clock: longer than a payment term and the reminders after it. */
export const PAGE_LINK_SECONDS = 90 * DAY_SECONDS;

export interface PageLink {
  buyerExternalId: string;
  /** The invoice that the page shows first; null for all. */
  invoiceExternalId: string | null;
  /** The recipient of the mail with the link, as the keyed hash of `recipientMacOf`. Null if the link was in no mail. */
  recipientMac: string | null;
  /** Unix seconds of the platform's clock. */
  expiresAt: number;
}

const BOUND_TO = 'buyer_page_link';
const PLATFORM_BYTES = 4;
const PLATFORM_ID_MAX = 2 ** 31 - 1;
/** Enough to find one address among those of a buyer. */
const MAC_BYTES = 8;
/** Longer than any token. */
const TOKEN_CHARACTERS_MAX = 500;

export function createPageToken(vault: PlatformVault, platformId: number, link: PageLink): string {
  const { buyerExternalId, invoiceExternalId, recipientMac, expiresAt } = link;
  const parts = [expiresAt.toString(36), recipientMac ?? '', buyerExternalId, invoiceExternalId ?? ''];
  const platform = Buffer.alloc(PLATFORM_BYTES);
  platform.writeUInt32BE(platformId);
  return Buffer.concat([platform, vault.seal(BOUND_TO, parts.join('.'))]).toString('base64url');
}

/** The id of the platform whose key opens the token; null if the text is not a token. */
export function platformOfPageToken(token: string): number | null {
  const id = bytesOf(token)?.readUInt32BE() ?? 0;
  return id > 0 && id <= PLATFORM_ID_MAX ? id : null;
}

/** Opens a token; null if it was not made with the key of this platform. Does not check `expiresAt`. */
export function openPageToken(vault: PlatformVault, token: string): PageLink | null {
  const bytes = bytesOf(token);
  if (bytes === null) return null;
  try {
    const [expires = '', mac = '', buyer = '', invoice = ''] = vault
      .open(BOUND_TO, bytes.subarray(PLATFORM_BYTES))
      .split('.');
    return {
      expiresAt: Number.parseInt(expires, 36),
      recipientMac: mac || null,
      buyerExternalId: buyer,
      invoiceExternalId: invoice || null,
    };
  } catch {
    return null;
  }
}

/** A keyed hash of an e-mail address, regardless of case. */
export function recipientMacOf(vault: PlatformVault, email: string): string {
  return vault.mac('buyer-page-recipient', email.toLowerCase()).subarray(0, MAC_BYTES).toString('base64url');
}

/** Where and when a link is made. `baseUrl` has no trailing slash; `now` in unix seconds of the platform's clock. */
interface Maker {
  vault: PlatformVault;
  platformId: number;
  baseUrl: string;
  now: number;
}

interface WantedLink extends Pick<PageLink, 'buyerExternalId' | 'invoiceExternalId'> {
  /** The address that the link is sent to; null if it is in no mail. */
  recipient: string | null;
}

/** A link that is valid for PAGE_LINK_SECONDS from now. Give it to the buyer only. */
export function newPageLink(
  { vault, platformId, baseUrl, now }: Maker,
  { recipient, ...named }: WantedLink,
): { url: string; expiresAt: number } {
  const expiresAt = now + PAGE_LINK_SECONDS;
  const recipientMac = recipient === null ? null : recipientMacOf(vault, recipient);
  const token = createPageToken(vault, platformId, { ...named, recipientMac, expiresAt });
  return { url: `${baseUrl}/buyer/${token}`, expiresAt };
}

/** The bytes of a token. Refuses every base64url spelling of the same bytes but the canonical one. */
function bytesOf(token: string): Buffer | null {
  if (token.length > TOKEN_CHARACTERS_MAX) return null;
  const bytes = Buffer.from(token, 'base64url');
  return bytes.length > PLATFORM_BYTES && bytes.toString('base64url') === token ? bytes : null;
}
