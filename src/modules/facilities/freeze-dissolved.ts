/** Facilities follow their companies in the registry: none grants credit to a company that no longer exists. */
import type { FollowCompanies } from '#modules/buyers';
import { lockActiveFacilitiesOf } from './facility.queries.ts';
import { facilityTransitionOf } from './freeze.rules.ts';
import { transitionFacility } from './transition-facility.ts';

const ACTOR = 'service';
const FACILITIES_AT_ONCE_MAX = 500;

/** Freezes the ACTIVE facilities of dissolved companies on all platforms, each with its event. */
export const freezeDissolved: FollowCompanies = async (db, companies, now) => {
  const dissolved = companies.filter((company) => !company.is_active);
  if (dissolved.length === 0) return;
  const ids = dissolved.map((company) => company.company_id);
  for (let isMore = true; isMore; ) {
    const facilities = await lockActiveFacilitiesOf(db, ids, FACILITIES_AT_ONCE_MAX);
    for (const facility of facilities) {
      const context = { db, platformId: facility.platform_id, actor: ACTOR, now };
      const transition = facilityTransitionOf(facility, 'freeze_dissolved');
      await transitionFacility(context, facility, { transition }, REASON);
    }
    isMore = facilities.length === FACILITIES_AT_ONCE_MAX;
  }
};

const REASON = 'The registry says that the company is dissolved.';
