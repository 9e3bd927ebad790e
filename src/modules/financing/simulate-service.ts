/** Transitions of services that a sandbox makes in place of operators, insurers, collectors and time. */
import { notFound, refusal } from '#kernel/problem';
import { listServicesOfInvoices, type ServiceRow, type ServiceType } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import { approvedByPerson } from './apply-financing-review.ts';
import { changeService, DECIDED_OUTSIDE } from './change-service.ts';
import { defaultFinancing, examineRequest, lockService } from './examine-services.ts';

/** `default` stands for the passing of time. */
export const SIMULATED_TRIGGERS = [...DECIDED_OUTSIDE, 'default'] as const;

export interface SimulatedService {
  invoice_external_id: string;
  service_type: ServiceType;
  trigger: (typeof SIMULATED_TRIGGERS)[number];
}

/** Throws NOT_FOUND and INVALID_STATUS_TRANSITION, the latter also for a financing with an unmet requirement. */
export async function simulateServiceTransition(
  context: ChangeContext,
  { invoice_external_id: invoiceId, service_type: type, trigger }: SimulatedService,
  reason: string,
): Promise<ServiceRow> {
  const { db, platformId } = context;
  const last = (await listServicesOfInvoices(db, platformId, [invoiceId], { type })).at(-1);
  if (!last) throw notFound();
  if (trigger === 'default') {
    const { service } = await lockService(context, last.external_id);
    return defaultFinancing(context, service);
  }
  if (type === 'FINANCING' && trigger === 'accept') return acceptIfMet(context, last.external_id);
  return changeService(context, last.external_id, trigger, reason);
}

/** If a person must accept the financing, the sandbox accepts in its place. */
async function acceptIfMet(context: ChangeContext, externalId: string): Promise<ServiceRow> {
  const { service, invoice } = await lockService(context, externalId);
  const examined =
    service.status === 'IN_REVIEW'
      ? await examineRequest(context, { service: approvedByPerson(service), invoice })
      : service;
  if (service.status === 'IN_REVIEW' && examined.status === 'ACCEPTED') return examined;
  const unmet = examined.requirements.map(({ code }) => code).join(', ');
  throw refusal(
    'INVALID_STATUS_TRANSITION',
    unmet === ''
      ? `Financing in status ${examined.status} does not allow this`
      : `Some requirements are not met: ${unmet}`,
    {
      status: service.status,
      trigger: 'accept',
      allowed: service.status === 'IN_REVIEW' ? ['reject', 'cancel'] : [],
    },
  );
}
