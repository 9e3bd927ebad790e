/** The requirements and the cost of financing an invoice: one function for requests, dry runs and examinations. */
import { calendarDaysBetween, localDayOf } from '#kernel/local-day';
import { type FacilityRow, roomOf } from '#modules/facilities';
import { disputedOf, type InvoiceRow, type LastFile, statedDifferences } from '#modules/invoices';
import type { MerchantStatus } from '#modules/merchants';
import { isMerchantEnrolled } from '#modules/merchants';
import type { PayoutTerms } from '#modules/payouts';
import type { FinancingReview, PlatformRow } from '#modules/platforms';
import type { ServiceRequirement, ServiceType } from '#modules/services';
import type { ReasonCode } from '#modules/underwriting';
import {
  type ComputedFee,
  type FeePayer,
  type FinancedPart,
  feeRangeOf,
  type GradedBand,
  type ServiceFees,
} from './service-fee.rules.ts';

/** Everything that decides about a service, as of now. */
export interface ServiceFacts {
  type: ServiceType;
  invoice: InvoiceRow;
  platform: PayoutTerms &
    Pick<
      PlatformRow,
      'currency' | 'financing_currencies' | 'collection_currencies' | 'max_payment_term' | 'financing_review'
    >;
  merchant: FeePayer & { status: MerchantStatus };
  facility: FacilityRow | null;
  tolerancePercent: number;
  hasVerifiedAccount: boolean;
  hasActiveMandate: boolean;
  /** The last file of the kind INVOICE. */
  invoiceFile: LastFile | null;
  /** The file with which a person accepted the financing. */
  approvedFileId: string | null;
  fees: ServiceFees;
  /** Unix seconds. */
  now: number;
}

export interface Examination {
  requirements: ServiceRequirement[];
  /** Whether a requirement is unmet that cannot change: the service is refused immediately. */
  isHopeless: boolean;
  /** The amount that the invoice claims for goods, in minor units. */
  baseMinor: number;
  /** The part of `baseMinor` for which the invoice does not use the facility yet. */
  creditMinor: number;
  /** Null if the service is not offered or has no fee. */
  fee: ComputedFee | null;
  /** The review that a person must decide first; null if none is needed or a person has accepted. */
  review: RequiredReview | null;
}

/** The review of a financing: the file of the invoice that it is about, and its reason. */
export interface RequiredReview {
  fileId: string;
  reason: ReasonCode;
}

interface Unmet extends ServiceRequirement {
  isHopeless?: true;
}

/** Examines the requirements of a service. Lists all that are not met. */
export function examine(facts: ServiceFacts): Examination {
  const { invoice, type } = facts;
  const baseMinor = invoice.amount_gross - invoice.credited_amount;
  const creditMinor = type === 'FINANCING' ? Math.max(0, baseMinor - invoice.credit_used) : 0;
  const fee = type === 'FINANCING' ? financingFeeOf(facts) : null;
  const review = type === 'FINANCING' ? requiredReviewOf(facts) : null;
  const unmet = [
    ...invoiceUnmet(facts),
    ...currencyUnmet(facts),
    ...merchantUnmet(facts, fee),
    ...(type === 'FINANCING' ? financingUnmet(facts, { baseMinor, creditMinor, fee, review }) : []),
  ];
  return {
    requirements: unmet.map(({ code, description }) => ({ code, description })),
    isHopeless: unmet.some(({ isHopeless }) => isHopeless),
    baseMinor,
    creditMinor,
    fee,
    review,
  };
}

/** The parts of the invoice that are still to be paid, without the fee of the payment term. */
export function financedPartsOf({ installments }: Pick<InvoiceRow, 'installments'>): FinancedPart[] {
  return installments.map(({ amount, credited_amount, due_on }) => ({
    amountMinor: amount - credited_amount,
    dueOn: due_on,
  }));
}

/** The band of the facility; null if it has none. */
export function bandOf(facility: FacilityRow | null): GradedBand | null {
  const band = facility?.risk_band ?? null;
  return band === null || band === 'REJECT' ? null : (band as GradedBand);
}

/** At the band of the facility or, without one, at the highest price. */
function financingFeeOf({
  fees,
  merchant,
  invoice,
  facility,
  platform,
  now,
}: ServiceFacts): ComputedFee | null {
  const today = localDayOf(now, platform.time_zone);
  const range = feeRangeOf(fees, merchant, {
    parts: financedPartsOf(invoice),
    band: bandOf(facility),
    today,
  });
  return range?.highest ?? null;
}

function invoiceUnmet({ invoice, type }: ServiceFacts): Unmet[] {
  const ineligible = (description: string): Unmet => ({ code: 'INVOICE_INELIGIBLE', description });
  switch (invoice.status) {
    case 'CLOSED':
    case 'CANCELLED':
      return [{ ...ineligible(`The invoice is ${invoice.status}.`), isHopeless: true }];
    case 'DUE':
    case 'OPEN':
      if (type !== 'FINANCING') return [];
      return [
        ...(invoice.status === 'DUE' ? [ineligible('The invoice is due already.')] : []),
        ...(invoice.paid_amount > 0 ? [ineligible('A part of the invoice is paid already.')] : []),
        ...(disputedOf(invoice) > 0 ? [ineligible('The buyer disputes a part of the invoice.')] : []),
      ];
  }
}

function currencyUnmet({ invoice, platform, type }: ServiceFacts): Unmet[] {
  const { currency } = invoice;
  const further = type === 'COLLECTION' ? platform.collection_currencies : platform.financing_currencies;
  return currency === platform.currency || further.includes(currency)
    ? []
    : [
        {
          code: 'INVOICE_CURRENCY_NOT_SUPPORTED',
          description: `The service is not offered in ${currency}.`,
          isHopeless: true,
        },
      ];
}

function merchantUnmet({ merchant, type }: ServiceFacts, fee: ComputedFee | null): Unmet[] {
  const notEnrolled = (description: string): Unmet => ({
    code: 'MERCHANT_NOT_ENROLLED',
    description,
    isHopeless: true,
  });
  return [
    ...(isMerchantEnrolled(merchant.status) ? [] : [notEnrolled('The merchant is not enrolled.')]),
    ...(type === 'FINANCING' && fee === null
      ? [
          notEnrolled(
            `The service is not offered to merchants of ${merchant.country}: no tax is set for its fee.`,
          ),
        ]
      : []),
  ];
}

function financingUnmet(
  facts: ServiceFacts,
  { baseMinor, creditMinor, fee, review }: Pick<Examination, 'baseMinor' | 'creditMinor' | 'fee' | 'review'>,
): Unmet[] {
  const { invoice, platform, hasVerifiedAccount, hasActiveMandate } = facts;
  const days = termDaysOf(invoice, platform.time_zone);
  const isTooDear = fee !== null && fee.fee_net + fee.fee_tax > baseMinor;
  const unmet: (Unmet | false)[] = [
    days > platform.max_payment_term && {
      code: 'INVOICE_PAYMENT_TERM_EXCEEDED',
      description: `The invoice is due ${days} days after its date; at most ${platform.max_payment_term} are financed.`,
      isHopeless: true,
    },
    isTooDear && {
      code: 'INVOICE_INELIGIBLE',
      description: 'The fee is higher than the invoice.',
    },
    ...facilityUnmet(facts, creditMinor),
    !hasVerifiedAccount && {
      code: 'NO_VERIFIED_PAYOUT_INSTRUCTION',
      description: 'The merchant has no verified payout instruction.',
    },
    invoice.payment_method === 'DEBIT' &&
      !hasActiveMandate && {
        code: 'NO_ACTIVE_MANDATE',
        description: 'The invoice is paid by direct debit, and the buyer has no active mandate.',
      },
    fileUnmet(facts),
    review !== null && {
      code: 'INVOICE_INELIGIBLE',
      description: 'A person must accept the financing first.',
    },
  ];
  return unmet.filter((each) => each !== false);
}

/** A person reviews the financing with the last file of the invoice, so without a file there is no review. */
function requiredReviewOf({ platform, invoiceFile, approvedFileId }: ServiceFacts): RequiredReview | null {
  if (invoiceFile === null || invoiceFile.file_id === approvedFileId) return null;
  const { file_id: fileId, stated } = invoiceFile;
  switch (platform.financing_review as FinancingReview) {
    case 'NEVER':
      return null;
    case 'UNREADABLE_FILES':
      return stated === null ? { fileId, reason: 'INVOICE_FILE_UNREADABLE' } : null;
    case 'ALWAYS':
      return { fileId, reason: 'FINANCING_REVIEWED' };
  }
}

/** An electronic invoice must agree with its invoice. A file that cannot be read is not compared. */
function fileUnmet({ invoiceFile, invoice, platform }: ServiceFacts): Unmet | false {
  if (invoiceFile === null)
    return { code: 'NO_INVOICE_FILE_FOUND', description: 'The invoice has no file of the kind INVOICE.' };
  const { stated } = invoiceFile;
  const differences = stated === null ? [] : statedDifferences(stated, invoice, platform.time_zone);
  return (
    differences.length > 0 && {
      code: 'INVOICE_FILE_DATA_MISMATCH',
      description: `The last file of the kind INVOICE differs from the invoice in ${listed(differences)}.`,
    }
  );
}

function listed(items: readonly string[]): string {
  const [last, ...others] = items.toReversed();
  return others.length === 0 ? `${last}` : `${others.toReversed().join(', ')} and ${last}`;
}

/** The number of days from the date of the invoice to its last instalment. */
function termDaysOf({ installments, invoiced_at }: InvoiceRow, timeZone: string): number {
  const lastDay = installments
    .map(({ due_on }) => due_on)
    .sort()
    .at(-1) as string;
  return calendarDaysBetween(localDayOf(invoiced_at, timeZone), lastDay);
}

/** A frozen facility finances nothing. An amount that an order has reserved needs no further credit. */
function facilityUnmet(
  { facility, invoice, tolerancePercent, now }: ServiceFacts,
  creditMinor: number,
): Unmet[] {
  if (facility?.status === 'FROZEN')
    return [{ code: 'FACILITY_FROZEN', description: "The buyer's facility is frozen." }];
  if (creditMinor === 0) return [];
  if (!facility || facility.status === 'PENDING' || facility.status === 'REJECTED')
    return [{ code: 'FACILITY_MISSING', description: 'The buyer has no facility.' }];
  if (facility.currency !== invoice.currency)
    return [
      {
        code: 'FACILITY_CURRENCY_CONFLICT',
        description: `The buyer's facility is in ${facility.currency}, the invoice in ${invoice.currency}.`,
        isHopeless: true,
      },
    ];
  if (facility.status === 'EXPIRED' || (facility.expires_at !== null && facility.expires_at <= now))
    return [{ code: 'FACILITY_EXPIRED', description: "The period of the buyer's facility has ended." }];
  return creditMinor > roomOf(facility, tolerancePercent)
    ? [
        {
          code: 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
          description: `The facility has ${facility.available_amount} available, and ${creditMinor} is needed.`,
        },
      ]
    : [];
}
