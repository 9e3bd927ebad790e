/** The schemas of the files in policies/late-payment: the law of a country, and the reference rates that laws name. */
import { type Static, type TSchema, Type } from 'typebox';
import { CountrySchema, CurrencySchema, closed, line, nullable, oneOf } from '#kernel/fields';
import { compileValidator } from '#operation/validation';

const BASIS_POINTS_MAX = 10_000;

const MONTH_AND_DAY = '(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const calendarDay = Type.String({ pattern: `^\\d{4}-${MONTH_AND_DAY}$` });
const rateCode = Type.String({ pattern: '^[A-Z]{2,4}(_[A-Z]+)+$' });
const minor = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 });

/** A value that the law sets from a day on, with the law and article that set it. */
export interface DatedValue<Value> {
  valid_from: string;
  source: string;
  value: Value;
}

function datedValues<S extends TSchema>(value: S, minItems: 0 | 1 = 1) {
  return Type.Array(closed({ valid_from: calendarDay, source: line(300), value }), {
    minItems,
    maxItems: 100,
  });
}

/** A reference rate plus a margin; without a reference rate, the margin is the rate. Null: the law gives no claim. */
const lawfulInterest = nullable(
  closed({
    reference_rate: nullable(rateCode),
    margin_basis_points: Type.Integer({ minimum: 0, maximum: BASIS_POINTS_MAX }),
  }),
);

const fixedCompensation = nullable(
  closed({
    /** The currency of the claim and of the tiers. */
    currency: CurrencySchema,
    tiers: Type.Array(closed({ from_minor: minor, amount_minor: minor }), { minItems: 1, maxItems: 10 }),
    /** Present if the amounts are in another currency than the claim. */
    conversion: nullable(
      closed({
        amount_currency: CurrencySchema,
        rate: rateCode,
        day: oneOf(['FIRST_DAY_OF_DELAY', 'END_OF_PREVIOUS_MONTH', 'FIRST_OF_HALF_YEAR']),
      }),
    ),
  }),
);

const RATE_PERIODS = ['HALF_YEAR', 'WHOLE_DELAY'] as const;

const calendarYear = Type.Integer({ minimum: 1900, maximum: 2099 });

/** A holiday of the entire country. Holidays that always fall on a Sunday are not listed. */
const publicHoliday = closed({
  name: line(100),
  /** Each year, by date or by distance from Easter Sunday; with a year, only once. */
  day: Type.String({
    pattern: `^((FRIDAY_FROM_|\\d{4}-)?${MONTH_AND_DAY}|(ORTHODOX_)?EASTER[+-]\\d{1,2})$`,
  }),
  from_year: Type.Optional(calendarYear),
  until_year: Type.Optional(calendarYear),
  /** If it falls on a weekend, the next working day is a holiday too. */
  has_substitute: Type.Optional(Type.Boolean()),
});
export type PublicHoliday = Static<typeof publicHoliday>;

const LatePaymentLaw = closed({
  notice: line(300),
  country: CountrySchema,
  law: line(300),
  interest: datedValues(lawfulInterest),
  /** The interest that public bodies owe if it differs; empty if it does not. */
  interest_of_public_bodies: datedValues(lawfulInterest, 0),
  /** The day whose reference rate applies. */
  fixing_day: datedValues(oneOf(['FIRST_OF_HALF_YEAR', 'LAST_OF_PREVIOUS_HALF_YEAR'])),
  /** For how long the reference rate applies. */
  rate_period: datedValues(oneOf(RATE_PERIODS)),
  /** The period for debtors that are public bodies if it differs; empty if it does not. */
  rate_period_of_public_bodies: datedValues(oneOf(RATE_PERIODS), 0),
  day_count: datedValues(oneOf(['ACTUAL_360', 'ACTUAL_365', 'ACTUAL_ACTUAL'])),
  first_day: datedValues(oneOf(['DAY_AFTER_DUE', 'DAY_AFTER_REMINDER'])),
  /** The last day in time for a payment due on a Sunday, a holiday or a Saturday; empty if unknown, which means the due day. */
  due_day_on_holiday: datedValues(oneOf(['DUE_DAY', 'NEXT_WORKING_DAY', 'NEXT_WORKING_DAY_OR_SATURDAY']), 0),
  /** Not needed if the due day counts. */
  public_holidays: datedValues(Type.Array(publicHoliday, { minItems: 1, maxItems: 100 }), 0),
  last_day: datedValues(oneOf(['DAY_BEFORE_PAYMENT', 'DAY_OF_PAYMENT'])),
  rounding: datedValues(oneOf(['HALF_UP', 'DOWN'])),
  compensation: datedValues(fixedCompensation),
  reminder_charge: datedValues(
    nullable(
      closed({
        currency: CurrencySchema,
        amount_minor: minor,
        count_max: Type.Integer({ minimum: 1, maximum: 10 }),
        days_between: Type.Integer({ minimum: 0, maximum: 365 }),
      }),
    ),
  ),
  invoice_must_state: datedValues(Type.Array(oneOf(['LATE_INTEREST_RATE', 'FIXED_COMPENSATION']))),
});
export type LatePaymentLaw = Static<typeof LatePaymentLaw>;
/** The name of a value that has changed over time: `interest`, `day_count`. */
export type LawName = Exclude<keyof LatePaymentLaw, 'notice' | 'country' | 'law'>;

const ReferenceRatesFile = closed({
  notice: Type.Optional(line(300)),
  series: Type.Array(
    closed({
      code: rateCode,
      name: line(100),
      publisher: line(100),
      source: line(300),
      /** The last day for which the rates are known; null if none is known. */
      known_until: nullable(calendarDay),
      rates: Type.Array(
        closed({
          valid_from: calendarDay,
          /** 2.15 % is 215, and 4.3480 zlotys to a euro are 43480. */
          ten_thousandths: Type.Integer({ minimum: -BASIS_POINTS_MAX, maximum: 100_000_000 }),
        }),
        { maxItems: 10_000 },
      ),
    }),
    { minItems: 1, maxItems: 100 },
  ),
});
export type ReferenceRates = Static<typeof ReferenceRatesFile>;
export type ReferenceSeries = ReferenceRates['series'][number];

const lawIssuesOf = compileValidator(LatePaymentLaw, 'body');
const rateIssuesOf = compileValidator(ReferenceRatesFile, 'body');

/** Parses the text of a country's law; returns a sentence for each fault if it is invalid. */
export function readLatePaymentLaw(text: string): { law: LatePaymentLaw } | { faults: string[] } {
  const read = readJson<LatePaymentLaw>(text, lawIssuesOf, lawFaults);
  return 'faults' in read ? read : { law: read.value };
}

/** Parses the text of reference rates; returns a sentence for each fault if it is invalid. */
export function readReferenceRates(text: string): { rates: ReferenceRates } | { faults: string[] } {
  const read = readJson<ReferenceRates>(text, rateIssuesOf, ({ series }) => seriesFaults(series));
  return 'faults' in read ? read : { rates: read.value };
}

function readJson<Value>(
  text: string,
  issuesOf: typeof lawIssuesOf,
  faultsOf: (value: Value) => string[],
): { value: Value } | { faults: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { faults: [`it is not JSON (${(error as Error).message})`] };
  }
  const issues = issuesOf(value);
  const faults =
    issues.length > 0
      ? issues.map(({ path, message }) =>
          path === 'body' ? `it ${message}` : `${path.slice('body.'.length)} ${message}`,
        )
      : faultsOf(value as Value);
  return faults.length > 0 ? { faults } : { value: value as Value };
}

function lawFaults(law: LatePaymentLaw): string[] {
  const { notice: _notice, country: _country, law: _law, ...values } = law;
  return [
    ...Object.entries(values).flatMap(([name, dated]) => orderFaults(name, dated)),
    ...law.compensation.flatMap(({ value }, index) => tierFaults(`compensation.${index}`, value)),
    ...law.public_holidays.flatMap(({ value }, index) => holidayFaults(`public_holidays.${index}`, value)),
  ];
}

function holidayFaults(path: string, holidays: readonly PublicHoliday[]): string[] {
  return holidays.flatMap(({ day }, index) => {
    const isValid = day.includes('EASTER') || isDay(day) || isDay(`2023-${day.slice(-5)}`);
    return isValid ? [] : [`${path}.value.${index}.day is no day`];
  });
}

function tierFaults(path: string, value: LatePaymentLaw['compensation'][number]['value']): string[] {
  const starts = value?.tiers.map(({ from_minor }) => from_minor) ?? [0];
  const isAscending = starts.every((start, index) => index === 0 || start > (starts[index - 1] as number));
  return [
    ...(starts[0] === 0 ? [] : [`${path}.tiers must begin at 0`]),
    ...(isAscending ? [] : [`${path}.tiers must ascend`]),
  ];
}

function seriesFaults(series: readonly ReferenceSeries[]): string[] {
  const codes = series.map(({ code }) => code);
  return series.flatMap(({ code, known_until: knownUntil, rates }, index) => {
    const last = rates.at(-1)?.valid_from;
    return [
      ...(codes.indexOf(code) === index ? [] : [`series.${index} is the second of ${code}`]),
      ...orderFaults(`series.${index}.rates`, rates),
      ...(knownUntil === null || isDay(knownUntil) ? [] : [`series.${index}.known_until is no day`]),
      ...(last !== undefined && (knownUntil === null || knownUntil < last)
        ? [`series.${index}.known_until is before its last rate`]
        : []),
    ];
  });
}

function orderFaults(path: string, dated: readonly { valid_from: string }[]): string[] {
  return dated.flatMap(({ valid_from: day }, index) => [
    ...(isDay(day) ? [] : [`${path}.${index}.valid_from is no day`]),
    ...(index === 0 || day > (dated[index - 1]?.valid_from as string)
      ? []
      : [`${path}.${index}.valid_from is not after the one before`]),
  ]);
}

/** Rejects days that match the pattern but do not exist, such as 30 February. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
