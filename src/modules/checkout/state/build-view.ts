/** Builds the view of one browser, without anything that this browser may not see. */
import type { PlatformVault, Vault } from '#infra/secrets/vault';
import { maskEmail } from '#kernel/email';
import type { Formality, Language } from '#kernel/language';
import { localeOfBuyer } from '#modules/buyers';
import { type OrderRow, paymentDueOf } from '#modules/orders';
import { bankAccountOf, type PlatformRow, platformOrigins } from '#modules/platforms';
import { CODE_MINUTES, isGood, macOfEmail, waitSecondsOf } from '../access/code.rules.ts';
import type { RequestedCode } from '../access/requested-code.rules.ts';
import { returnUrlFor } from '../links/return-url.rules.ts';
import type { CheckoutView, OrderView, PlatformView } from './checkout.view.ts';
import { type CheckoutState, checkoutStateOf } from './checkout-state.rules.ts';
import { isCancellable, isGoodOutcome } from './outcome.rules.ts';
import type { Snapshot } from './snapshot.ts';
import { TERMS_VERSION } from './terms.ts';

/** @param realNow Unix seconds of the real clock, with which the platform compares the signature of the return URL. */
export function buildView(
  snapshot: Snapshot,
  { vault, realNow, sandbox }: { vault: Vault; realNow: number; sandbox: CheckoutView['sandbox'] },
): CheckoutView {
  const { order, checkout, platform, link } = snapshot;
  const state = checkoutStateOf(snapshot);
  const { outcome, offered, mine } = state;
  const status = { orderExternalId: order.external_id, status: order.status, t: realNow };
  return {
    platform: platformView(platform),
    sandbox,
    reviewDays: platform.review_days,
    timeZone: platform.time_zone,
    ...localeFor(snapshot),
    order: orderView(snapshot),
    version: checkout?.version ?? 1,
    step: state.step,
    steps: state.steps,
    companyName: state.company?.legalName ?? null,
    code: state.code && codeView(snapshot, state.code),
    company: state.company,
    isCompanyOnFile: state.isBuyerOnFile,
    person: state.person,
    isPersonOnFile: state.person !== null && !mine?.person,
    delivery: state.delivery,
    invoice: state.invoice,
    credit: offered.credit,
    refusal: state.company === null ? null : refusalView(snapshot),
    offers: offered.offers,
    unavailable: offered.unavailable,
    choice: state.choice?.term ?? null,
    termsVersion: TERMS_VERSION,
    outcome,
    paymentDue: transferDueOf(snapshot.vault, order, platform),
    agreed: order.term_offer,
    notifiedEmail: notifiedEmail(snapshot, state),
    returnUrl: returnUrlFor(link, platform, vault, status, isGoodOutcome(outcome) ? 'SUCCESS' : 'ERROR'),
    isCancellable: isCancellable(order) && state.mayCancel,
  };
}

/** The payment in advance that the order waits for, with the account of the platform. */
export function transferDueOf(
  vault: PlatformVault,
  order: OrderRow,
  platform: PlatformRow,
): CheckoutView['paymentDue'] {
  const due = paymentDueOf(order);
  return due && { ...due, account: bankAccountOf(vault, platform) };
}

export function platformView(platform: PlatformRow): PlatformView {
  return {
    code: platform.code,
    name: platform.name,
    country: platform.country,
    logo: platform.logo_url === null ? null : (platform.logo_url.split('/').at(-1) ?? null),
    helpEmail: platform.support_emails[0] ?? null,
    brandColor: platform.brand_color,
    privacyUrl: platform.privacy_url,
    imprintUrl: platform.imprint_url,
    termsUrl: platform.terms_url,
    origins: platformOrigins(platform),
  };
}

/** The buyer's choice on the page, else the browser's language, else that of mails to the buyer; the formality of the buyer or platform. */
export function localeFor({ checkout, filed, platform }: Pick<Snapshot, 'checkout' | 'filed' | 'platform'>): {
  language: Language;
  formality: Formality;
} {
  const { language, formality } = localeOfBuyer(filed, platform);
  return { language: checkout?.language ?? language, formality };
}

function orderView({ order, merchantName }: Snapshot): OrderView {
  return {
    externalId: order.external_id,
    merchantName,
    currency: order.currency,
    netMinor: order.amount_net,
    taxMinor: order.amount_tax,
    grossMinor: order.amount_gross,
    comment: order.comment,
    lines: order.line_items.map(({ name, description, quantity, price }) => ({
      name,
      description,
      quantity,
      priceMinor: price,
    })),
  };
}

function refusalView({ refusal }: Snapshot): CheckoutView['refusal'] {
  return refusal && { reasons: refusal.reasons, review: refusal.review };
}

function codeView(
  { lastCode, vault, now }: Snapshot,
  { purpose, email }: RequestedCode,
): CheckoutView['code'] {
  const emailMac = macOfEmail(vault, email);
  return {
    purpose,
    email: purpose === 'FILE' ? maskEmail(email) : email,
    isSent: lastCode !== null && isGood(lastCode, emailMac, now),
    validMinutes: CODE_MINUTES,
    againInSeconds: waitSecondsOf(lastCode, emailMac, now),
  };
}

/** Where the outcome is mailed: the order's own address, else the address of the person who orders. */
function notifiedEmail({ orderEmail }: Snapshot, { mine, maySeeFile, person }: CheckoutState): string | null {
  const own = mine?.person?.email;
  const email = orderEmail ?? person?.email ?? null;
  if (email === null) return null;
  return maySeeFile || email === own ? email : maskEmail(email);
}
