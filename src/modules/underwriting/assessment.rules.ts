/** Computes the inputs of a policy from what is known about a buyer. */
import type { Address } from '#kernel/address';
import { type Currency, minorDigits } from '#kernel/currency';
import { DAY_SECONDS } from '#kernel/day';
import { MINOR_UNITS_MAX } from '#kernel/fields';
import type { KnownBuyer } from '#modules/buyers';
import type { CompanyCheck } from '#modules/registry';
import type { ApplyingPerson } from './applicant.ts';
import type { ApplicationCounts } from './credit-application.queries.ts';
import { emailDomainOf } from './email-domain.rules.ts';
import type { EntityBuyer } from './entity-buyer.ts';
import { behaviourInputs, type PayingBehaviour } from './paying-behaviour.rules.ts';
import type { FacilitySubject, PolicyInputs } from './policy.schemas.ts';

/** Who applies for the buyer, and who knows that person. */
interface Spokesperson {
  /** Null if none is known. */
  email: string | null;
  /** Addresses that the platform stored when it already knew the company; they prove a domain. */
  emailsOnFile: readonly string[];
  /** Where the goods go; null means to the company. */
  deliveryAddress: Address | null;
  isFirstOrder: boolean;
  voucher: Voucher | null;
}

/** The platform states that it knows the buyer, or a reviewer granted it credit before. */
export type Voucher = { by: 'PLATFORM' } | { by: 'REVIEWER'; decisionId: string; at: number };

/** The buyer's credit, orders and invoices; amounts in minor units of the currency. */
export interface Application {
  /** What is known about the applicant. */
  spokesperson: Spokesperson;
  platformId: number;
  buyerExternalId: string;
  subject: FacilitySubject;
  currency: Currency;
  /** The requested limit; null requests what the policy allows. */
  requestedMinor: number | null;
  /** The gross amount of the order that the limit is for; null without one. */
  orderMinor: number | null;
  /** The person in the checkout; null if the platform or the service applies. */
  applicant: ApplyingPerson | null;
  /** Null without a facility. */
  existingLimitMinor: number | null;
  /** Used plus reserved. */
  exposureMinor: number;
  overdueMinor: number;
  /** Null if no invoice is due. */
  daysPastDueMax: number | null;
  behaviour: PayingBehaviour;
}

/** What registries and the risk source report about the buyer, and the other buyers of the same company. */
export interface Findings {
  company: CompanyCheck;
  counts: ApplicationCounts;
  score: number | null;
  beside: readonly EntityBuyer[];
}

const MONTH_SECONDS = 30 * DAY_SECONDS;

export function inputsOf(
  application: Application,
  buyer: KnownBuyer,
  findings: Findings,
  now: number,
): PolicyInputs {
  const { currency, existingLimitMinor, requestedMinor, orderMinor, exposureMinor } = application;
  const units = (minor: number | bigint) => wholeUnitsOf(minor, currency);
  return {
    subject: application.subject,
    ...companyInputs(application.spokesperson, buyer, findings.company, now),
    ...applicantInputs(application.spokesperson, buyer, findings),
    applicant_proof: application.applicant?.proof ?? (buyer.is_company_entered ? 'UNPROVEN' : 'NOT_ASKED'),
    currency,
    identifiers_given: buyer.business_identifiers.filter(({ type }) => OF_THE_STATE.has(type)).length,
    identifiers_verified: findings.company.verified,
    months_on_platform: Math.max(
      0,
      Math.floor((now - (buyer.registered_at ?? buyer.created_at)) / MONTH_SECONDS),
    ),
    ...behaviourInputs(application.behaviour, units),
    days_past_due_max: application.daysPastDueMax ?? 0,
    overdue_amount: units(application.overdueMinor),
    utilisation_percent: percentOf(exposureMinor, existingLimitMinor),
    requested_amount: requestedMinor === null ? null : units(requestedMinor),
    order_amount: orderMinor === null ? null : units(orderMinor),
    existing_exposure: units(exposureMinor),
    existing_limit: existingLimitMinor === null ? null : units(existingLimitMinor),
    ...entityInputs(findings.beside, currency),
    risk_source_score: findings.score,
  };
}

function entityInputs(beside: readonly EntityBuyer[], currency: Currency) {
  const holding = beside.filter(({ heldMinor }) => heldMinor > 0);
  const comparable = holding.filter((other) => other.currency === currency);
  return {
    entity_buyers: beside.length,
    entity_limit: wholeUnitsOf(
      comparable.reduce((sum, { heldMinor }) => sum + BigInt(heldMinor), 0n),
      currency,
    ),
    entity_in_other_currency: comparable.length < holding.length,
  };
}

/** What a registry says takes precedence over what the buyer says. */
function companyInputs({ voucher }: Spokesperson, buyer: KnownBuyer, company: CompanyCheck, now: number) {
  const incorporated = company.incorporatedAt ?? buyer.incorporated_at;
  return {
    registry_status: company.status,
    name_matches: company.nameMatches,
    identity_source: company.source ?? (voucher === null ? 'SELF_DECLARED' : 'PERSON'),
    legal_form: buyer.legal_form,
    legal_form_source: company.legalFormSource ?? 'SELF_DECLARED',
    country: buyer.business_address.country as string,
    company_age_years: incorporated === null ? null : wholeYears(incorporated, now),
    company_age_source:
      incorporated === null ? null : company.incorporatedAt === null ? 'SELF_DECLARED' : 'REGISTRY',
  } as const;
}

function applicantInputs(
  { email, emailsOnFile, deliveryAddress, isFirstOrder, voucher }: Spokesperson,
  buyer: KnownBuyer,
  { company, counts }: Findings,
) {
  return {
    vouched_by: voucher?.by ?? 'NOBODY',
    email_domain: email === null ? null : emailDomainOf(email, { website: company.website, emailsOnFile }),
    delivery_differs: isElsewhere(deliveryAddress, buyer.business_address, company.seat),
    is_first_order: isFirstOrder,
    applications_24h_company: counts.company,
    applications_24h_email_domain: counts.emailDomain,
    applications_24h_address: counts.address,
    email_domains_24h_company: counts.emailDomainsOfCompany,
  } as const;
}

/**
 * Whether goods go elsewhere than to the registered seat. Compares country and postcode, because streets are spelled in many
 * ways, or the city if either has no postcode. A seat with neither, as tax offices publish it, is at the business address.
 * @param delivery Null: to the business address.
 */
export function isElsewhere(delivery: Address | null, business: Address, seat: Address | null): boolean {
  const one = delivery ?? business;
  const isPlace = (seat?.postcode ?? seat?.city ?? null) !== null;
  const other = seat && isPlace ? seat : { ...business, country: seat?.country ?? business.country };
  const differs = (part: 'country' | 'postcode' | 'city') =>
    one[part] !== null && other[part] !== null && bare(one[part]) !== bare(other[part]);
  const hasPostcodes = one.postcode !== null && other.postcode !== null;
  return differs('country') || differs(hasPostcodes ? 'postcode' : 'city');
}

const bare = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Agency ids do not prove that the company exists. */
const OF_THE_STATE = new Set(['VAT_ID', 'TAX_ID', 'REGISTER_ID']);

/** The limit that the order needs, including the existing exposure; null without an order. */
export function limitForOrder({
  orderMinor,
  exposureMinor,
}: Pick<Application, 'orderMinor' | 'exposureMinor'>): number | null {
  return orderMinor === null ? null : exposureMinor + orderMinor;
}

const minorUnitsIn = (currency: Currency) => 10n ** BigInt(minorDigits(currency));

/** Rounds up: 100.01 euros are 101, so that a policy never sees less than is at stake. */
export function wholeUnitsOf(minor: number | bigint, currency: Currency): number {
  const unit = minorUnitsIn(currency);
  return Number((BigInt(minor) + unit - 1n) / unit);
}

/** Whole units in minor units; null above the largest amount. */
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
