import type { FacilityRow } from './facility.queries.ts';

/** The amount that new orders may take. It is 0 for a frozen facility, whose stored amounts still change. */
export function availableNow({
  status,
  available_amount,
}: Pick<FacilityRow, 'status' | 'available_amount'>): number {
  return status === 'FROZEN' ? 0 : available_amount;
}
