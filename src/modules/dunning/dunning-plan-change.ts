/** A change of a plan of reminders, of the platform, a merchant or a buyer, which two operators put in force. */
import { StartRefused } from '#kernel/start-refused';
import { findBuyer } from '#modules/buyers';
import { findMerchant } from '#modules/merchants';
import { type ChangeKind, mayAct, type PlannedChange } from '#modules/operators';
import { lockPlatform } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import { insertDunningPlan, listDunningPlans, type PlanScope } from './dunning-plan.queries.ts';
import type { DunningPlan } from './dunning-plan.rules.ts';
import { type LookScope, lookAgain } from './dunning-rescan.queries.ts';

export interface DunningPlanChange extends PlanScope {
  /** Null ends the plan: the more general one applies again, or no reminders are sent. */
  plan: DunningPlan | null;
}

/** A plan of reminders. Any change takes two operators. */
export const dunningPlanChange: ChangeKind<DunningPlanChange> = {
  name: 'DUNNING_PLAN',
  role: 'FINANCE',
  mayApprove: (role) => mayAct(role, 'FINANCE'),
  async plan(context, { plan, ...scope }): Promise<PlannedChange> {
    const { db, platformId, now } = context;
    await lockPlatform(db, platformId);
    await assertPossible(context, scope);
    const before = (await listDunningPlans(db, platformId, scope)).at(-1)?.plan ?? null;
    if (before === null && plan === null)
      throw new StartRefused(`There is no ${nameOf(scope)} that could be ended.`);
    return {
      subject: nameOf(scope),
      before,
      after: plan,
      takesTwo: true,
      async apply(made) {
        await insertDunningPlan(db, platformId, scope, { plan, made: { at: now, ...made } });
        await lookAgain(db, platformId, lookScopeOf(scope), now);
      },
    };
  },
};

async function assertPossible(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  { merchantExternalId, buyerExternalId }: PlanScope,
): Promise<void> {
  if (buyerExternalId !== '' && !(await findBuyer(db, { platformId, externalId: buyerExternalId })))
    throw new StartRefused(`There is no buyer ${buyerExternalId}.`);
  if (merchantExternalId !== '' && !(await findMerchant(db, { platformId, externalId: merchantExternalId })))
    throw new StartRefused(`There is no merchant ${merchantExternalId}.`);
}

function nameOf({ merchantExternalId, buyerExternalId }: PlanScope): string {
  if (buyerExternalId !== '') return `dunning plan of buyer ${buyerExternalId}`;
  return merchantExternalId === ''
    ? 'dunning plan of the platform'
    : `dunning plan of merchant ${merchantExternalId}`;
}

function lookScopeOf({ merchantExternalId, buyerExternalId }: PlanScope): LookScope {
  if (buyerExternalId !== '') return { scope: 'BUYER', externalId: buyerExternalId };
  return merchantExternalId === ''
    ? { scope: 'PLATFORM', externalId: '' }
    : { scope: 'MERCHANT', externalId: merchantExternalId };
}
