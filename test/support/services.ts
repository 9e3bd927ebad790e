/** Services on invoices in any status, regardless of the rules that decide them. */
import { randomUUID } from 'node:crypto';
import {
  draftService,
  lockServices,
  requestServices,
  type ServiceRow,
  transitionServices,
} from '#modules/services';
import {
  lifecycleOf,
  type ServiceStatus,
  type ServiceTrigger,
  type ServiceType,
} from '../../src/modules/services/service-status.rules.ts';
import { act } from './credit.ts';
import type { World } from './world.ts';

/** The triggers that lead a new service of this type to the status; the first is `request`. */
export function triggersTo(type: ServiceType, status: ServiceStatus): ServiceTrigger[] {
  const paths = new Map<ServiceStatus | null, ServiceTrigger[]>([[null, []]]);
  for (const [from, path] of paths)
    for (const { from: start, trigger, to } of lifecycleOf(type).transitions)
      if (start === from && !paths.has(to)) paths.set(to, [...path, trigger]);
  return paths.get(status) as ServiceTrigger[];
}

export interface ServiceInput {
  invoice: string;
  type?: ServiceType;
  status?: ServiceStatus;
  requirements?: ServiceRow['requirements'];
}

/** A service of 'buyer' and 'roastery-north', with the transitions that lead to its status. */
export async function addService(
  world: World,
  { invoice, type = 'FINANCING', status = 'IN_REVIEW', requirements = [] }: ServiceInput,
): Promise<ServiceRow> {
  const [, ...triggers] = triggersTo(type, status);
  const [requested] = await act(world, (context) =>
    requestServices(context, [
      draftService(context, {
        external_id: randomUUID(),
        invoice_external_id: invoice,
        buyer_external_id: 'buyer',
        merchant_external_id: 'roastery-north',
        service_type: type,
        currency: 'EUR',
        created_at: context.now,
        terms_accepted_at: context.now,
        requested_payout_at: null,
        requirements,
      }),
    ]),
  );
  let service = requested as ServiceRow;
  for (const trigger of triggers) service = await changeService(world, service.external_id, trigger);
  return service;
}

/** Makes one transition of a service. */
export function changeService(
  world: World,
  externalId: string,
  trigger: ServiceTrigger,
): Promise<ServiceRow> {
  return act(world, async (context) => {
    const [service] = await lockServices(context.db, context.platformId, [externalId]);
    const [changed] = await transitionServices(context, [service as ServiceRow], trigger);
    return changed as ServiceRow;
  });
}
