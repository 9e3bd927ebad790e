/** Changes of limits by operators: the settings of a platform, and those of one buyer until an instant. */
import { dayOf } from '#kernel/day';
import { StartRefused } from '#kernel/start-refused';
import { findBuyer } from '#modules/buyers';
import { type ChangeKind, mayAct, type PlannedChange, type Role } from '#modules/operators';
import { lockPlatform } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import { findCreditSettings, insertCreditSettings, listOverrides } from './credit-settings.queries.ts';
import {
  type LimitPolicy,
  type LimitPolicySettings,
  limitPolicyOf,
  NO_SETTINGS,
  settingsIn,
  settingsInForce,
} from './limit-policy.rules.ts';
import { raisedForBuyer, raisedSettings, withoutLooser } from './limit-policy-change.rules.ts';

/** The settings that an operator names; null unsets one. */
export type SettingChanges = Partial<Omit<LimitPolicySettings, 'expires_at'>>;

export interface LimitPolicyChange {
  /** Empty: the platform's own settings. */
  buyerExternalId: string;
  /** Null clears the limit policy. The price table stays. */
  changes: SettingChanges | null;
  /** Unix seconds; null for the platform. */
  expiresAt: number | null;
}

/** The limit policy without the prices. Takes two operators if it raises what can be owed. */
export const limitPolicyChange = settingsChange('LIMIT_POLICY', 'CREDIT');

/** The price table. Any change takes two operators. */
export const priceTableChange = settingsChange('PRICE_TABLE', 'FINANCE');

function settingsChange(name: string, role: 'CREDIT' | 'FINANCE'): ChangeKind<LimitPolicyChange> {
  const mayApprove = (approver: Role) => mayAct(approver, role);
  return { name, role, mayApprove, plan: (context, change) => plan(context, change, role) };
}

async function plan(
  context: ChangeContext,
  change: LimitPolicyChange,
  role: 'CREDIT' | 'FINANCE',
): Promise<PlannedChange> {
  const { db, platformId, now } = context;
  const { buyerExternalId } = change;
  await lockPlatform(db, platformId);
  await assertPossible(context, change);
  const ofPlatform = await findCreditSettings(db, { platformId, buyerExternalId: '' });
  const isOfPlatform = buyerExternalId === '';
  const last = isOfPlatform ? ofPlatform : await findCreditSettings(db, { platformId, buyerExternalId });
  // An expired override must not become valid again with a new expiry.
  const before = settingsInForce(last, now);
  assertOwnEnd(before, change, role);
  const after = settingsAfter(before, change);
  const ended = isOfPlatform ? await overridesEndedBy(context, before, after) : [];
  const policyWith = (settings: LimitPolicySettings | undefined) =>
    isOfPlatform ? limitPolicyOf(settings, undefined, now) : limitPolicyOf(ofPlatform, settings, now);
  const raised = isOfPlatform
    ? raisedSettings(policyWith(before), policyWith(after))
    : raisedForBuyer(ofPlatform, { before, after }, now);
  const shown = (settings: LimitPolicySettings | undefined) => ({
    ...policyWith(settings),
    ...(!isOfPlatform && { expiresAt: settings?.expires_at ?? null }),
  });
  const endedShown = ended.length > 0 && { ends: ended.map(({ shown: each }) => each) };
  return {
    subject: isOfPlatform ? 'limits of the platform' : `limits of buyer ${buyerExternalId}`,
    before: shown(before),
    after: { ...shown(after), ...endedShown },
    takesTwo: raised.length > 0,
    async apply(made) {
      const insert = (buyer: string, settings: LimitPolicySettings) =>
        insertCreditSettings(db, { platformId, buyerExternalId: buyer }, settings, { at: now, ...made });
      await insert(buyerExternalId, after ?? NO_SETTINGS);
      for (const { buyer, left } of ended) await insert(buyer, left);
    },
  };
}

async function assertPossible(
  { db, platformId, now }: ChangeContext,
  { buyerExternalId, changes, expiresAt }: LimitPolicyChange,
): Promise<void> {
  if (buyerExternalId === '' || changes === null) return;
  if (expiresAt === null || expiresAt <= now)
    throw new StartRefused('--expires must be a day in the future.');
  if (!(await findBuyer(db, { platformId, externalId: buyerExternalId })))
    throw new StartRefused(`There is no buyer ${buyerExternalId}.`);
}

function settingsAfter(
  before: LimitPolicySettings | undefined,
  { changes, expiresAt }: LimitPolicyChange,
): LimitPolicySettings | undefined {
  if (changes !== null) return { ...NO_SETTINGS, ...before, ...changes, expires_at: expiresAt };
  if (before?.price_table == null) return undefined;
  return { ...NO_SETTINGS, price_table: before.price_table, expires_at: before.expires_at };
}

/**
 * All settings of a buyer end at the same time. Throws StartRefused for a new end if there are settings that the role does
 * not set, because it would also change their end.
 */
function assertOwnEnd(
  before: LimitPolicySettings | undefined,
  { buyerExternalId, changes, expiresAt }: LimitPolicyChange,
  role: 'CREDIT' | 'FINANCE',
): void {
  if (!before || changes === null || before.expires_at === expiresAt) return;
  const { price_table: prices, expires_at: _, ...limits } = settingsIn(before);
  const isOthers =
    role === 'CREDIT' ? prices !== null : Object.values(limits).some((value) => value !== null);
  if (isOthers)
    throw new StartRefused(
      `The ${role === 'CREDIT' ? 'price table' : 'limit policy'} of ${buyerExternalId} already ends on another day, and both must end together: give --expires ${lastDayOf(before.expires_at)}.`,
    );
}

/** The last day on which settings apply. `expiresAt` is the end of that day. */
const lastDayOf = (expiresAt: number | null) => (expiresAt === null ? '' : dayOf(expiresAt - 1));

interface EndedOverride {
  buyer: string;
  left: LimitPolicySettings;
  /** `cafe-morgenrot: tolerancePercent` */
  shown: string;
}

/**
 * The overrides that end in part because the platform's settings become stricter. A looser setting ends, so that no override
 * keeps what the platform no longer allows. The prices of a buyer are an agreement and stay.
 */
async function overridesEndedBy(
  { db, platformId, now }: ChangeContext,
  before: LimitPolicySettings | undefined,
  after: LimitPolicySettings | undefined,
): Promise<EndedOverride[]> {
  const [policyBefore, policyAfter] = [before, after].map((own) => limitPolicyOf(own, undefined, now));
  const tightened = raisedSettings(policyAfter as LimitPolicy, policyBefore as LimitPolicy);
  if (tightened.length === 0) return [];
  const ended: EndedOverride[] = [];
  for (const override of await listOverrides(db, platformId, now)) {
    const { left, settings } = withoutLooser(override, policyAfter as LimitPolicy, tightened);
    const buyer = override.buyer_external_id;
    if (settings.length > 0) ended.push({ buyer, left, shown: `${buyer}: ${settings.join(', ')}` });
  }
  return ended;
}
