/** The facts of locked invoices that the rules need, read in sets. */
import type { Db } from '#infra/database/database';
import type { BusinessCalendar } from '#kernel/business-day';
import { findBuyers, preferencesOf } from '#modules/buyers';
import { dueAmountOf, type InvoiceRow, outstandingOf, type TakenStep } from '#modules/invoices';
import type { PlatformRow } from '#modules/platforms';
import type { Course, Stop } from './dunning.rules.ts';
import { listLastMailings, type MailingParties } from './dunning-mailing.queries.ts';
import { findDunningPlans } from './dunning-plan.queries.ts';
import type { DunningPlan } from './dunning-plan.rules.ts';
import { type DunningStopRow, listStops } from './dunning-stop.queries.ts';
import { dayIn, earliestDay, type SendWindow, sendWindowOf } from './send-window.rules.ts';
import { pastStepOfTaken, readTakenSteps } from './taken-steps.ts';

/** A locked invoice with an amount owed, and the facts that its reminders depend on. */
export interface CourseFacts {
  invoice: InvoiceRow;
  /** The next unpaid instalment. */
  installment: number;
  /** The merchant; empty if the claim belongs to the platform. */
  creditor: string;
  plan: DunningPlan | null;
  /** Every step taken for the invoice, in order. */
  taken: readonly TakenStep[];
  stops: readonly DunningStopRow[];
  window: SendWindow;
  calendar: BusinessCalendar;
  isSentToday: boolean;
}

/** The current creditor of an invoice: the merchant, or empty for the platform. */
export const creditorOf = ({ is_financed, merchant_external_id }: InvoiceRow) =>
  is_financed ? '' : merchant_external_id;

/** The key of the parties that share a mailing. */
export const nameOfParties = ({ buyerExternalId, creditor }: MailingParties) =>
  `${buyerExternalId}/${creditor}`;

/** Reads the facts of locked invoices that are OPEN or DUE. */
export async function readCourseFacts(
  { db, platform }: { db: Db; platform: PlatformRow },
  invoices: readonly InvoiceRow[],
  now: number,
): Promise<CourseFacts[]> {
  const { platform_id: platformId } = platform;
  const ids = invoices.map(({ external_id }) => external_id);
  const buyerIds = [...new Set(invoices.map(({ buyer_external_id }) => buyer_external_id))];
  const merchants = [...new Set(invoices.map(({ merchant_external_id }) => merchant_external_id))];
  const pairs = invoices.map((invoice) => ({
    merchantExternalId: invoice.merchant_external_id,
    buyerExternalId: invoice.buyer_external_id,
  }));
  const plans = await findDunningPlans(db, platformId, pairs);
  const taken = Map.groupBy(
    await readTakenSteps(db, platformId, invoices),
    ({ invoice_external_id }) => invoice_external_id,
  );
  const stops = await listStops(db, platformId, { invoices: ids, buyers: buyerIds, merchants });
  const mailings = new Map(
    (await listLastMailings(db, platformId, buyerIds)).map((each) => [nameOfParties(each), each.lastOn]),
  );
  const buyers = await findBuyers(
    db,
    buyerIds.map((externalId) => ({ platformId, externalId })),
  );
  const countries = new Map(
    buyers.flatMap((buyer) => (buyer ? [[buyer.external_id, preferencesOf(buyer).country]] : [])),
  );
  return invoices.map((invoice, nth) => {
    const country = countries.get(invoice.buyer_external_id) ?? null;
    const window = sendWindowOf(country, platform.time_zone);
    const creditor = creditorOf(invoice);
    const lastOn = mailings.get(nameOfParties({ buyerExternalId: invoice.buyer_external_id, creditor }));
    return {
      ...{ invoice, creditor, window },
      installment: nextInstalmentOf(invoice).number,
      plan: plans[nth] ?? null,
      taken: taken.get(invoice.external_id) ?? [],
      stops: stops.filter((stop) => isOf(stop, invoice)),
      calendar: { currency: invoice.currency },
      isSentToday: lastOn === dayIn(window, now),
    };
  });
}

/** The next unpaid instalment of an invoice with an amount owed. */
export function nextInstalmentOf({ installments }: InvoiceRow): InvoiceRow['installments'][number] {
  const next = installments.find((each) => outstandingOf(each) > 0) ?? installments.at(-1);
  return next as InvoiceRow['installments'][number];
}

function isOf({ scope, scope_external_id: id }: DunningStopRow, invoice: InvoiceRow): boolean {
  if (scope === 'INVOICE') return id === invoice.external_id;
  if (scope === 'BUYER') return id === invoice.buyer_external_id;
  return scope === 'PLATFORM' || id === invoice.merchant_external_id;
}

/** In these statuses, a collector reminds the buyer. */
const COLLECTING = ['IN_REVIEW', 'EARLY_COLLECTION', 'LATE_COLLECTION'];

/** The input of the rules at an instant (unix seconds). */
export function courseOf(
  facts: CourseFacts,
  plan: DunningPlan,
  now: number,
  mailsOff: readonly string[],
): Course {
  const { invoice, installment, taken, window, calendar, isSentToday } = facts;
  const today = dayIn(window, now);
  const last = taken.findLast((each) => each.installment === installment);
  const stops = facts.stops
    .filter(({ ended_at, until_on }) => ended_at === null && (until_on === null || until_on >= today))
    // A step of a paid instalment waits for no operator.
    .filter((stop) => stop.cause !== 'OPERATOR' || stop.installment === installment)
    .map(({ cause, until_on: untilOn }): Stop => ({ cause, untilOn }));
  const isDisputed = invoice.paused_amount > 0 && dueAmountOf(invoice, today) === 0;
  const isCollected = COLLECTING.includes(invoice.collection_status ?? '');
  return {
    ...{ plan, calendar },
    dueOn: nextInstalmentOf(invoice).due_on,
    step: last?.step ?? 0,
    lastStep: last ? pastStepOfTaken(last) : null,
    lastOn: taken.at(-1)?.step_on ?? null,
    hasNoCourtesy: invoice.payment_method === 'DEBIT' || mailsOff.includes('reminder_due_soon'),
    stops: [
      ...stops,
      ...(isCollected ? [{ cause: 'COLLECTION', untilOn: null } as const] : []),
      ...(isDisputed ? [{ cause: 'DISPUTE', untilOn: null } as const] : []),
    ],
    earliestOn: earliestDay(window, calendar, { now, isSentToday }),
  };
}
