/** Ending a service before it takes effect: by the platform that requested it, or by an operator who refuses it. */
import { type ServiceRow, transitionServices } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import { undoAcceptance } from './accept-financing.ts';
import { lockService } from './examine-services.ts';
import { withdrawFinancingReviews } from './review-financing.ts';

interface CancelOptions {
  /** Throws PRECONDITION_FAILED if the caller has another version. */
  assertVersion?: (version: number) => void;
  trigger?: 'cancel' | 'reject';
  reason?: string | null;
}

/** Cancels or refuses an existing service. Throws INVALID_STATUS_TRANSITION. */
export async function cancelService(
  context: ChangeContext,
  externalId: string,
  { assertVersion, trigger = 'cancel', reason = null }: CancelOptions = {},
): Promise<ServiceRow> {
  const { invoice, service } = await lockService(context, externalId);
  assertVersion?.(service.version);
  if (service.service_type === 'FINANCING' && service.status === 'ACCEPTED')
    return undoAcceptance(context, service, invoice, trigger, { reason });
  await withdrawFinancingReviews(context, [service]);
  const ending = { ...service, changes: { review_file_id: null } };
  const [ended] = await transitionServices(context, [ending], trigger, { reason });
  return ended as ServiceRow;
}
