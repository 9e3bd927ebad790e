/** The model of due transitions, in the order of their instants. */
import * as facilities from './facility.ts';
import { becomeDefault, defaultsAtOf, fallDue } from './late-invoice.ts';
import { expireOrder } from './order.ts';
import { formedPayout, formPayout, netPayout, nextRunAt, runPayouts } from './payout.ts';
import { decideAsPerson } from './review.ts';
import { examine } from './service.ts';
import { type Action, BUYER, isRefused, type Model, type Review } from './state.ts';

/** A transition that falls due. */
export interface Due {
  at: number;
  /** At the same instant, lower ranks come first. */
  rank: number;
  resource: 'facility' | 'order' | 'invoice' | 'service' | 'payout';
  trigger: string;
  /** The external_id of the order, invoice, service, payout or buyer; null for a resource that the transition creates. */
  id: string | null;
  /** Set if it is not a transition itself, so that the clock does not list it. */
  isHidden?: boolean;
  make(id: string): void;
}

/** The transitions due by now, unordered. Each is made as of its own instant. */
export function dueOf(model: Model): Due[] {
  const { facility, orders, invoices, reviews, now } = model;
  const found: Due[] = reviews.flatMap((each) => (each.status === 'OPEN' ? scriptedDue(model, each) : []));
  const due = (at: number, rank: number, trigger: string, make: () => void) =>
    found.push({ at, rank, resource: 'facility', trigger, id: BUYER, make });
  if (facility?.status === 'ACTIVE' && facility.renewalDueAt !== null) {
    const at = facility.renewalDueAt;
    due(at, 1, 'renew', () => facilities.evaluatePolicyFor(model, 'RENEWAL', null, at));
  }
  if ((facility?.status === 'ACTIVE' || facility?.status === 'FROZEN') && facility.expiresAt !== null) {
    const at = facility.expiresAt;
    due(at, 2, 'expire', () => facilities.expireFacility(model, at));
  }
  for (const order of orders) {
    const { id, expiresAt: at } = order;
    const make = () => void expireOrder(model, order);
    if (at !== null) found.push({ at, rank: 3, resource: 'order', trigger: 'expire', id, make });
  }
  for (const invoice of invoices) {
    const { id, fallsDueAt } = invoice;
    const ofInvoice = { resource: 'invoice' as const, id };
    if (fallsDueAt !== null) {
      const make = () => fallDue(invoice, fallsDueAt);
      found.push({ ...ofInvoice, at: fallsDueAt, rank: 4, trigger: 'become_due', make });
    }
    const defaultsAt = defaultsAtOf(invoice);
    if (defaultsAt !== null) {
      const make = () => becomeDefault(invoice);
      found.push({ ...ofInvoice, at: defaultsAt, rank: 5, trigger: 'default', make });
    }
  }
  found.push(...servicesDue(model), ...payoutsDue(model));
  return found.filter(({ at }) => at <= now);
}

const servicesDue = (model: Model): Due[] =>
  model.services.flatMap((service) => {
    const { id, examineAt: at } = service;
    if (at === null) return [];
    return {
      at,
      rank: 6,
      resource: 'service',
      trigger: 'examine',
      id,
      make: () => examine(model, service, at),
    };
  });

/** The payout run of a day, the payout that it forms, and payouts that debts consume. */
function payoutsDue(model: Model): Due[] {
  const { paysAt, payouts } = model.merchant;
  const found: Due[] = [];
  const due = (rank: number, at: number, more: Pick<Due, 'trigger' | 'id' | 'make' | 'isHidden'>) =>
    found.push({ at, rank, resource: 'payout', ...more });
  const runsAt = nextRunAt(model);
  if (runsAt !== null)
    due(7, runsAt, { trigger: 'collect', id: null, isHidden: true, make: () => runPayouts(model, runsAt) });
  if (paysAt !== null) {
    const formed = formedPayout(model, paysAt);
    const make = (id: string) => {
      model.merchant.paysAt = null;
      if (formed) formPayout(model, { ...formed, id }, paysAt);
    };
    due(8, paysAt, { trigger: 'schedule', id: null, isHidden: formed === null, make });
  }
  for (const payout of payouts) {
    const { id, netsAt } = payout;
    if (netsAt !== null)
      due(9, netsAt, { trigger: 'set_off', id, make: () => netPayout(model, payout, netsAt) });
  }
  return found;
}

/** If the acceptance can no longer be applied, the script rejects, so that the review ends. */
function scriptedDue(model: Model, about: Review): Due[] {
  if (!about.scripted) return [];
  const { at, verdict } = about.scripted;
  const make = () => {
    if (isRefused(decideAsPerson(model, about, verdict, null, at)))
      decideAsPerson(model, about, 'REJECT', null, at);
  };
  const common = { at, rank: 0, make };
  return about.order
    ? [{ ...common, resource: 'order', trigger: ORDER_TRIGGERS[verdict], id: about.order.id }]
    : [
        {
          ...common,
          resource: 'facility',
          trigger: facilities.TRIGGERS[about.about as Action][verdict],
          id: BUYER,
        },
      ];
}

const ORDER_TRIGGERS = { ACCEPT: 'confirm', REJECT: 'decline' } as const;
