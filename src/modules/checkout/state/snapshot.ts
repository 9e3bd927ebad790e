/** All data of a checkout, read in one statement: for a page, and for a form under its lock. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import { buyerOnFileOf } from '#modules/buyers';
import { isFacilityAwaited, isLimitTooSmall, type Standing, toStanding } from '#modules/facilities';
import { isMerchantEnrolled } from '#modules/merchants';
import { type OrderRow, openInvoiceEmail, openOrderEmail, purchaseOf } from '#modules/orders';
import { type Script, scriptOf } from '#modules/underwriting';
import type { CheckoutDeps } from '../deps.ts';
import { linkKeyOf } from '../links/link.ts';
import type { CheckoutKey, CheckoutRow } from './checkout.queries.ts';
import type { InvoiceEntry } from './checkout.view.ts';
import { type FiledBuyer, toFiledBuyer } from './company-entry.ts';
import { checkoutOutcomeOf } from './outcome.rules.ts';
import { openProgress, type Progress } from './progress.rules.ts';
import { findRefusal, type KnownRefusal } from './refusal.queries.ts';
import { findSnapshot, type SnapshotRows } from './snapshot.queries.ts';

export interface Snapshot
  extends Omit<SnapshotRows, 'buyer' | 'contacts' | 'standing' | 'increaseDecisionId'> {
  key: CheckoutKey;
  vault: PlatformVault;
  /** Unix seconds of the platform's clock. */
  now: number;
  /** Entered by any browser: see `Access.mine` for what the current one may see. */
  progress: Progress | null;
  filed: FiledBuyer;
  /** The order's own contact address; null if it has none. */
  orderEmail: string | null;
  /** The invoice details that the order already has. */
  sentForInvoice: InvoiceEntry;
  standing: Standing;
  /** The refusal that pages explain; null if none. */
  refusal: KnownRefusal | null;
  /** The sandbox's script, by the buyer's id and the contact address; null in production. */
  script: Script | null;
}

export type SnapshotReads = Pick<CheckoutDeps, 'vault' | 'clocks' | 'isSandbox'>;

/** Null for an unknown, expired or revoked token. Also reads closed checkouts. */
export async function readSnapshot(
  { vault: wholeVault, clocks, isSandbox }: SnapshotReads,
  db: Db,
  token: string,
  session: string | null,
): Promise<Snapshot | null> {
  const link = await linkKeyOf(db, token);
  if (!link) return null;
  const found = await findSnapshot(db, {
    ...link,
    sessionSha256: sessionHash(session),
    realNow: clocks.realNow(),
  });
  if (!found) return null;
  const { buyer, contacts, standing: columns, increaseDecisionId, ...rows } = found;
  const { platform, order, checkout } = rows;
  const { platformId } = link;
  clocks.learn(platformId, platform.clock_ahead_seconds);
  const now = clocks.now(platformId);
  const key = { platformId, orderExternalId: rows.link.order_external_id };
  const vault = wholeVault.forPlatform(platform.code, platform.data_key_wrapped);
  const buyerExternalId = order.buyer_external_id;
  const orderEmail = openOrderEmail(vault, order);
  const progress = openProgress(vault, checkout);
  const contactEmail = orderEmail ?? progress?.person?.email;
  const standing = { ...toStanding(columns, now), increaseDecisionId };
  const refusingId = refusingDecisionOf(order, checkout, standing, now);
  return {
    ...rows,
    key,
    vault,
    now,
    progress,
    filed: toFiledBuyer(
      buyerOnFileOf(vault, buyer, contacts, {
        email: orderEmail,
        givenAt: order.created_at,
        isFromMerchant: order.is_email_from_merchant,
      }),
    ),
    orderEmail,
    sentForInvoice: {
      purchaseOrder: order.purchase_order_number ?? '',
      email: openInvoiceEmail(vault, order) ?? '',
      address: order.billing_address,
    },
    standing,
    refusal: refusingId === null ? null : await findRefusal(db, platformId, refusingId),
    script: isSandbox ? scriptOf(buyerExternalId, contactEmail ? [contactEmail] : []) : null,
  };
}

/** Whether nothing can be ordered: the platform is disabled or relocating, or the merchant of the draft may not sell. */
export function isClosed({ platform, order, merchantStatus }: Snapshot): boolean {
  const isOpen = platform.disabled_at === null && platform.relocating_since === null;
  return !isOpen || (order.status === 'DRAFT' && !isMerchantEnrolled(merchantStatus));
}

/**
 * The decision that refused the order, the buyer, or the limit that the order needs; null if none. Refusals are rare, so a separate
 * statement reads their reasons.
 */
function refusingDecisionOf(
  order: OrderRow,
  checkout: CheckoutRow | null,
  standing: Standing,
  now: number,
): string | null {
  const outcome = checkoutOutcomeOf(order);
  if (outcome !== null) return outcome === 'REFUSED' ? order.decision_id : null;
  if (standing.facility?.status === 'REJECTED') return standing.facility.decision_id;
  const purchase = purchaseOf(order);
  const isRefused = isLimitTooSmall(standing, purchase, now) && !isFacilityAwaited(standing, purchase, now);
  return isRefused ? (checkout?.credit_decision_id ?? null) : null;
}

/** Like readSnapshot, but null for a closed checkout. */
export async function readOpenSnapshot(
  deps: SnapshotReads,
  db: Db,
  token: string,
  session: string | null,
): Promise<Snapshot | null> {
  const snapshot = await readSnapshot(deps, db, token, session);
  return snapshot && !isClosed(snapshot) ? snapshot : null;
}

const SESSION_BYTES = 32;
const SESSION = /^[A-Za-z0-9_-]{43}$/;

export function createSession(): string {
  return randomBytes(SESSION_BYTES).toString('base64url');
}

/** Null for text that cannot be a session. */
export function sessionHash(session: string | null): Buffer | null {
  return session !== null && SESSION.test(session) ? createHash('sha256').update(session).digest() : null;
}
