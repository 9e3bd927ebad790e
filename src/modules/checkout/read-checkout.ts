/** All that is known of a checkout, read together: for its page, and again under the lock for each form. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#infra/database';
import type { PlatformVault } from '#infra/vault';
import { type BuyerFile, findBuyerFile } from '#modules/buyers';
import { findStanding, type Standing } from '#modules/facilities';
import { findMerchant } from '#modules/merchants';
import { type OrderRow, openContactEmail } from '#modules/orders';
import { type Script, scriptOf } from '#modules/underwriting';
import {
  type CheckoutKey,
  type CheckoutRow,
  findCheckout,
  findSession,
  type SessionRow,
} from './checkout.queries.ts';
import { type FiledBuyer, toFiledBuyer } from './filed-buyer.ts';
import type { FoundLink } from './link.ts';
import { openProgress, type Progress } from './progress.rules.ts';
import type { CheckoutSurroundings } from './surroundings.ts';

export interface Reading extends FoundLink {
  key: CheckoutKey;
  vault: PlatformVault;
  /** Unix seconds, by the platform's clock. */
  now: number;
  checkout: CheckoutRow | undefined;
  /** Undefined for a browser that has none, or none of this checkout. */
  session: SessionRow | undefined;
  /** Whatever browser it was entered by. */
  progress: Progress | null;
  filed: FiledBuyer;
  merchantName: string;
  /** The order's own; null where it came without. */
  orderEmail: string | null;
  standing: Standing;
  /** Of the sandbox, by how the buyer and whoever orders are called. */
  script: Script | null;
}

export type Reads = Pick<CheckoutSurroundings, 'vault' | 'clocks' | 'isSandbox'>;

export function keyOf({ link }: Pick<FoundLink, 'link'>): CheckoutKey {
  return { platformId: link.platform_id, orderExternalId: link.order_external_id };
}

/** @param order As it is now: the one of the link may be older. */
export async function readCheckout(
  { vault: wholeVault, clocks, isSandbox }: Reads,
  db: Db,
  found: FoundLink,
  order: OrderRow,
  session: string | null,
): Promise<Reading> {
  const { platform } = found;
  const platformId = platform.platform_id;
  const key = keyOf(found);
  const now = clocks.now(platformId);
  const vault = wholeVault.forPlatform(platform.code, platform.data_key_wrapped);
  const buyerExternalId = order.buyer_external_id;
  const hash = sessionHash(session);
  const orderEmail = openContactEmail(vault, order);
  const [checkout, sessionRow, file, merchant, standing] = await Promise.all([
    findCheckout(db, key),
    hash ? findSession(db, key, hash) : undefined,
    findBuyerFile(db, vault, { platformId, externalId: buyerExternalId }, orderEmail),
    findMerchant(db, { platformId, externalId: order.merchant_external_id }),
    findStanding(db, { platformId, buyerExternalId, at: now }),
  ]);
  const progress = openProgress(vault, checkout);
  const named = orderEmail ?? progress?.person?.email;
  return {
    ...found,
    order,
    key,
    vault,
    now,
    checkout,
    session: sessionRow,
    progress,
    // An order's buyer is never taken away.
    filed: toFiledBuyer(file as BuyerFile),
    merchantName: merchant?.trading_name ?? merchant?.legal_name ?? '',
    orderEmail,
    standing,
    script: isSandbox ? scriptOf(buyerExternalId, named ? [named] : []) : null,
  };
}

const SESSION_BYTES = 32;
const SESSION = /^[A-Za-z0-9_-]{43}$/;

export function newSession(): string {
  return randomBytes(SESSION_BYTES).toString('base64url');
}

/** Null for what no session of ours is. */
export function sessionHash(session: string | null): Buffer | null {
  return session !== null && SESSION.test(session) ? createHash('sha256').update(session).digest() : null;
}
