/** Transitions of the reminders of locked invoices, with their history and events. */
import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import { transitionOf } from '#kernel/lifecycle';
import { type NewEvent, recordEvents } from '#modules/webhooks';
import type { InvoiceRow } from '../invoice.queries.ts';
import { type DunningEvent, dunningEvent } from './dunning.events.ts';
import { type DunningTrigger, dunningLifecycle } from './dunning.lifecycle.ts';
import type { DunningKind, DunningPause } from './dunning.schemas.ts';
import {
  type DunningTransition,
  type InvoiceDunningRow,
  type PlannedStep,
  writeDunnings,
  writeNextLooks,
} from './invoice-dunning.queries.ts';

/** The new state of the reminders of an invoice. Each invoice is changed at most once. */
export interface DunningChange {
  invoice: Pick<
    InvoiceRow,
    | 'platform_id'
    | 'external_id'
    | 'buyer_external_id'
    | 'merchant_external_id'
    | 'outstanding_amount'
    | 'currency'
    | 'dunning'
  >;
  /** Applied in this order; empty if only the next instants change. */
  triggers: readonly DunningTrigger[];
  /** The instalment that the reminders are about. */
  installment: number;
  /** The last step taken for that instalment, including one taken now; null before the first. */
  last: { step: number; kind: DunningKind; at: number } | null;
  /** The day of the step taken, in the buyer's time zone. */
  stepOn: string | null;
  /** The plan's data of that step. */
  planned: PlannedStep | null;
  /** When the next step is due, in unix seconds. */
  nextAt: number | null;
  pausedBy: DunningPause | null;
  /** When the invoice is examined next. Undefined if another statement writes it. */
  lookAt?: number | null;
  actor: string;
  /** Unix seconds. */
  now: number;
}

/** Writes the changes with their events, in the transaction that holds the locks of the invoices. */
export async function changeDunnings(
  db: Db,
  platformId: number,
  changes: readonly DunningChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const dunnings: InvoiceDunningRow[] = [];
  const transitions: DunningTransition[] = [];
  const events: NewEvent<DunningEvent>[] = [];
  for (const change of changes) {
    const made = transitionsOf(change);
    dunnings.push((made.at(-1) as MadeTransition).dunning);
    for (const { event, ...transition } of made) {
      if (transition.trigger !== null) transitions.push({ ...transition, trigger: transition.trigger });
      if (event !== null) events.push(dunningEvent(event, transition.dunning, change.invoice));
    }
  }
  await writeDunnings(db, platformId, dunnings, transitions);
  await writeNextLooks(
    db,
    platformId,
    changes.flatMap(({ invoice, lookAt: at }) =>
      at === undefined ? [] : [{ invoiceExternalId: invoice.external_id, at }],
    ),
  );
  await recordEvents(db, events);
}

type MadeTransition = Omit<DunningTransition, 'trigger'> & {
  trigger: DunningTrigger | null;
  event: DunningEvent['type'] | null;
};

/** The transitions in order, each with the state after it. */
function transitionsOf(change: DunningChange): MadeTransition[] {
  const { invoice, triggers, installment, last, nextAt, pausedBy, actor, now } = change;
  const before = invoice.dunning;
  let dunning: InvoiceDunningRow = before ?? {
    platform_id: invoice.platform_id,
    external_id: randomUUID(),
    invoice_external_id: invoice.external_id,
    ...{ status: transitionOf(dunningLifecycle, null, 'begin').to, version: 0, updated_at: now, installment },
    ...{ step: null, kind: null, stepped_at: null, next_at: null, paused_by: null },
  };
  let status = before?.status ?? null;
  const made = triggers.map((trigger): MadeTransition => {
    const transition = transitionOf(dunningLifecycle, status, trigger);
    const isLast = trigger === triggers.at(-1);
    const from = status;
    status = transition.to;
    dunning = {
      ...dunning,
      status,
      version: dunning.version + 1,
      updated_at: Math.max(now, dunning.updated_at),
      installment,
      // A step is recorded from its own transition on.
      ...(trigger === 'begin' && { step: null, kind: null, stepped_at: null }),
      ...((trigger === 'step' || !triggers.includes('step')) && {
        ...{ step: last?.step ?? null, kind: last?.kind ?? null, stepped_at: last?.at ?? null },
      }),
      next_at: isLast ? nextAt : dunning.next_at,
      paused_by: trigger === 'pause' ? pausedBy : null,
    };
    const event = transition.event as DunningEvent['type'] | null;
    const { stepOn, planned } = trigger === 'step' ? change : { stepOn: null, planned: null };
    return { dunning, trigger, from, actor, event, stepOn, planned };
  });
  if (made.length > 0) return made;
  // Without a transition, only `next_at` or the kind of pause changes, which no event reports.
  const kept = { ...dunning, next_at: nextAt, paused_by: dunning.paused_by === null ? null : pausedBy };
  return [{ dunning: kept, trigger: null, from: status, actor, event: null, stepOn: null, planned: null }];
}
