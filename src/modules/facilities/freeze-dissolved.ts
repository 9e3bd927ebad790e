/** Facilities follow their companies in the registry: none grants credit to a company that no longer exists. */
import type { FollowCompanies } from '#modules/buyers';
import { lockActiveFacilitiesOf } from './facility.queries.ts';
import { freezeAsDissolved } from './transition-facility.ts';

const FACILITIES_AT_ONCE_MAX = 500;

/** Freezes the ACTIVE facilities of dissolved companies on all platforms, each with its event. */
export const freezeDissolved: FollowCompanies = async (db, companies, now) => {
  const dissolved = companies.filter((company) => !company.is_active);
  if (dissolved.length === 0) return;
  const ids = dissolved.map((company) => company.company_id);
  for (let isMore = true; isMore; ) {
    const facilities = await lockActiveFacilitiesOf(db, ids, FACILITIES_AT_ONCE_MAX);
    for (const facility of facilities)
      await freezeAsDissolved({ db, platformId: facility.platform_id, actor: 'service', now }, facility);
    isMore = facilities.length > 0;
  }
};
