import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayLater } from '#kernel/day';
import { disputedBy, interestOf, interestSum, type LateClaim } from './late-interest.rules.ts';
import type { LatePaymentLaw, ReferenceRates } from './late-payment-law.schemas.ts';
import { LAW_COUNTRIES, latePaymentLawOf, shippedReferenceRates } from './late-payment-laws.ts';

/** The first day of a half-year. The days after it span a 29 February, and all their reference rates are known. */
const FIRST_DAY = '2023-07-01';
const CALENDAR = Array.from({ length: 400 }, (_, days) => dayLater(FIRST_DAY, days));
const day = fc.constantFrom(...CALENDAR);

/** A part that is paid, credited, and owed again after reversals, in any order. */
const partArbitrary = fc.record({
  dueOn: day,
  amountMinor: fc.integer({ min: 1, max: 1_000_000_000_000 }),
  changes: fc.array(
    fc.record({ on: day, amountMinor: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }) }),
    { maxLength: 4 },
  ),
});

const lifeArbitrary = fc.record({
  country: fc.constantFrom(...LAW_COUNTRIES.filter((country) => country !== 'BG')),
  isPublicBody: fc.boolean(),
  lastDay: fc.constantFrom('DAY_OF_PAYMENT' as const, 'DAY_BEFORE_PAYMENT' as const),
  dayCount: fc.constantFrom('ACTUAL_360' as const, 'ACTUAL_365' as const, 'ACTUAL_ACTUAL' as const),
  rounding: fc.constantFrom('HALF_UP' as const, 'DOWN' as const),
  dueDay: fc.constantFrom(...(['DUE_DAY', 'NEXT_WORKING_DAY', 'NEXT_WORKING_DAY_OR_SATURDAY'] as const)),
  /** Many, so that some are consecutive. */
  holidays: fc.array(day, { minLength: 1, maxLength: 60 }),
  parts: fc.array(partArbitrary, { minLength: 1, maxLength: 3 }),
  disputes: fc.array(
    fc
      .tuple(
        day,
        fc.option(fc.integer({ min: 0, max: 200 })),
        fc.integer({ min: 1, max: 2_000_000_000 }),
        fc.constantFrom(0, 0.4, 1),
      )
      .map(([from, length, amountMinor, credited]) => ({
        ...{ from, amountMinor },
        until: length === null ? null : dayLater(from, length),
        creditedMinor: length === null ? 0 : Math.floor(amountMinor * credited),
      })),
    { maxLength: 3 },
  ),
  remindedOn: fc.array(day, { maxLength: 3 }),
  contract: fc.record({
    basisPoints: fc.option(fc.integer({ min: 0, max: 3_000 })),
    agreedBasisPoints: fc.option(fc.integer({ min: 0, max: 3_000 })),
  }),
  claimedOn: fc.array(day, { minLength: 1, maxLength: 3 }),
});
type Life = typeof lifeArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** Includes the credit notes of accepted disputes, which reduce the last part. */
function changesOf({ parts, disputes }: Life, part: Life['parts'][number]) {
  if (part !== parts.at(-1)) return part.changes;
  const credited = disputes.flatMap(({ until, creditedMinor }) =>
    until === null || creditedMinor === 0 ? [] : [{ on: until, amountMinor: -creditedMinor }],
  );
  return [...part.changes, ...credited];
}

/** The undisputed, outstanding amount of each part on a day. */
function chargedOn(life: Life, today: string): number[] {
  const isPast = (on: string) => (life.lastDay === 'DAY_OF_PAYMENT' ? on < today : on <= today);
  let disputed = 0;
  for (const { from, until, amountMinor, creditedMinor } of life.disputes) {
    if (today < from) continue;
    if (until === null || today < until) disputed += amountMinor;
    else if (!isPast(until)) disputed += creditedMinor;
  }
  const latestFirst = [...life.parts].reverse().map((part) => {
    let owed = part.amountMinor;
    for (const change of changesOf(life, part)) if (isPast(change.on)) owed += change.amountMinor;
    const charged = Math.max(0, Math.max(0, owed) - disputed);
    disputed -= Math.max(0, owed) - charged;
    return charged;
  });
  return latestFirst.reverse();
}

/** The due day, or the first working day after it. */
function inTimeUntil({ dueDay, holidays }: Pick<Life, 'dueDay' | 'holidays'>, dueOn: string): string {
  if (dueDay === 'DUE_DAY') return dueOn;
  const weekday = new Date(dueOn).getUTCDay();
  const isFree =
    weekday === 0 || (weekday === 6 && dueDay === 'NEXT_WORKING_DAY') || holidays.includes(dueOn);
  return isFree ? inTimeUntil({ dueDay, holidays }, dayLater(dueOn, 1)) : dueOn;
}

/** The day after which a part bears interest: the last day in time, or the day of the first reminder that covers the part. */
function lateFromOf(life: Life, law: LatePaymentLaw, index: number): string | undefined {
  const inTime = inTimeUntil(life, (life.parts[index] as Life['parts'][number]).dueOn);
  if (law.first_day[0]?.value !== 'DAY_AFTER_REMINDER') return inTime;
  const asking = life.remindedOn.filter(
    (each) => each >= inTime && (chargedOn(life, each)[index] as number) > 0,
  );
  return asking.toSorted()[0];
}

/** The same computation day by day and without intervals: `units` of 1 / (10,000 × 1,603,080) minor units. */
function unitsByDay(life: Life, law: LatePaymentLaw, rates: ReferenceRates, from: string, until: string) {
  const lateFrom = life.parts.map((_, index) => lateFromOf(life, law, index));
  let units = 0n;
  for (const today of CALENDAR.filter((each) => from <= each && each <= until))
    for (const [index, charged] of chargedOn(life, today).entries()) {
      const last = lateFrom[index];
      if (last === undefined || today <= last) continue;
      const rate = naiveRate(life, law, rates, today, dayLater(last, 1));
      const year = {
        ACTUAL_360: 360n,
        ACTUAL_365: 365n,
        ACTUAL_ACTUAL: today < '2024' || today > '2025' ? 365n : 366n,
      };
      units += BigInt(charged) * BigInt(rate) * (1_603_080n / year[life.dayCount]);
    }
  return units;
}

function naiveRate(life: Life, law: LatePaymentLaw, rates: ReferenceRates, today: string, firstDay: string) {
  const ownPeriod = life.isPublicBody ? law.rate_period_of_public_bodies[0] : undefined;
  const on = (ownPeriod ?? law.rate_period[0])?.value === 'WHOLE_DELAY' ? firstDay : today;
  const ofPublic = life.isPublicBody ? law.interest_of_public_bodies[0] : undefined;
  const interest = (ofPublic ?? law.interest[0])?.value;
  let lawful = 0;
  if (interest) {
    lawful = interest.margin_basis_points;
    const series = rates.series.find(({ code }) => code === interest.reference_rate);
    const halfYear = `${on.slice(0, 4)}-${on.slice(5, 7) >= '07' ? '07' : '01'}-01`;
    const isBefore = law.fixing_day[0]?.value === 'LAST_OF_PREVIOUS_HALF_YEAR';
    for (const { valid_from, ten_thousandths } of series?.rates ?? [])
      if (isBefore ? valid_from < halfYear : valid_from <= halfYear)
        lawful = interest.margin_basis_points + ten_thousandths;
  }
  const { basisPoints, agreedBasisPoints } = life.contract;
  if (basisPoints === null) return lawful;
  return basisPoints <= lawful
    ? basisPoints
    : Math.max(lawful, Math.min(basisPoints, agreedBasisPoints ?? 0));
}

describe('the interest of 10,000 random lives', () => {
  it('is the same by intervals and by day, whenever it is claimed', () => {
    const rates = shippedReferenceRates();
    fc.assert(
      fc.property(lifeArbitrary, (life) => {
        const dated = <Value>(value: Value) => [{ valid_from: '2000-01-01', source: 'the test', value }];
        const law: LatePaymentLaw = {
          ...(latePaymentLawOf(life.country) as LatePaymentLaw),
          last_day: dated(life.lastDay),
          day_count: dated(life.dayCount),
          rounding: dated(life.rounding),
          due_day_on_holiday: dated(life.dueDay),
          public_holidays: dated(life.holidays.map((on) => ({ name: 'Declared once', day: on }))),
        };
        const claim: LateClaim = {
          ...{ disputes: disputedBy(life.disputes, law), remindedOn: life.remindedOn.toSorted() },
          parts: life.parts.map((part, index) => ({
            ...{ dueOn: part.dueOn, amountMinor: part.amountMinor, number: index + 1 },
            changes: changesOf(life, part),
          })),
        };
        let from = FIRST_DAY;
        for (const until of [...life.claimedOn].sort()) {
          const lines = interestOf(
            claim,
            { law, rates, isPublicBody: life.isPublicBody, contract: life.contract },
            { from, until },
          );
          const units = unitsByDay(life, law, rates, from, until);
          const half = life.rounding === 'HALF_UP' ? 8_015_400_000n : 0n;
          expect(BigInt(interestSum(lines))).toBe((units + half) / 16_030_800_000n);
          from = dayLater(until, 1);
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
