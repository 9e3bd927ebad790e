/** Transitions of services: rows, history, events and what the invoices show of them, written together. */
import { nextVersion } from '#kernel/changes';
import { transitionOf } from '#kernel/lifecycle';
import { refusal } from '#kernel/problem';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { type ServiceEvent, serviceEvent } from './service.events.ts';
import {
  lockServicesOfInvoices,
  type NewService,
  type ServiceChanges,
  type ServiceRow,
  type TransitionedService,
  writeServices,
} from './service.queries.ts';
import {
  hasClaim,
  isActiveService,
  lifecycleOf,
  type ServiceStatus,
  type ServiceTrigger,
} from './service-status.rules.ts';

/** Why, and on whose word. */
export interface ServiceGrounds {
  reason?: string | null;
  approvedBy?: string | null;
}

/**
 * Makes the transition of locked services of one platform, each from its own status, with their history, their events and
 * what their invoices show of them. Lock the invoices first. Returns the services in the order of their keys. Throws
 * INVALID_STATUS_TRANSITION, and writes nothing then.
 */
export async function transitionServices(
  context: ChangeContext,
  services: readonly (ServiceRow & { changes?: ServiceChanges })[],
  trigger: ServiceTrigger,
  grounds: ServiceGrounds = {},
): Promise<ServiceRow[]> {
  if (services.length === 0) return [];
  const transitioned = services.map(({ changes, ...service }) => {
    const { to } = transitionOf(lifecycleOf(service.service_type), service.status, trigger);
    const changed = {
      ...service,
      // What was paid out is looked at at once: the invoice may be paid already.
      examine_at: to === PAID_OUT ? context.now : null,
      ...changes,
      ...nextVersion(service, context.now),
      status: to,
    };
    return transitionedFrom(service.status, changed, trigger);
  });
  return write(context, transitioned, grounds);
}

/** Creates a service. Throws INVOICE_HAS_ACTIVE_SERVICE while the invoice has an active one of its type. */
export async function requestService(context: ChangeContext, service: NewService): Promise<ServiceRow> {
  const { to } = transitionOf(lifecycleOf(service.service_type), null, 'request');
  const requested: TransitionedService['service'] = {
    requirements: [],
    base_amount: 0,
    fee_net: 0,
    fee_tax: 0,
    fee_tax_category: null,
    fee_tax_basis_points: null,
    set_off_amount: 0,
    advance_amount: 0,
    credit_amount: 0,
    accepted_at: null,
    paid_out_at: null,
    written_off_at: null,
    examine_at: null,
    ...service,
    platform_id: context.platformId,
    updated_at: service.created_at,
    version: 1,
    status: to,
  };
  const [created] = await write(context, [transitionedFrom(null, requested, 'request')], {});
  if (created) return created;
  throw refusal('INVOICE_HAS_ACTIVE_SERVICE', 'The invoice has an active service of this type', {
    service_type: service.service_type,
  });
}

/** An invoice that is paid or credited in full, or owed again. */
export interface SettledFinancing {
  invoiceExternalId: string;
  isSettled: boolean;
  actor: string;
  /** Unix seconds. */
  now: number;
}

/** Locked invoices that are paid or credited in full settle their financing, which a reversed payment opens again. */
export async function settleFinancings(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  invoices: readonly SettledFinancing[],
): Promise<void> {
  if (invoices.length === 0) return;
  const byInvoice = new Map(invoices.map((each) => [each.invoiceExternalId, each]));
  const locked = await lockServicesOfInvoices(db, platformId, [...byInvoice.keys()], [...UNSETTLED, SETTLED]);
  const causes = Map.groupBy(locked, ({ invoice_external_id, status }) => {
    const cause = byInvoice.get(invoice_external_id) as SettledFinancing;
    return cause.isSettled === (status === SETTLED) ? null : cause;
  });
  for (const [cause, services] of causes)
    if (cause !== null)
      await transitionServices({ db, platformId, ...cause }, services, cause.isSettled ? 'settle' : 'reopen');
}

const UNSETTLED = ['PAID_OUT', 'DEFAULTED'] as const satisfies ServiceStatus[];
const SETTLED: ServiceStatus = 'SETTLED';
const PAID_OUT: ServiceStatus = 'PAID_OUT';

function transitionedFrom(
  from: ServiceStatus | null,
  service: TransitionedService['service'],
  trigger: ServiceTrigger,
): TransitionedService {
  const { status } = service;
  const wasActive = from !== null && isActiveService(from);
  const hadClaim = from !== null && hasClaim(from);
  return {
    service,
    from,
    trigger,
    activeChange: Number(isActiveService(status)) - Number(wasActive),
    isFinanced: hasClaim(status) === hadClaim ? null : !hadClaim,
  };
}

async function write(
  { db, platformId, actor }: ChangeContext,
  transitioned: readonly TransitionedService[],
  { reason = null, approvedBy = null }: ServiceGrounds,
): Promise<ServiceRow[]> {
  const written = await writeServices(db, platformId, transitioned, { actor, approvedBy, reason });
  const byId = new Map(transitioned.map((each) => [each.service.external_id, each]));
  await recordEvents(
    db,
    written.map((service) => {
      const { from, trigger } = byId.get(service.external_id) as TransitionedService;
      const { event } = transitionOf(lifecycleOf(service.service_type), from, trigger);
      return serviceEvent(event as ServiceEvent['type'], service, from);
    }),
  );
  return written;
}
