/** Transitions of services. Rows, history, events and the columns of the invoices are written together. */
import { nextVersion } from '#kernel/changes';
import { transitionOf } from '#kernel/lifecycle';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { type ServiceEvent, serviceEvent } from './service.events.ts';
import {
  lockServicesOfInvoices,
  type NewService,
  type ServiceChanges,
  type ServiceRow,
  type ServiceStep,
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

/** The reason of a transition and its actor. */
export interface ServiceGrounds {
  reason?: string | null;
  approvedBy?: string | null;
}

/** A service that is not yet written. */
export type ServiceDraft = ServiceRow & { isDraft: true };

/** A locked service, or a draft, with the changes of the transition in addition to the status. */
type ChangedService = ServiceRow & { isDraft?: true; changes?: ServiceChanges };

/**
 * A service as a request creates it. Lock the invoice first, and check that it has no active service of the type: writing a second one
 * is an error.
 */
export function draftService({ platformId }: ChangeContext, service: NewService): ServiceDraft {
  const { to } = transitionOf(lifecycleOf(service.service_type), null, REQUEST);
  return {
    requirements: [],
    base_amount: 0,
    fee_net: 0,
    fee_tax: 0,
    fee_gross: 0,
    fee_tax_category: null,
    fee_tax_basis_points: null,
    set_off_amount: 0,
    advance_amount: 0,
    credit_amount: 0,
    accepted_at: null,
    paid_out_at: null,
    written_off_at: null,
    examine_at: null,
    review_file_id: null,
    approved_file_id: null,
    ...service,
    platform_id: platformId,
    updated_at: service.created_at,
    version: 1,
    status: to,
    isDraft: true,
  };
}

/** Writes drafts of one platform unchanged. Returns the services in the order of their keys. */
export async function requestServices(
  context: ChangeContext,
  drafts: readonly (ServiceDraft & { changes?: ServiceChanges })[],
): Promise<ServiceRow[]> {
  return write(
    context,
    drafts.map(({ isDraft, changes, ...draft }) => transitioned([requestOf({ ...draft, ...changes })])),
    {},
  );
}

/**
 * Makes the transition of locked services of one platform, each from its own status, with their history, their events and the columns
 * of their invoices. A draft is requested in the same statements. Lock the invoices first. Returns the services in the order of their
 * keys. Throws INVALID_STATUS_TRANSITION before it writes anything.
 */
export async function transitionServices(
  context: ChangeContext,
  services: readonly ChangedService[],
  trigger: ServiceTrigger,
  grounds: ServiceGrounds = {},
): Promise<ServiceRow[]> {
  return write(
    context,
    services.map(({ isDraft, changes, ...service }) => {
      const { to } = transitionOf(lifecycleOf(service.service_type), service.status, trigger);
      const changed = {
        ...service,
        // A paid-out service is examined immediately: the invoice may be paid already.
        examine_at: to === PAID_OUT ? context.now : null,
        ...changes,
        ...nextVersion(service, context.now),
        status: to,
      };
      const step: ServiceStep = { service: changed, from: service.status, trigger };
      return transitioned(isDraft ? [requestOf(service), step] : [step]);
    }),
    grounds,
  );
}

/** An invoice that is paid or credited in full, or owed again. */
export interface SettledFinancing {
  invoiceExternalId: string;
  isSettled: boolean;
  actor: string;
  /** Unix seconds. */
  now: number;
}

/** Settles the financings of locked invoices that are paid or credited in full, and reopens them if the invoice is owed again. */
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
const REQUEST: ServiceTrigger = 'request';

const requestOf = (service: ServiceRow): ServiceStep => ({ service, from: null, trigger: REQUEST });

/** Combines the steps of a service. */
function transitioned(steps: readonly ServiceStep[]): TransitionedService {
  const { from } = steps[0] as ServiceStep;
  const { service } = steps.at(-1) as ServiceStep;
  const wasActive = from !== null && isActiveService(from);
  const hadClaim = from !== null && hasClaim(from);
  return {
    service,
    steps,
    isNew: from === null,
    activeChange: Number(isActiveService(service.status)) - Number(wasActive),
    isFinanced: hasClaim(service.status) === hadClaim ? null : !hadClaim,
  };
}

async function write(
  { db, platformId, actor }: ChangeContext,
  changes: readonly TransitionedService[],
  { reason = null, approvedBy = null }: ServiceGrounds,
): Promise<ServiceRow[]> {
  if (changes.length === 0) return [];
  const written = await writeServices(db, platformId, changes, { actor, approvedBy, reason });
  const byId = new Map(changes.map((each) => [each.service.external_id, each.steps]));
  await recordEvents(
    db,
    written.flatMap((row) => {
      const steps = byId.get(row.external_id) as readonly ServiceStep[];
      return steps.map(({ service, from, trigger }, nth) => {
        const { event } = transitionOf(lifecycleOf(row.service_type), from, trigger);
        return serviceEvent(event as ServiceEvent['type'], nth === steps.length - 1 ? row : service, from);
      });
    }),
  );
  return written;
}
