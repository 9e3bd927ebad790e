/** The button of a refused credit limit, or of a refused renewal: requests a review by a person. */
import { inTransaction } from '#infra/database/transaction';
import { AlreadyRequested, requestReviewOfRefusal } from '#modules/checkout';
import { findFacility } from '#modules/facilities';
import type { BuyerPageDeps } from './deps.ts';
import { findFacilityRefusal } from './facility-refusal.ts';
import { LOCKED, PAGE_DONE, type PageFormResult, UNKNOWN } from './page-form.ts';
import { type PageSender, readVisit, shownAround } from './visit.ts';

/** Opens one review for each decision, regardless of the window, or checkout, of the request. */
export async function requestPageReview(deps: BuyerPageDeps, sender: PageSender): Promise<PageFormResult> {
  const requested = inTransaction(deps.db, async (db): Promise<PageFormResult> => {
    const visit = await readVisit(deps, db, sender);
    if (visit === null) return UNKNOWN;
    const { key, vault, now, verifiedEmail: email } = visit;
    if (email === null) return LOCKED;
    const { platformId } = key;
    const facility = await findFacility(db, { platformId, buyerExternalId: key.externalId });
    const refusal = facility ? await findFacilityRefusal(db, facility) : null;
    if (refusal?.review !== 'POSSIBLE') return PAGE_DONE;
    const { language, formality } = shownAround(visit, deps.isSandbox);
    const about = { platformId, vault, refusal, orderExternalId: null };
    await requestReviewOfRefusal(db, { ...about, email, language, formality, now });
    return PAGE_DONE;
  });
  const result = await requested.catch((error) => {
    if (error instanceof AlreadyRequested) return PAGE_DONE;
    throw error;
  });
  if (result.kind === 'DONE') deps.onCommitted();
  return result;
}
