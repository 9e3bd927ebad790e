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

/** Whose claim a late charge is: as the invoice's was when it was claimed. */
const LATE_CHARGE_CREDITORS = ['PLATFORM', 'MERCHANT'] as const;
export type LateChargeCreditor = (typeof LATE_CHARGE_CREDITORS)[number];

const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });

const LateInterestLine = closed(
  {
    installment: Type.Integer({ description: 'The instalment that was paid late' }),
    from: day('The first day'),
    to: day('The last day'),
    days: Type.Integer(),
    amount: minorUnits('What was owed of the instalment on these days'),
    rate_basis_points: Type.Integer({ description: 'The yearly rate: 1137 is 11.37 %' }),
    year_days: Type.Integer({ description: 'The days by which the yearly rate is divided' }),
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
        'The law and article; beside it that by which interest begins later, where the due day was no working day, and what the ' +
        'buyer agreed to, where a rate is above the law’s',
    }),
    lines: Type.Array(LateInterestLine, { description: 'Of interest; none of other charges' }),
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
        'Whose claim it is: PLATFORM if the invoice was financed when it was claimed',
      ),
    ),
    created_at: unixSeconds('When it was claimed'),
    updated_at: unixSeconds('When it last changed'),
    charged_on: day('The day of the claim, in the time zone of the platform'),
    accrued_until: nullable(day('The last day of the interest; null for other charges')),
    currency: CurrencySchema,
    amount: minorUnits('What was claimed'),
    paid_amount: minorUnits('What payments settled of it'),
    waived_amount: minorUnits('What was given up of it'),
    outstanding_amount: minorUnits('Still owed of it'),
    computation: LateChargeComputation,
  },
  'LateCharge',
);
export type LateCharge = Static<typeof LateCharge>;

/** The late charges of an invoice together. They are owed beside it. */
export const LateChargeTotals = closed(
  {
    amount: minorUnits('What was claimed for paying late, beside the invoice'),
    paid_amount: minorUnits('What is paid of the late charges'),
    waived_amount: minorUnits('What is given up of the late charges'),
    outstanding_amount: minorUnits('Still owed of it'),
  },
  'LateChargeTotals',
);

/** What of a payment settles a late charge. */
export const LateChargeAllocation = closed(
  {
    late_charge_external_id: externalId('The late charge'),
    invoice_external_id: externalId('Its invoice'),
    amount: minorUnits('What of the payment settles it'),
  },
  'LateChargeAllocation',
);
