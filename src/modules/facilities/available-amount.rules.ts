import type { FacilityRow } from './facility.queries.ts';

/** What new orders may take: nothing of a frozen facility, whose amounts go on below it. */
export function availableNow({
  status,
  available_amount,
}: Pick<FacilityRow, 'status' | 'available_amount'>): number {
  return status === 'FROZEN' ? 0 : available_amount;
}
