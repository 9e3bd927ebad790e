/** Computes the inputs of a policy from what is known of a buyer. */
import { type Currency, minorDigits } from '#kernel/currency';
import { DAY_SECONDS } from '#kernel/day';
import { MINOR_UNITS_MAX } from '#kernel/fields';
import type { KnownBuyer } from '#modules/buyers';
import type { ApplyingPerson } from './applicant.ts';
import { behaviourInputs, type PayingBehaviour } from './paying-behaviour.rules.ts';
import type { FacilitySubject, PolicyInputs } from './policy.schemas.ts';

/** The buyer's credit, orders and invoices; amounts in minor units of the currency. */
export interface Application {
  platformId: number;
  buyerExternalId: string;
  subject: FacilitySubject;
  currency: Currency;
  requestedMinor: number | null;
  /** The person in the checkout; null where the platform or the service applies. */
  applicant: ApplyingPerson | null;
  /** Null without a facility. */
  existingLimitMinor: number | null;
  /** Used plus reserved. */
  exposureMinor: number;
  overdueMinor: number;
  /** Null when no invoice is due. */
  daysPastDueMax: number | null;
  behaviour: PayingBehaviour;
}

/** What registries and the risk source say of the buyer. */
export interface Findings {
  identifiersVerified: number;
  /** Unix seconds, from a registry. */
  incorporatedAt: number | null;
  score: number | null;
}

const MONTH_SECONDS = 30 * DAY_SECONDS;

export function inputsOf(
  application: Application,
  buyer: KnownBuyer,
  { identifiersVerified, incorporatedAt, score }: Findings,
  now: number,
): PolicyInputs {
  const { currency, existingLimitMinor, requestedMinor, exposureMinor } = application;
  const units = (minor: number | bigint) => wholeUnitsOf(minor, currency);
  const incorporated = buyer.incorporated_at ?? incorporatedAt;
  return {
    subject: application.subject,
    applicant_proof: application.applicant?.proof ?? 'NOT_ASKED',
    legal_form: buyer.legal_form,
    country: buyer.business_address.country as string,
    currency,
    company_age_years: incorporated === null ? null : wholeYears(incorporated, now),
    identifiers_given: buyer.business_identifiers.filter(({ type }) => OF_THE_STATE.has(type)).length,
    identifiers_verified: identifiersVerified,
    months_on_platform: Math.max(
      0,
      Math.floor((now - (buyer.registered_at ?? buyer.created_at)) / MONTH_SECONDS),
    ),
    ...behaviourInputs(application.behaviour, units),
    days_past_due_max: application.daysPastDueMax ?? 0,
    overdue_amount: units(application.overdueMinor),
    utilisation_percent: percentOf(exposureMinor, existingLimitMinor),
    requested_amount: requestedMinor === null ? null : units(requestedMinor),
    existing_exposure: units(exposureMinor),
    existing_limit: existingLimitMinor === null ? null : units(existingLimitMinor),
    risk_source_score: score,
  };
}

/** Agency ids do not prove that the company exists. */
const OF_THE_STATE = new Set(['VAT_ID', 'TAX_ID', 'REGISTER_ID']);

const minorUnitsIn = (currency: Currency) => 10n ** BigInt(minorDigits(currency));

/** Rounds up: 100.01 euros are 101, so that a policy never sees less than is at stake. */
export function wholeUnitsOf(minor: number | bigint, currency: Currency): number {
  const unit = minorUnitsIn(currency);
  return Number((BigInt(minor) + unit - 1n) / unit);
}

/** Null above the largest amount. */
export function minorUnitsOf(units: number, currency: Currency): number | null {
  const minor = BigInt(units) * minorUnitsIn(currency);
  return minor > BigInt(MINOR_UNITS_MAX) ? null : Number(minor);
}

function percentOf(minor: number, limitMinor: number | null): number {
  return limitMinor === null || limitMinor === 0 ? 0 : Number((BigInt(minor) * 100n) / BigInt(limitMinor));
}

/** Whole years between two instants, by the calendar in UTC; 0 before the first birthday. */
function wholeYears(from: number, to: number): number {
  const [start, end] = [new Date(from * 1_000), new Date(to * 1_000)];
  const isBeforeBirthday =
    end.getUTCMonth() < start.getUTCMonth() ||
    (end.getUTCMonth() === start.getUTCMonth() && end.getUTCDate() < start.getUTCDate());
  return Math.max(0, end.getUTCFullYear() - start.getUTCFullYear() - (isBeforeBirthday ? 1 : 0));
}
