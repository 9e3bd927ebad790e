/** What the transfer that the page proposes is for. */

export interface OpenInstalment {
  /** Unix seconds. */
  due_at: number;
  /** In minor units. */
  amount: number;
}

/**
 * In minor units: all that is due, or else the next instalment; and the late charges, which are always due. 0 if nothing is
 * owed.
 * @param now Unix seconds.
 */
export function dueNow(instalments: readonly OpenInstalment[], lateCharges: number, now: number): number {
  const due = instalments.filter(({ due_at }) => due_at <= now);
  const first = instalments.toSorted((one, other) => one.due_at - other.due_at)[0];
  const wanted = due.length > 0 ? due : lateCharges > 0 || first === undefined ? [] : [first];
  return wanted.reduce((sum, { amount }) => sum + amount, lateCharges);
}
