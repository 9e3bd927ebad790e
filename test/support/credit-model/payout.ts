/** The model of the merchant's accounts, and of payouts to them. */
import { merchantOwes, payableOf } from './books.ts';
import { businessDaysLater, isBusinessDay, nextBusinessDay, nextWeekday } from './calendar.ts';
import type { Payee, Payout, Service } from './merchant-state.ts';
import { sumOf } from './owed.ts';
import { transition } from './service-status.ts';
import { type Answer, DAY_SECONDS, dayOf, done, illegal, type Model, refused } from './state.ts';

const BUSINESS_DAYS_MIN = 2;
const COOL_OFF_SECONDS = DAY_SECONDS;

const PAYEE_ALLOWED: Record<Payee['status'], readonly string[]> = {
  UNVERIFIED: ['verify', 'reject', 'replace', 'delete'],
  VERIFIED: ['reject', 'replace', 'delete'],
  REJECTED: ['replace', 'delete'],
  DELETED: [],
};

/** Adds an account. A further account can be paid only a day later. */
export function addPayee({ merchant, now }: Model, id: string): Answer {
  if (merchant.payees.some((payee) => payee.id === id)) return refused(409, 'EXTERNAL_ID_ALREADY_EXISTS');
  const payableFrom = merchant.payees.length > 0 ? now + COOL_OFF_SECONDS : now;
  merchant.payees.push({ id, status: 'UNVERIFIED', createdAt: now, updatedAt: now, payableFrom });
  return done(201);
}

export function decidePayee({ now }: Model, payee: Payee, verdict: 'verify' | 'reject'): Answer {
  if (payee.status === 'DELETED') return refused(404);
  if (!PAYEE_ALLOWED[payee.status].includes(verdict)) return illegal(PAYEE_ALLOWED[payee.status]);
  Object.assign(payee, { status: verdict === 'verify' ? 'VERIFIED' : 'REJECTED', updatedAt: now });
  return done();
}

/** Replaces an account. The new one must be verified, and can be paid only a day later. */
export function replacePayee({ now }: Model, payee: Payee): Answer {
  if (payee.status === 'DELETED') return refused(404);
  Object.assign(payee, { status: 'UNVERIFIED', updatedAt: now, payableFrom: now + COOL_OFF_SECONDS });
  return done();
}

export function deletePayee({ merchant }: Model, payee: Payee): Answer {
  if (payee.status === 'DELETED') return refused(404);
  const underWay = ['SCHEDULED', 'INSTRUCTED'];
  if (merchant.payouts.some((each) => each.payee === payee && underWay.includes(each.status)))
    return refused(409, 'PAYOUT_SCHEDULED');
  payee.status = 'DELETED';
  return done();
}

const isPayable = ({ status, payableFrom }: Payee, at: number) => status === 'VERIFIED' && payableFrom <= at;

/** The newest account that can be paid. */
function payableAccount({ merchant }: Model, at: number): Payee | undefined {
  const payable = merchant.payees.filter((each) => isPayable(each, at));
  payable.sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? -1 : 1));
  return payable[0];
}

/** The advance of a service is paid two business days later. */
export function addAdvance({ merchant }: Model, service: Service, at: number): void {
  const { invoice, advance: amount } = service;
  const from = businessDaysLater(dayOf(at), BUSINESS_DAYS_MIN);
  merchant.lines.push({ kind: 'ADVANCE', invoice, service, amount, from, payout: null });
}

/** Returns whether it is in time: then a payout that is not released is cancelled. */
export function takeBackAdvance(model: Model, service: Service): boolean {
  const { merchant } = model;
  const line = merchant.lines.find((each) => each.service === service);
  if (line?.payout && line.payout.status !== 'SCHEDULED') return false;
  if (line?.payout) cancelPayout(model, line.payout);
  merchant.lines = merchant.lines.filter((each) => each !== line);
  return true;
}

/** When the next payout run takes place; null while no account can be paid. */
export function nextRunAt({ merchant }: Readonly<Model>): number | null {
  const payable = merchant.payees.filter(({ status }) => status === 'VERIFIED');
  const since = payable.map(({ payableFrom, updatedAt }) => Math.max(payableFrom, updatedAt));
  return since.length === 0 ? null : Math.max(merchant.runsAt, Math.min(...since));
}

/** Payments of buyers for the merchant become lines; returned money is deducted from the next payout. */
export function runPayouts(model: Model, at: number): void {
  const { merchant, invoices } = model;
  const today = dayOf(at);
  merchant.runsAt = nextWeekday(at);
  if (sumOf(invoices, (invoice) => payableOf(model, invoice)) !== 0)
    for (const invoice of invoices) {
      const amount = payableOf(model, invoice);
      const from = amount < 0 ? today : businessDaysLater(today, BUSINESS_DAYS_MIN);
      if (amount !== 0)
        merchant.lines.push({ kind: 'COLLECTED', invoice, service: null, amount, from, payout: null });
    }
  if (waitingOn(model, today).length > 0 || merchantOwes(model) < 0) merchant.paysAt = at;
}

const waitingOn = ({ merchant }: Model, today: number) =>
  merchant.lines.filter(({ payout, from }) => payout === null && from <= today);

/** The payout that the waiting lines would form; null if nothing can be paid. */
export function formedPayout(model: Model, at: number): Omit<Payout, 'id'> | null {
  const today = dayOf(at);
  const waiting = waitingOn(model, today);
  const payee = payableAccount(model, at);
  const due = sumOf(waiting, ({ amount }) => amount);
  const owed = merchantOwes(model);
  if (!payee || !isBusinessDay(today)) return null;
  // What the merchant overpaid goes with its next payout, and by itself where nothing waits.
  const isOverpaid = owed < 0 && model.merchant.lines.every(({ payout }) => payout !== null);
  if (waiting.length === 0 && !isOverpaid) return null;
  if (due < 0 && owed > due) return null;
  const amount = due - Math.min(due, owed);
  return { status: 'SCHEDULED', amount, payee, day: today, paidAt: null, netsAt: amount === 0 ? at : null };
}

/** Forms a payout of all waiting lines, less the merchant's debt as far as possible. */
export function formPayout(model: Model, payout: Payout, at: number): void {
  const waiting = waitingOn(model, dayOf(at));
  const setOff = sumOf(waiting, ({ amount }) => amount) - payout.amount;
  for (const line of waiting) line.payout = payout;
  model.merchant.payouts.push(payout);
  if (setOff !== 0)
    model.merchant.lines.push({
      ...{ kind: 'SET_OFF', invoice: null, service: null, amount: -setOff, from: dayOf(at), payout },
    });
}

const PAYOUT_ALLOWED: Record<Payout['status'], readonly string[]> = {
  SCHEDULED: ['release', 'set_off', 'cancel'],
  INSTRUCTED: ['confirm', 'fail'],
  PAID: ['return'],
  FAILED: ['retry'],
  CANCELLED: [],
};
const refusalOf = ({ status }: Payout, trigger: string) =>
  PAYOUT_ALLOWED[status].includes(trigger) ? null : illegal(PAYOUT_ALLOWED[status]);

export function releasePayout({ now }: Model, payout: Payout): Answer {
  const refusal = refusalOf(payout, 'release');
  if (refusal) return refusal;
  if (payout.amount === 0) return illegal([]);
  if (!isPayable(payout.payee, now)) return refused(422, 'NO_VERIFIED_PAYOUT_INSTRUCTION');
  payout.status = 'INSTRUCTED';
  return done();
}

export function confirmPayout(model: Model, payout: Payout): Answer {
  const refusal = refusalOf(payout, 'confirm');
  if (refusal) return refusal;
  pay(model, payout, model.now);
  return done();
}

/** Settles a payout that debts consume completely. */
export const netPayout = (model: Model, payout: Payout, at: number) => pay(model, payout, at);

function pay({ merchant }: Model, payout: Payout, at: number): void {
  Object.assign(payout, { status: 'PAID', paidAt: at, netsAt: null });
  for (const { payout: of, invoice, service } of merchant.lines) {
    if (of !== payout || !service) continue;
    for (const { order } of invoice?.parts ?? [])
      if (order.status === 'CONFIRMED') order.status = 'DISBURSED';
    if (service.status === 'ACCEPTED') transition(service, 'pay_out', at);
  }
}

export function failPayout(payout: Payout): Answer {
  const refusal = refusalOf(payout, 'fail');
  if (!refusal) payout.status = 'FAILED';
  return refusal ?? done();
}

/** The money was returned. */
export function returnPayout(payout: Payout): Answer {
  if (payout.amount === 0) return illegal([]);
  const refusal = refusalOf(payout, 'return');
  if (!refusal) Object.assign(payout, { status: 'FAILED', paidAt: null });
  return refusal ?? done();
}

/** Pays a returned payout to the merchant's current account. */
export function retryPayout(model: Model, payout: Payout): Answer {
  const payee = payableAccount(model, model.now);
  if (!payee) return refused(422, 'NO_VERIFIED_PAYOUT_INSTRUCTION');
  const refusal = refusalOf(payout, 'retry');
  if (refusal) return refusal;
  Object.assign(payout, { status: 'SCHEDULED', payee, day: nextBusinessDay(dayOf(model.now)) });
  return done();
}

/** Cancels a payout: its lines wait again, and its deductions are owed again. */
export function cancelPayout({ merchant }: Model, payout: Payout): Answer {
  const refusal = refusalOf(payout, 'cancel');
  if (refusal) return refusal;
  Object.assign(payout, { status: 'CANCELLED', netsAt: null });
  for (const line of merchant.lines)
    if (line.payout === payout && line.kind !== 'SET_OFF') line.payout = null;
  return done();
}
