/** What operators change about limits: the settings of a platform, and those of one buyer until an instant. */
import { StartRefused } from '#kernel/start-refused';
import { findBuyer } from '#modules/buyers';
import { type ChangeKind, mayAct, type PlannedChange, type Role } from '#modules/operators';
import { lockPlatform } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import {
  type CreditSettingsRow,
  deleteCreditSettings,
  findCreditSettings,
  putCreditSettings,
} from './credit-settings.queries.ts';
import { type LimitPolicySettings, limitPolicyOf, NO_SETTINGS } from './limit-policy.rules.ts';
import { raisedForBuyer, raisedSettings } from './limit-policy-change.rules.ts';

/** The settings that an operator names; null unsets one. */
export type SettingChanges = Partial<Omit<LimitPolicySettings, 'expires_at'>>;

export interface LimitPolicyChange {
  /** Empty: the platform's own settings. */
  buyerExternalId: string;
  /** Null clears all settings. */
  changes: SettingChanges | null;
  /** Unix seconds; null for the platform. */
  expiresAt: number | null;
}

/** The limit policy without the prices. Takes two operators if it raises what can be owed. */
export const limitPolicyChange = settingsChange('LIMIT_POLICY', 'CREDIT');

/** The price table. Any change takes two operators. */
export const priceTableChange = settingsChange('PRICE_TABLE', 'FINANCE');

function settingsChange(name: string, role: Role): ChangeKind<LimitPolicyChange> {
  return { name, role, mayApprove: (approver) => mayAct(approver, role), plan };
}

async function plan(context: ChangeContext, change: LimitPolicyChange): Promise<PlannedChange> {
  const { db, platformId, now } = context;
  const { buyerExternalId } = change;
  await lockPlatform(db, platformId);
  await assertPossible(context, change);
  const ofPlatform = await findCreditSettings(db, { platformId, buyerExternalId: '' });
  const isOfPlatform = buyerExternalId === '';
  const before = isOfPlatform
    ? ofPlatform
    : inForce(await findCreditSettings(db, { platformId, buyerExternalId }), now);
  const after = settingsAfter(before, change);
  const policyWith = (settings: LimitPolicySettings | undefined) =>
    isOfPlatform ? limitPolicyOf(settings, undefined, now) : limitPolicyOf(ofPlatform, settings, now);
  const raised = isOfPlatform
    ? raisedSettings(policyWith(before), policyWith(after))
    : raisedForBuyer(ofPlatform, { before, after }, now);
  const shown = (settings: LimitPolicySettings | undefined) => ({
    ...policyWith(settings),
    ...(!isOfPlatform && { expiresAt: settings?.expires_at ?? null }),
  });
  return {
    subject: isOfPlatform ? 'limits of the platform' : `limits of buyer ${buyerExternalId}`,
    before: shown(before),
    after: shown(after),
    takesTwo: raised.length > 0,
    apply: ({ actor, approvedBy, reason }) =>
      write(context, change, { set_by: actor, approved_by: approvedBy, reason }),
  };
}

async function assertPossible(
  { db, platformId, now }: ChangeContext,
  { buyerExternalId, changes, expiresAt }: LimitPolicyChange,
): Promise<void> {
  if (buyerExternalId === '' || changes === null) return;
  if (expiresAt === null || expiresAt <= now) throw new StartRefused('--expires must be a day to come.');
  if (!(await findBuyer(db, { platformId, externalId: buyerExternalId })))
    throw new StartRefused(`There is no buyer ${buyerExternalId}.`);
}

/** An expired override must not become valid again with a new expiry. */
function inForce(settings: CreditSettingsRow | undefined, now: number): CreditSettingsRow | undefined {
  return settings?.expires_at != null && settings.expires_at <= now ? undefined : settings;
}

function settingsAfter(
  before: LimitPolicySettings | undefined,
  { changes, expiresAt }: LimitPolicyChange,
): LimitPolicySettings | undefined {
  return changes === null ? undefined : { ...NO_SETTINGS, ...before, ...changes, expires_at: expiresAt };
}

async function write(
  { db, platformId, now }: ChangeContext,
  { buyerExternalId, changes, expiresAt }: LimitPolicyChange,
  made: { set_by: string; approved_by: string | null; reason: string },
): Promise<void> {
  const key = { platformId, buyerExternalId };
  if (changes === null) {
    await deleteCreditSettings(db, key);
    return;
  }
  await deleteCreditSettings(db, key, now);
  await putCreditSettings(db, {
    ...changes,
    ...(changes.price_table != null && { price_table: JSON.stringify(changes.price_table) }),
    platform_id: platformId,
    buyer_external_id: buyerExternalId,
    expires_at: expiresAt,
    set_at: now,
    ...made,
  });
}
