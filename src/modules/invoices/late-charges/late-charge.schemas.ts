import { type Static, Type } from 'typebox';
import {
  CountrySchema,
  CurrencySchema,
  closed,
  externalId,
  minorUnits,
  named,
  nullable,
  oneOf,
  unixSeconds,
} from '#kernel/fields';
import { lateChargeLifecycle } from './late-charge.lifecycle.ts';

export const LATE_CHARGE_KINDS = ['INTEREST', 'COMPENSATION', 'REMINDER'] as const;
export type LateChargeKind = (typeof LATE_CHARGE_KINDS)[number];
export const LateChargeStatusSchema = named('LateChargeStatus', oneOf(lateChargeLifecycle.states));
export const LateChargeKindSchema = named('LateChargeKind', oneOf(LATE_CHARGE_KINDS));

/** The owner of the claim. It is that of the invoice when the charge was claimed. */
const LATE_CHARGE_CREDITORS = ['PLATFORM', 'MERCHANT'] as const;
export type LateChargeCreditor = (typeof LATE_CHARGE_CREDITORS)[number];

const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });

const LateInterestLine = closed(
  {
    installment: Type.Integer({ description: 'The instalment that was paid late' }),
    from: day('The first day'),
    to: day('The last day'),
    days: Type.Integer(),
    amount: minorUnits('The amount of the instalment that was owed on these days'),
    rate_basis_points: Type.Integer({ description: 'The annual rate: 1137 is 11.37 %' }),
    year_days: Type.Integer({ description: 'The number of days by which the annual rate is divided' }),
    interest: minorUnits('The lines sum to the amount of the charge'),
  },
  'LateInterestLine',
);

/** How a late charge was computed. */
export const LateChargeComputation = closed(
  {
    country: CountrySchema,
    source: Type.String({
      description:
        'The law and article; in addition, the article that delays interest if the due day was not a working day, and the ' +
        'agreement of the buyer if a rate is above the law’s',
    }),
    lines: Type.Array(LateInterestLine, { description: 'The lines of interest; empty for other charges' }),
  },
  'LateChargeComputation',
);
export type LateChargeComputation = Static<typeof LateChargeComputation>;

export const LateCharge = closed(
  {
    external_id: externalId('Unique identifier of the charge'),
    status: LateChargeStatusSchema,
    kind: LateChargeKindSchema,
    invoice_external_id: externalId('The invoice that was paid late'),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    creditor: named(
      'LateChargeCreditor',
      oneOf(
        LATE_CHARGE_CREDITORS,
        'The owner of the claim: PLATFORM if the invoice was financed when it was claimed, else MERCHANT',
      ),
    ),
    created_at: unixSeconds('When it was claimed'),
    updated_at: unixSeconds('When it last changed'),
    charged_on: day('The day of the claim, in the time zone of the platform'),
    accrued_until: nullable(day('The last day of the interest; null for other charges')),
    currency: CurrencySchema,
    amount: minorUnits('The amount claimed'),
    paid_amount: minorUnits('The part of the amount that payments settled'),
    waived_amount: minorUnits('The part of the amount that was waived'),
    outstanding_amount: minorUnits('The part of the amount that is still owed'),
    computation: LateChargeComputation,
  },
  'LateCharge',
);
export type LateCharge = Static<typeof LateCharge>;

/** The sums of the late charges of an invoice. They are owed in addition to it. */
export const LateChargeTotals = closed(
  {
    amount: minorUnits('The amount claimed for late payment, in addition to the invoice'),
    paid_amount: minorUnits('The part of the amount that payments settled'),
    waived_amount: minorUnits('The part of the amount that was waived'),
    outstanding_amount: minorUnits('The part of the amount that is still owed'),
  },
  'LateChargeTotals',
);

/** The part of a payment that settles a late charge. */
export const LateChargeAllocation = closed(
  {
    late_charge_external_id: externalId('The late charge'),
    invoice_external_id: externalId('The invoice of the charge'),
    amount: minorUnits('The part of the payment that settles the charge'),
  },
  'LateChargeAllocation',
);
