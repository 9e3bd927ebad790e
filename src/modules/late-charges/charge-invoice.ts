/** Claims what the law gives for an invoice that is paid late, up to yesterday. */
import type { Db } from '#infra/database/database';
import { dayLater } from '#kernel/day';
import { localDayOf } from '#kernel/local-day';
import { type BuyerRow, findBuyer } from '#modules/buyers';
import { findDisputeDays } from '#modules/disputes';
import {
  type ClaimedCharge,
  claimLateCharges,
  findOwedParts,
  type InvoiceRow,
  type LateChargeKind,
  type LateChargeRow,
  listLateChargesOfInvoice,
  listUnsentReminderCharges,
  lockInvoices,
} from '#modules/invoices';
import { findMerchants, type MerchantRow } from '#modules/merchants';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import type { ChangeContext, Context } from '#operation/operation';
import { compensationOf, firstDelayOf } from './compensation.rules.ts';
import { lastDayInTime } from './due-day.rules.ts';
import {
  disputedBy,
  type InterestLine,
  type InterestTerms,
  interestOf,
  interestSum,
  type LateClaim,
} from './late-interest.rules.ts';
import { findLateInterestAgreement, type LateInterestAgreement } from './late-interest-agreement.queries.ts';
import type { DatedValue, LatePaymentLaw } from './late-payment-law.schemas.ts';
import { latePaymentLawOf } from './late-payment-laws.ts';
import { findReferenceRates } from './reference-rate.queries.ts';
import { MissingReferenceRate, valueOn } from './reference-rate.rules.ts';

export interface ChargeRequest {
  invoiceExternalId: string;
  kinds: readonly LateChargeKind[];
  /** The day of a reminder that was not sent by a plan; null without one. */
  remindedOn: string | null;
  reason: string;
}

/** Why no charge can be claimed on an invoice. */
export type ChargeFault = { fault: 'NO_SUCH_INVOICE' | 'CANCELLED' } | { fault: 'NO_LAW'; country: string };

export interface ChargedInvoice {
  fault: null;
  /** The charges claimed now; empty if everything was claimed already or nothing is late. */
  charges: LateChargeRow[];
  /** The missing rates, without which interest or compensation could not be claimed. */
  missing: MissingReferenceRate[];
}

/** The context that charging an invoice needs. */
export type ChargingContext = ChangeContext &
  Pick<Context, 'timeZone'> & {
    /** When reminders of the invoice were handed over, in unix seconds. Passed in because an outer module files documents. */
    listReminderHandovers(db: Db, key: { platformId: number; externalId: string }): Promise<number[]>;
  };

/** The inputs from which a charge is computed. */
interface Delay {
  invoice: InvoiceRow;
  claim: LateClaim;
  terms: InterestTerms;
  /** The agreement with the buyer that applied on the day of the invoice. */
  agreement: LateInterestAgreement | undefined;
  /** Charges of the invoice, earliest first. */
  charged: readonly LateChargeRow[];
  today: string;
}

/**
 * Claims late charges by the law of the merchant's country, or returns the fault and changes nothing. Interest is claimed for the days
 * since its last claim, the compensation once.
 */
export async function chargeInvoice(
  context: ChargingContext,
  { invoiceExternalId, kinds, remindedOn, reason }: ChargeRequest,
): Promise<ChargedInvoice | ChargeFault> {
  const { db, platformId, now, timeZone } = context;
  const [invoice] = await lockInvoices(db, platformId, [invoiceExternalId]);
  if (!invoice) return { fault: 'NO_SUCH_INVOICE' };
  if (invoice.status === 'CANCELLED') return { fault: 'CANCELLED' };
  const [merchant] = await findMerchants(db, [{ platformId, externalId: invoice.merchant_external_id }]);
  const { country } = (merchant as MerchantRow).business_address as { country: string };
  const law = latePaymentLawOf(country);
  if (!law) return { fault: 'NO_LAW', country };
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const buyer = (await findBuyer(db, { platformId, externalId: invoice.buyer_external_id })) as BuyerRow;
  const agreement = await findLateInterestAgreement(db, platformId, {
    buyerExternalId: invoice.buyer_external_id,
    day: localDayOf(invoice.invoiced_at, timeZone),
  });
  const delay: Delay = {
    ...{ invoice, agreement, today: localDayOf(now, timeZone) },
    charged: await chargesThatCount(context, invoice, law),
    claim: await claimOf(context, { invoice, law, remindedOn }),
    terms: {
      law,
      rates: await findReferenceRates(db, platformId),
      isPublicBody: buyer.legal_form === 'GOVERNMENT',
      contract: {
        basisPoints: platform.late_interest_basis_points,
        agreedBasisPoints: agreement?.basis_points ?? null,
      },
    },
  };
  const missing: MissingReferenceRate[] = [];
  const claimed = kinds.flatMap((kind) => {
    try {
      return CHARGE_OF[kind](delay);
    } catch (error) {
      if (!(error instanceof MissingReferenceRate)) throw error;
      missing.push(error);
      return [];
    }
  });
  return { fault: null, missing, charges: await claimLateCharges(context, invoice, claimed, reason) };
}

type Reading = Pick<Context, 'db' | 'platformId' | 'timeZone'>;

async function claimOf(
  context: Pick<ChargingContext, keyof Reading | 'listReminderHandovers'>,
  { invoice, law, remindedOn }: { invoice: InvoiceRow; law: LatePaymentLaw; remindedOn: string | null },
): Promise<LateClaim> {
  const { db, platformId, timeZone } = context;
  const { external_id: externalId } = invoice;
  const days = await findDisputeDays(db, platformId, [externalId]);
  const needsReminder = law.first_day.some(({ value }) => value === 'DAY_AFTER_REMINDER');
  const handovers = needsReminder ? await context.listReminderHandovers(db, { platformId, externalId }) : [];
  const reminders = handovers.map((at) => localDayOf(at, timeZone));
  return {
    parts: await findOwedParts(context, invoice),
    disputes: disputedBy(days.get(externalId) ?? [], law),
    remindedOn: (remindedOn === null ? reminders : [...reminders, remindedOn]).sort(),
  };
}

/** The charges of an invoice, earliest first, without those of reminders that were never sent. */
async function chargesThatCount(
  { db, platformId }: Reading,
  { external_id: externalId }: InvoiceRow,
  law: LatePaymentLaw,
): Promise<LateChargeRow[]> {
  const charges = await listLateChargesOfInvoice(db, { platformId, externalId });
  const mayHaveReminders = law.reminder_charge.some(({ value }) => value !== null);
  const unsent = mayHaveReminders ? await listUnsentReminderCharges(db, { platformId, externalId }) : [];
  return charges.filter(({ external_id }) => !unsent.includes(external_id));
}

/** Computes each kind of charge, at most one at a time. Throws MissingReferenceRate. */
const CHARGE_OF: Record<LateChargeKind, (delay: Delay) => ClaimedCharge[]> = {
  INTEREST({ claim, terms, agreement, charged, today }) {
    const until = dayLater(today, -1);
    const last = charged.findLast(({ kind }) => kind === 'INTEREST')?.accrued_until;
    const first = claim.parts.map(({ dueOn }) => dueOn).sort()[0] as string;
    const lines = interestOf(claim, terms, { from: dayLater(last ?? first, 1), until });
    const amountMinor = interestSum(lines);
    if (amountMinor === 0) return [];
    const sources = [rateSourceOn(terms, until), ...extensionsOf(terms.law, claim, lines)];
    if (agreement && lines.some(({ isRateAboveLaw }) => isRateAboveLaw)) sources.push(agreement.source);
    const computation = {
      country: terms.law.country,
      source: sources.join('; '),
      lines: lines.map(({ installment, from, to, days, ...line }) => ({
        ...{ installment, from, to, days },
        amount: line.amountMinor,
        rate_basis_points: line.rateBasisPoints,
        year_days: line.yearDays,
        interest: line.interestMinor,
      })),
    };
    return [{ kind: 'INTEREST', amountMinor, accruedUntil: until, computation }];
  },
  COMPENSATION({ invoice: { currency }, claim, terms: { law, rates }, charged, today }) {
    const overdue = firstDelayOf(claim, law, today);
    if (!overdue || charged.some(({ kind }) => kind === 'COMPENSATION')) return [];
    const amountMinor = compensationOf(law, rates, { ...overdue, currency });
    return amountMinor === null ? [] : [withoutLines('COMPENSATION', amountMinor, law, overdue.firstDay)];
  },
  REMINDER({ invoice: { currency }, claim, terms: { law }, charged, today }) {
    const charge = valueOn(law.reminder_charge, today);
    const reminders = charged.filter(({ kind }) => kind === 'REMINDER');
    const last = reminders.at(-1)?.charged_on;
    if (!charge || charge.currency !== currency || reminders.length >= charge.count_max) return [];
    if (last !== undefined && today < dayLater(last, charge.days_between)) return [];
    if (!firstDelayOf(claim, law, today)) return [];
    return [withoutLines('REMINDER', charge.amount_minor, law, today)];
  },
};

function withoutLines(
  kind: 'COMPENSATION' | 'REMINDER',
  amountMinor: number,
  law: LatePaymentLaw,
  day: string,
): ClaimedCharge {
  const source = sourceOn(kind === 'REMINDER' ? law.reminder_charge : law.compensation, day);
  return { kind, amountMinor, accruedUntil: null, computation: { country: law.country, source, lines: [] } };
}

function rateSourceOn({ law, isPublicBody }: InterestTerms, day: string): string {
  const hasOwnRate =
    isPublicBody && law.interest_of_public_bodies.some(({ valid_from }) => valid_from <= day);
  return sourceOn(hasOwnRate ? law.interest_of_public_bodies : law.interest, day);
}

/** The articles that delay the interest of a part beyond the day after its due day, if one of the lines is the first of its delay. */
function extensionsOf(law: LatePaymentLaw, { parts }: LateClaim, lines: readonly InterestLine[]): string[] {
  const articles = parts.flatMap(({ number, dueOn }) => {
    const { on, extendedBy: article } = lastDayInTime(law, dueOn);
    const isShown = lines.some(({ installment, from }) => installment === number && from === dayLater(on, 1));
    return article !== null && isShown ? [article] : [];
  });
  return [...new Set(articles)];
}

function sourceOn(values: readonly DatedValue<unknown>[], day: string): string {
  return (values.findLast(({ valid_from }) => valid_from <= day) as DatedValue<unknown>).source;
}
