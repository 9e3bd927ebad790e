/** The checkout's interface for its pages: opens a link, and maps each form to its function. */
import type { Db } from '#infra/database/database';
import { platformLanguage } from '#modules/platforms';
import { findDemoCompanies } from '#modules/registry';
import { createRateLimit } from '#operation/rate-limit';
import { createApplicationLimits } from '../access/application-limits.ts';
import type { CheckoutDeps } from '../deps.ts';
import { buildView, localeFor, platformView } from '../state/build-view.ts';
import { insertSession, newCheckout } from '../state/checkout.queries.ts';
import type { CheckoutForms, Opened, PageVisit } from '../state/checkout.view.ts';
import { checkoutOutcomeOf } from '../state/outcome.rules.ts';
import {
  createSession,
  isClosed,
  readOpenSnapshot,
  readSnapshot,
  type Snapshot,
  sessionHash,
} from '../state/snapshot.ts';
import { submitCancellation } from './cancel-order.ts';
import { chooseLanguage } from './choose-language.ts';
import { choosePayment } from './choose-payment.ts';
import { searchCompanies } from './company-search.ts';
import { enterCode, skipCode } from './enter-code.ts';
import { chooseCompany, enterCompany } from './enter-company.ts';
import { enterDetails } from './enter-details.ts';
import type { FormMemory } from './form-memory.ts';
import { submitOrder } from './place-order.ts';
import { requestReview } from './request-review.ts';
import { sendCode } from './send-code.ts';

/** The same limit as for an API key. */
const SEARCHES_PER_SECOND = 5;

export function createCheckoutForms(deps: CheckoutDeps): CheckoutForms {
  const searchLimit = createRateLimit(SEARCHES_PER_SECOND, SEARCHES_PER_SECOND, deps.clock);
  const memory: FormMemory = {
    creditRequests: new Map(),
    limits: createApplicationLimits(deps.companyApplicationsPerHour, deps.clock),
  };
  return {
    open: (token, session, visit = {}) => open(deps, token, session, visit),
    async statusOf(token) {
      const snapshot = await readOpenSnapshot(deps, deps.db, token, null);
      if (!snapshot) return null;
      return { outcome: checkoutOutcomeOf(snapshot.order), version: snapshot.checkout?.version ?? 1 };
    },
    chooseLanguage: (sender, language) => chooseLanguage(deps, sender, language),
    sendCode: (sender) => sendCode(deps, memory, sender),
    enterCode: (sender, code) => enterCode(deps, memory, sender, code),
    skipCode: (sender) => skipCode(deps, sender),
    searchCompanies: (sender, query) => searchCompanies(deps, searchLimit, sender, query),
    chooseCompany: (sender, businessId) => chooseCompany(deps, sender, businessId),
    enterCompany: (sender, company) => enterCompany(deps, sender, company),
    enterDetails: (sender, details) => enterDetails(deps, memory, sender, details),
    requestReview: (sender) => requestReview(deps, sender),
    choosePayment: (sender, term) => choosePayment(deps, sender, term),
    placeOrder: (sender, consent) => submitOrder(deps, sender, consent),
    cancelOrder: (sender) => submitCancellation(deps, sender),
  };
}

const COMPANIES_TO_TRY = 3;

/** Companies of the demo registry to try on the company page. None once the company is known. */
async function findCompaniesToTry(
  db: Db,
  { filed, platform }: Snapshot,
  isCompanyPage: boolean,
): Promise<string[]> {
  if (!isCompanyPage || filed.company !== null) return [];
  return findDemoCompanies(db, platform.country, COMPANIES_TO_TRY);
}

async function open(
  deps: CheckoutDeps,
  token: string,
  session: string | null,
  { browserLanguage = null, isCompanyPage = false }: PageVisit,
): Promise<Opened> {
  const { db, vault, clocks } = deps;
  const snapshot = await readSnapshot(deps, db, token, session);
  if (!snapshot) return { kind: 'UNKNOWN' };
  if (isClosed(snapshot)) {
    const { platform } = snapshot;
    const { formality } = platform;
    const language = platformLanguage(platform);
    return { kind: 'DISABLED', platform: platformView(platform), language, formality };
  }
  const newSession = snapshot.session ? null : createSession();
  const { filed, key, now } = snapshot;
  // Stored with the checkout: else the country of a company that is entered later would change the language between two pages.
  const firstLanguage = browserLanguage ?? localeFor(snapshot).language;
  const checkout = snapshot.checkout ?? newCheckout(key, now, filed.language === null ? firstLanguage : null);
  // The snapshot was read without the new session. The view is the same, because a new session may see nothing yet.
  if (newSession) await insertSession(db, checkout, sessionHash(newSession) as Buffer, now);
  const sandbox = deps.isSandbox
    ? { companies: await findCompaniesToTry(db, snapshot, isCompanyPage) }
    : null;
  const view = buildView({ ...snapshot, checkout }, { vault, realNow: clocks.realNow(), sandbox });
  return { kind: 'OPEN', view, newSession };
}
