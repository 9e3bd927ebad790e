/** The activation of a credit policy, which always takes two operators. */
import { StartRefused } from '#kernel/start-refused';
import { type ChangeKind, mayAct } from '#modules/operators';
import { findActivePolicy, findPolicyVersion, insertActivation } from './credit-policy.queries.ts';

export interface PolicyActivation {
  version: number;
}

export const policyActivation: ChangeKind<PolicyActivation> = {
  name: 'CREDIT_POLICY',
  role: 'CREDIT',
  mayApprove: (role) => mayAct(role, 'CREDIT'),
  async plan({ db, platformId, now }, { version }) {
    const [active, wanted] = await Promise.all([
      findActivePolicy(db, platformId),
      findPolicyVersion(db, platformId, version),
    ]);
    if (!wanted) throw new Error(`Version ${version} of the credit policy is missing.`);
    if (active?.version === version) throw new StartRefused(`Version ${version} is already in force.`);
    const shown = (policy: typeof wanted) => ({
      version: policy.version,
      name: policy.name,
      sha256: policy.sha256.toString('hex'),
    });
    return {
      subject: 'credit policy',
      before: active ? shown(active) : null,
      after: shown(wanted),
      takesTwo: true,
      async apply({ actor, approvedBy, reason }) {
        const activation = { platformId, version, activatedAt: now, activatedBy: actor, approvedBy, reason };
        if (!(await insertActivation(db, activation)))
          throw new StartRefused(
            'Another policy was activated at the same time: check which policy is in force with tradeline policy show.',
          );
      },
    };
  },
};
