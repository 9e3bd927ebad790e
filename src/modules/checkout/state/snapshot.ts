/** All that is known of a checkout, read together: for its page, and again under the lock for each form. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import { buyerOnFileOf } from '#modules/buyers';
import { type Standing, toStanding } from '#modules/facilities';
import { openOrderEmail } from '#modules/orders';
import { type Script, scriptOf } from '#modules/underwriting';
import type { CheckoutDeps } from '../deps.ts';
import type { LinkRow } from '../links/link.queries.ts';
import { hashOf } from '../links/link.ts';
import type { CheckoutKey } from './checkout.queries.ts';
import { type FiledBuyer, toFiledBuyer } from './filed-buyer.ts';
import { openProgress, type Progress } from './progress.rules.ts';
import { readTogether, type SnapshotRows } from './snapshot.queries.ts';

export interface Snapshot extends Omit<SnapshotRows, 'buyer' | 'contacts' | 'standing'> {
  key: CheckoutKey;
  vault: PlatformVault;
  /** Unix seconds, by the platform's clock. */
  now: number;
  /** Whatever browser it was entered by. */
  progress: Progress | null;
  filed: FiledBuyer;
  /** The order's own; null where it came without. */
  orderEmail: string | null;
  standing: Standing;
  /** Of the sandbox, by how the buyer and whoever orders are called. */
  script: Script | null;
}

export type SnapshotReads = Pick<CheckoutDeps, 'vault' | 'clocks' | 'isSandbox'>;

function keyOf(link: Pick<LinkRow, 'platform_id' | 'order_external_id'>): CheckoutKey {
  return { platformId: link.platform_id, orderExternalId: link.order_external_id };
}

/** Null for a token that leads nowhere; a disabled platform's checkout is read like any. */
export async function readSnapshot(
  { vault: wholeVault, clocks, isSandbox }: SnapshotReads,
  db: Db,
  token: string,
  session: string | null,
): Promise<Snapshot | null> {
  const found = await readTogether(db, {
    tokenSha256: hashOf(token),
    sessionSha256: sessionHash(session),
    realNow: clocks.realNow(),
  });
  if (!found) return null;
  const { buyer, contacts, standing, ...rows } = found;
  const { link, platform, order, checkout } = rows;
  const platformId = platform.platform_id;
  clocks.learn(platformId, platform.clock_ahead_seconds);
  const now = clocks.now(platformId);
  const vault = wholeVault.forPlatform(platform.code, platform.data_key_wrapped);
  const buyerExternalId = order.buyer_external_id;
  const orderEmail = openOrderEmail(vault, order);
  const progress = openProgress(vault, checkout);
  const named = orderEmail ?? progress?.person?.email;
  return {
    ...rows,
    key: keyOf(link),
    vault,
    now,
    progress,
    filed: toFiledBuyer(buyerOnFileOf(vault, buyer, contacts, orderEmail)),
    orderEmail,
    standing: toStanding(standing, now),
    script: isSandbox ? scriptOf(buyerExternalId, named ? [named] : []) : null,
  };
}

/** The same, and null where the platform is disabled: nothing is done then. */
export async function readOpenSnapshot(
  deps: SnapshotReads,
  db: Db,
  token: string,
  session: string | null,
): Promise<Snapshot | null> {
  const reading = await readSnapshot(deps, db, token, session);
  return reading && reading.platform.disabled_at === null ? reading : null;
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
