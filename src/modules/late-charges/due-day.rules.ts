/** The effect on a delay of a due day on a holiday or at a weekend. The due day itself stays. */
import { isWeekend } from '#kernel/bank-holidays';
import { firstDayFrom } from '#kernel/day';
import type { LatePaymentLaw } from './late-payment-law.schemas.ts';
import { isHoliday } from './public-holiday.rules.ts';
import { valueOn } from './reference-rate.rules.ts';

/** The last day on which a payment is in time. */
export interface LastDayInTime {
  on: string;
  /** The law and article that extend it beyond the due day; null if it is the due day. */
  extendedBy: string | null;
}

/** The due day or, if the law says so, the first working day after a due day on which nothing can be demanded. */
export function lastDayInTime(
  law: Pick<LatePaymentLaw, 'due_day_on_holiday' | 'public_holidays'>,
  dueOn: string,
): LastDayInTime {
  const rule = law.due_day_on_holiday.findLast(({ valid_from }) => valid_from <= dueOn);
  if (!rule || rule.value === 'DUE_DAY') return { on: dueOn, extendedBy: null };
  const holidays = valueOn(law.public_holidays, dueOn) ?? [];
  const isFree = (day: string) =>
    isHoliday(holidays, day) || (rule.value === 'NEXT_WORKING_DAY' && isWeekend(day));
  const on = firstDayFrom(dueOn, (day) => !isFree(day));
  return { on, extendedBy: on === dueOn ? null : rule.source };
}
