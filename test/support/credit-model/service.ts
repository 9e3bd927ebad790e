/** The model of services on invoices: their requirements, the effect of an acceptance, and the fate of the claim. */
import { merchantOwes } from './books.ts';
import { availableOf, creditRoomOf } from './credit.ts';
import type { Service, ServiceType } from './merchant-state.ts';
import {
  creditedOf,
  creditUsedOf,
  dueAtOf,
  feeOf,
  grossOf,
  instalmentsOf,
  outstandingOf,
  paidOf,
  sumOf,
} from './owed.ts';
import { addAdvance, takeBackAdvance } from './payout.ts';
import { isActive, servicesOf, transition } from './service-status.ts';
import {
  type Answer,
  DAY_SECONDS,
  dayOf,
  done,
  endOfDay,
  type Invoice,
  illegal,
  isRefused,
  type Model,
  refused,
} from './state.ts';
import { divided } from './term.ts';

/** The price of a financing, in millionths of the amount: a base, and a rate for each day until it is due. */
export const SERVICE_PRICE = { base_ppm: 10_000, daily_ppm: 100 } as const;
/** Basis points. */
export const SERVICE_TAX = 1_900;
const MILLION = 1_000_000;
const BASIS_POINTS = 10_000;

export const TERM_DAYS_MAX = 90;
const REVIEW_DAYS_MAX = 30;
const DEFAULT_AFTER_DAYS = 90;

interface Examined {
  requirements: string[];
  isHopeless: boolean;
  base: number;
  credit: number;
  feeNet: number;
  feeTax: number;
}

/** The unmet requirements at an instant, and the cost of the service. */
function examined(model: Model, { type, invoice }: Service, at: number): Examined {
  const isEnded = invoice.status === 'CLOSED' || invoice.status === 'CANCELLED';
  const base = grossOf(invoice) - creditedOf(invoice);
  if (type !== 'FINANCING')
    return {
      requirements: isEnded ? ['INVOICE_INELIGIBLE'] : [],
      isHopeless: isEnded,
      base,
      credit: 0,
      feeNet: 0,
      feeTax: 0,
    };
  const credit = Math.max(0, base - creditUsedOf(invoice));
  const isTooLong = termDaysOf(invoice) > TERM_DAYS_MAX;
  const requirements = [
    isEnded && 'INVOICE_INELIGIBLE',
    invoice.status === 'DUE' && 'INVOICE_INELIGIBLE',
    !isEnded && paidOf(invoice) > 0 && 'INVOICE_INELIGIBLE',
    isTooLong && 'INVOICE_PAYMENT_TERM_EXCEEDED',
    facilityRequirement(model, credit, at),
    !model.merchant.payees.some(({ status }) => status === 'VERIFIED') && 'NO_VERIFIED_PAYOUT_INSTRUCTION',
    !invoice.hasFile && 'NO_INVOICE_FILE_FOUND',
  ].filter((each) => typeof each === 'string');
  return { requirements, isHopeless: isEnded || isTooLong, base, credit, ...serviceFeeOf(invoice, at) };
}

const termDaysOf = ({ claims, invoicedAt }: Invoice) => dayOf(claims.at(-1)?.dueAt ?? 0) - dayOf(invoicedAt);

/** A frozen facility finances nothing. What an order has reserved needs no further credit. */
function facilityRequirement(model: Model, credit: number, at: number): string | null {
  const { facility } = model;
  if (facility?.status === 'FROZEN') return 'FACILITY_FROZEN';
  if (credit === 0) return null;
  if (!facility || facility.status === 'PENDING' || facility.status === 'REJECTED') return 'FACILITY_MISSING';
  if (facility.status === 'EXPIRED' || (facility.expiresAt !== null && facility.expiresAt <= at))
    return 'FACILITY_EXPIRED';
  return credit > creditRoomOf(model, facility, at) ? 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT' : null;
}

/** The days until each instalment is due count. */
function serviceFeeOf(invoice: Invoice, at: number): { feeNet: number; feeTax: number } {
  const exact = sumOf(instalmentsOf(invoice), ({ amount, fee, credited, dueAt }) => {
    const days = Math.max(0, dayOf(dueAt) - dayOf(at));
    return (amount - fee - credited) * (SERVICE_PRICE.base_ppm + SERVICE_PRICE.daily_ppm * days);
  });
  const feeNet = divided(exact, MILLION);
  return { feeNet, feeTax: divided(feeNet * SERVICE_TAX, BASIS_POINTS) };
}

export function requestService(model: Model, invoice: Invoice, type: ServiceType, id: string): Answer {
  if (servicesOf(model, invoice).some((each) => each.type === type && isActive(each)))
    return refused(409, 'INVOICE_HAS_ACTIVE_SERVICE');
  const { now } = model;
  const service: Service = {
    ...{ id, type, invoice, status: 'IN_REVIEW', createdAt: now, examineAt: now, requirements: [] },
    ...{ base: 0, feeNet: 0, feeTax: 0, setOff: 0, advance: 0, credit: 0, isWrittenOff: false },
  };
  model.services.push(service);
  examineRequest(model, service, now);
  return done(201);
}

/** Accepts a financing that meets all requirements, rejects one that is hopeless or has waited too long, and otherwise waits. */
function examineRequest(model: Model, service: Service, at: number): void {
  const { isHopeless, credit, ...found } = examined(model, service, at);
  if (service.type === 'FINANCING' && found.requirements.length === 0) {
    accept(model, service, { ...found, isHopeless, credit }, at);
    return;
  }
  const endsAt = service.createdAt + REVIEW_DAYS_MAX * DAY_SECONDS;
  const advance = service.type === 'FINANCING' ? Math.max(0, found.base - found.feeNet - found.feeTax) : 0;
  Object.assign(service, { ...found, advance });
  if (isHopeless || at >= endsAt) transition(service, 'reject', at);
  else service.examineAt = Math.min(at + DAY_SECONDS, endsAt);
}

function accept(model: Model, service: Service, found: Examined, at: number): void {
  const { base, feeNet, feeTax, credit } = found;
  const most = base - feeNet - feeTax;
  const setOff = Math.max(0, Math.min(merchantOwes(model), most));
  Object.assign(service, { base, feeNet, feeTax, credit, setOff, advance: most - setOff, requirements: [] });
  service.invoice.financedCredit += credit;
  transition(service, 'accept', at);
  addAdvance(model, service, at);
}

/** Ends a service, by the platform that requested it or by the person who rejects it. */
export function endService(model: Model, service: Service, trigger: 'cancel' | 'reject'): Answer {
  const { invoice, status, type, base, credit } = service;
  if (type === 'FINANCING' && status === 'ACCEPTED') {
    if (paidOf(invoice) > 0 || grossOf(invoice) - creditedOf(invoice) !== base) return illegal([]);
    if (!takeBackAdvance(model, service)) return illegal([]);
    invoice.financedCredit -= credit;
  }
  return transition(service, trigger, model.now);
}

/** The transitions that a sandbox simulates. */
export function simulate(model: Model, service: Service, trigger: string): Answer {
  const { type, status } = service;
  if (trigger === 'reject' || trigger === 'cancel') return endService(model, service, trigger);
  if (trigger === 'default') return becomeDefault(model, service, model.now);
  if (type !== 'FINANCING') return transition(service, trigger, model.now);
  if (trigger !== 'accept') return illegal(['reject', 'cancel']);
  if (status !== 'IN_REVIEW') return illegal([]);
  const found = examined(model, service, model.now);
  if (found.requirements.length > 0) return illegal(['reject', 'cancel']);
  accept(model, service, found, model.now);
  return done();
}

/** The buyer gets no further credit. */
function becomeDefault(model: Model, service: Service, at: number): Answer {
  const answer = transition(service, 'default', at);
  const { facility } = model;
  if (!isRefused(answer) && facility?.status === 'ACTIVE')
    Object.assign(facility, { status: 'FROZEN', frozenAt: at });
  return answer;
}

/** The remaining claim for goods becomes a loss. */
export function writeOff(service: Service): Answer {
  const { invoice } = service;
  const owed = grossOf(invoice) - creditedOf(invoice) - Math.max(0, paidOf(invoice) - feeOf(invoice));
  if (service.status !== 'DEFAULTED' || service.isWrittenOff || owed === 0)
    return refused(422, 'START_REFUSED');
  service.isWrittenOff = true;
  invoice.writtenOff = owed;
  return done();
}

/** Examines a waiting service again. */
export function examine(model: Model, service: Service, at: number): void {
  if (service.status === 'IN_REVIEW') examineRequest(model, service, at);
  else if (service.status === 'PAID_OUT') examinePaidOut(model, service, at);
  else throw new Error(`A service that is ${service.status} was examined.`);
}

function examinePaidOut(model: Model, service: Service, at: number): void {
  const { invoice } = service;
  if (outstandingOf(invoice) === 0) {
    transition(service, 'settle', at);
    return;
  }
  const defaultsAt = endOfDay(dueAtOf(invoice)) + DEFAULT_AFTER_DAYS * DAY_SECONDS;
  if (invoice.status === 'DUE' && defaultsAt <= at) becomeDefault(model, service, at);
  else service.examineAt = Math.max(defaultsAt, at + DAY_SECONDS);
}

/**
 * Makes a change at an instant. Services that wait are examined from then on if their invoice has changed, and requests also
 * if it has a file now, the merchant an account, or the buyer another status or more room.
 */
export function watching<T>(model: Model, at: number, change: () => T): T {
  const before = seenBy(model);
  const made = change();
  const after = seenBy(model);
  // A new facility that waits for a decision, or is rejected, changes nothing for them.
  const isOther = before.status === undefined ? after.status === 'ACTIVE' : after.status !== before.status;
  const isGranted = isOther || after.available > before.available || after.verified > before.verified;
  for (const service of model.services) {
    const { examineAt, invoice, status } = service;
    const was = before.invoices.get(invoice);
    if (examineAt === null || was === undefined) continue;
    if (was !== after.invoices.get(invoice) || (isGranted && status === 'IN_REVIEW'))
      service.examineAt = Math.min(examineAt, at);
  }
  return made;
}

/** The state that services wait for. */
function seenBy(model: Model) {
  const { facility, merchant, invoices } = model;
  return {
    status: facility?.status,
    available: facility ? availableOf(model, facility) : 0,
    verified: merchant.payees.filter(({ status }) => status === 'VERIFIED').length,
    invoices: new Map(
      invoices.map((invoice) => {
        const { status, hasFile } = invoice;
        return [
          invoice,
          [status, hasFile, dayOf(dueAtOf(invoice)), paidOf(invoice), creditedOf(invoice)].join(),
        ];
      }),
    ),
  };
}
