import type { EventType } from '#kernel/event';
import type { Transition } from '#kernel/lifecycle';
import type { NewEvent } from '#modules/webhooks';
import type { FacilityStatus, FacilityTrigger } from './facility.lifecycle.ts';
import type { FacilityRow } from './facility.queries.ts';

/**
 * What receivers are told of a move: the facility as it is after it.
 * @param previousTotalMinor Where the move set another limit in place of one.
 */
export function facilityEvent(
  facility: FacilityRow,
  transition: Transition<FacilityStatus, FacilityTrigger>,
  previousTotalMinor?: number,
): NewEvent {
  return {
    platformId: facility.platform_id,
    type: transition.event as EventType,
    occurredAt: facility.updated_at,
    data: {
      buyer_external_id: facility.buyer_external_id,
      sequence: facility.version,
      status: facility.status,
      previous_status: transition.from,
      currency: facility.currency,
      total_amount: facility.total_amount,
      available_amount: facility.available_amount,
      used_amount: facility.used_amount,
      pending_orders_amount: facility.pending_orders_amount,
      expires_at: facility.expires_at,
      ...(previousTotalMinor !== undefined && { previous_total_amount: previousTotalMinor }),
    },
  };
}
