/** Decisions about services outside the API: by operators and, in a sandbox, by simulators. */
import { notFound, refusal } from '#kernel/problem';
import { findService, type ServiceRow, type ServiceTrigger, transitionServices } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import { cancelService } from './cancel-service.ts';
import { lockService } from './examine-services.ts';

/** The transitions of INSURANCE and COLLECTION that an insurer or a collector decides, and the refusal of any service. */
export const DECIDED_OUTSIDE = [
  'accept',
  'reject',
  'notify_claim',
  'expire',
  'assess',
  'pay_claim',
  'deny_claim',
  'escalate',
  'collect',
  'give_up',
  'cancel',
] as const satisfies ServiceTrigger[];
export type OutsideTrigger = (typeof DECIDED_OUTSIDE)[number];

/**
 * Makes a transition that is decided outside the API. A financing can only be refused or cancelled this way: accepting, paying or
 * settling it moves money, and a person who must accept it first decides its review. Throws NOT_FOUND and INVALID_STATUS_TRANSITION.
 */
export async function changeService(
  context: ChangeContext,
  externalId: string,
  trigger: OutsideTrigger,
  reason: string,
): Promise<ServiceRow> {
  const { db, platformId } = context;
  if (!(await findService(db, { platformId, externalId }))) throw notFound();
  if (trigger === 'reject' || trigger === 'cancel')
    return cancelService(context, externalId, { trigger, reason });
  const { service } = await lockService(context, externalId);
  if (service.service_type === 'FINANCING') throw notDecidedOutside(service, trigger);
  const [changed] = await transitionServices(context, [service], trigger, { reason });
  return changed as ServiceRow;
}

const notDecidedOutside = ({ status }: ServiceRow, trigger: OutsideTrigger) =>
  refusal(
    'INVALID_STATUS_TRANSITION',
    `A financing in status ${status} can only be rejected or cancelled this way`,
    {
      ...{ status, trigger },
      allowed: ['reject', 'cancel'],
    },
  );
