/** The statuses of services in the model, and what follows from them. */
import type { Service, ServiceStatus, ServiceType } from './merchant-state.ts';
import { outstandingOf } from './owed.ts';
import { type Answer, done, type Invoice, illegal, type Model } from './state.ts';

type Next = Partial<Record<ServiceStatus, Record<string, ServiceStatus>>>;

const NEXT: Record<ServiceType, Next> = {
  FINANCING: {
    IN_REVIEW: { accept: 'ACCEPTED', reject: 'REJECTED', cancel: 'CANCELLED' },
    ACCEPTED: { pay_out: 'PAID_OUT', cancel: 'CANCELLED', reject: 'REJECTED' },
    PAID_OUT: { settle: 'SETTLED', default: 'DEFAULTED' },
    DEFAULTED: { settle: 'SETTLED' },
    SETTLED: { reopen: 'PAID_OUT' },
  },
  INSURANCE: {
    IN_REVIEW: { accept: 'ACCEPTED', reject: 'REJECTED', cancel: 'CANCELLED' },
    ACCEPTED: { notify_claim: 'CLAIM_NOTIFIED', expire: 'COVER_EXPIRED', cancel: 'CANCELLED' },
    CLAIM_NOTIFIED: { assess: 'CLAIM_IN_ASSESSMENT' },
    CLAIM_IN_ASSESSMENT: { pay_claim: 'CLAIM_PAID', deny_claim: 'CLAIM_DENIED' },
  },
  COLLECTION: {
    IN_REVIEW: { accept: 'EARLY_COLLECTION', reject: 'REJECTED' },
    EARLY_COLLECTION: { escalate: 'LATE_COLLECTION', collect: 'COLLECTED', cancel: 'CANCELLED' },
    LATE_COLLECTION: { collect: 'COLLECTED', give_up: 'UNCOLLECTIBLE' },
  },
};

const nextOf = ({ type, status }: Service) => NEXT[type][status] ?? {};
export const allowedFor = (service: Service) => Object.keys(nextOf(service));

/** Makes the transition, or refuses it. A paid-out service is examined immediately. */
export function transition(service: Service, trigger: string, at: number): Answer {
  const to = nextOf(service)[trigger];
  if (!to) return illegal(allowedFor(service));
  Object.assign(service, { status: to, examineAt: to === 'PAID_OUT' ? at : null });
  return done();
}

const ACTIVE: readonly ServiceStatus[] = [
  ...(['IN_REVIEW', 'ACCEPTED', 'PAID_OUT', 'DEFAULTED', 'CLAIM_NOTIFIED'] as const),
  ...(['CLAIM_IN_ASSESSMENT', 'EARLY_COLLECTION', 'LATE_COLLECTION'] as const),
];
export const isActive = ({ status }: Service) => ACTIVE.includes(status);
export const servicesOf = ({ services }: Readonly<Model>, invoice: Invoice) =>
  services.filter((each) => each.invoice === invoice);
export const hasActiveService = (model: Readonly<Model>, invoice: Invoice) =>
  servicesOf(model, invoice).some(isActive);

/** The claim belongs to the platform from the acceptance on, unless that was undone. */
const hasClaim = ({ type, status }: Service) =>
  type === 'FINANCING' && ['ACCEPTED', 'PAID_OUT', 'SETTLED', 'DEFAULTED'].includes(status);
/** The financing through which the claim belongs to the platform. */
export const financingOf = (model: Readonly<Model>, invoice: Invoice) =>
  servicesOf(model, invoice).find(hasClaim);
export const financings = ({ services }: Readonly<Model>) => services.filter(hasClaim);

/** A financing is settled while nothing of its invoice is owed. */
export function followFinancing(model: Model, invoice: Invoice, owedBefore: number): void {
  const isSettled = outstandingOf(invoice) === 0;
  const financing = financingOf(model, invoice);
  if (!financing || isSettled === (owedBefore === 0)) return;
  const trigger = isSettled ? 'settle' : 'reopen';
  if (nextOf(financing)[trigger]) transition(financing, trigger, model.now);
}
