/** A change by two operators: the fees of services and their taxes. */
import { type ChangeKind, mayAct } from '#modules/operators';
import { findPlatform, lockPlatform, type PlatformRow } from '#modules/platforms';
import { findServiceFees, insertServiceFees } from './service-fee.queries.ts';
import type { ServiceFees } from './service-fee.rules.ts';

/** The fees of services. Any change takes two operators. */
export const serviceFeeChange: ChangeKind<ServiceFees> = {
  name: 'SERVICE_FEES',
  role: 'FINANCE',
  mayApprove: (role) => mayAct(role, 'FINANCE'),
  async plan({ db, platformId, now }, fees) {
    await lockPlatform(db, platformId);
    return {
      subject: 'service fees of the platform',
      before: await findServiceFees(db, (await findPlatform(db, platformId)) as PlatformRow, now),
      after: fees,
      takesTwo: true,
      async apply(made) {
        await insertServiceFees(db, platformId, fees, { at: now, ...made });
      },
    };
  },
};
