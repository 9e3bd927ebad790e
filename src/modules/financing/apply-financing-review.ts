/** Applies a decided review to its financing. */
import { type ServiceRow, transitionServices } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import { examineRequest, lockService } from './examine-services.ts';

/**
 * Applies the outcome, in the transaction that decided the review. An accepted financing is examined immediately. It continues to wait
 * if something else is missing, or if the invoice has another file than the reviewed one.
 */
export async function applyFinancingReview(
  context: ChangeContext,
  serviceExternalId: string,
  outcome: 'ACCEPT' | 'REJECT',
  reason: string | null,
): Promise<void> {
  const { service, invoice } = await lockService(context, serviceExternalId);
  if (outcome === 'ACCEPT') {
    await examineRequest(context, { service: approvedByPerson(service), invoice });
    return;
  }
  const refused = { ...service, changes: { review_file_id: null } };
  await transitionServices(context, [refused], 'reject', { reason });
}

/** The service with the file of its undecided review as the accepted file. */
export function approvedByPerson(service: ServiceRow): ServiceRow {
  return { ...service, approved_file_id: service.review_file_id ?? service.approved_file_id };
}
