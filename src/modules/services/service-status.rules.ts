/** The types of services, their statuses, and the consequences of a status. */
import type { Lifecycle } from '#kernel/lifecycle';
import { collectionLifecycle } from './collection.lifecycle.ts';
import { financingLifecycle } from './financing.lifecycle.ts';
import { insuranceLifecycle } from './insurance.lifecycle.ts';

export const SERVICE_TYPES = ['FINANCING', 'INSURANCE', 'COLLECTION'] as const;
export type ServiceType = (typeof SERVICE_TYPES)[number];

type FinancingStatus = (typeof financingLifecycle)['states'][number];
type InsuranceStatus = (typeof insuranceLifecycle)['states'][number];
type CollectionStatus = (typeof collectionLifecycle)['states'][number];
export type ServiceStatus = FinancingStatus | InsuranceStatus | CollectionStatus;

export type FinancingTrigger = (typeof financingLifecycle)['transitions'][number]['trigger'];
export type ServiceTrigger =
  | FinancingTrigger
  | (typeof insuranceLifecycle)['transitions'][number]['trigger']
  | (typeof collectionLifecycle)['transitions'][number]['trigger'];

/** The lifecycle that decides the status of a service of this type. */
export function lifecycleOf(type: ServiceType): Lifecycle<ServiceStatus, ServiceTrigger> {
  const lifecycles = {
    FINANCING: financingLifecycle,
    INSURANCE: insuranceLifecycle,
    COLLECTION: collectionLifecycle,
  };
  return lifecycles[type] as Lifecycle<string, string> as Lifecycle<ServiceStatus, ServiceTrigger>;
}

/** An active service forbids changes of its invoice. The database computes the same for each row. */
const ACTIVE: ReadonlySet<ServiceStatus> = new Set([
  'IN_REVIEW',
  'ACCEPTED',
  'PAID_OUT',
  'DEFAULTED',
  'CLAIM_NOTIFIED',
  'CLAIM_IN_ASSESSMENT',
  'EARLY_COLLECTION',
  'LATE_COLLECTION',
] satisfies ServiceStatus[]);

export const isActiveService = (status: ServiceStatus): boolean => ACTIVE.has(status);

/** From the acceptance of a financing on, the claim belongs to the platform. */
const FINANCED: ReadonlySet<ServiceStatus> = new Set([
  'ACCEPTED',
  'PAID_OUT',
  'DEFAULTED',
  'SETTLED',
] satisfies FinancingStatus[]);

export const hasClaim = (status: ServiceStatus): boolean => FINANCED.has(status);
