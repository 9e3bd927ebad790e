/** Looks at invoices whose next step may be due: takes the step, waits for it, or pauses. */
import { inTransaction } from '#infra/database/transaction';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { givingWay } from '#infra/time/give-way';
import { mapInTurns } from '#infra/time/in-turns';
import {
  changeDunnings,
  type DunningChange,
  type InvoiceRow,
  lockInvoices,
  withdrawReminders,
  writeNextLooks,
} from '#modules/invoices';
import { type CourseFacts, courseOf, readCourseFacts } from './course-facts.ts';
import { decideNextStep } from './dunning.rules.ts';
import { listInvoicesOfLook, lookingAt } from './dunning-look.queries.ts';
import { pastStepOf } from './dunning-plan.rules.ts';
import { insertStop } from './dunning-stop.queries.ts';
import { type LookDeps, postponeLateLooks, presentOfLateLook } from './late-looks.ts';
import { type Looked, lookOf } from './look.rules.ts';
import { type LookContext, lookContextOf } from './look-context.ts';
import { sendMailings } from './send-mailings.ts';
import { dueByOf } from './send-window.rules.ts';
import { isWaitingForBank, reportMissingStatements } from './wait-for-bank.ts';

/** Invoices due at one instant that are looked at together, mostly in a morning. Other due invoices of their buyers are added. */
const TOGETHER_MAX = 4;
/** While requests are served: a morning has hours for its reminders, which share the processors with them. */
const REMINDED_PER_SECOND_MAX = 230;

/** Sends the reminders of invoices, and looks again when the next step may be due. */
export const reminders: DueSource<LookDeps, 'invoice'> = {
  ...lookingAt,
  async findNext(db, platformId, until, countMax, except) {
    const due = await lookingAt.findNext(db, platformId, until, countMax, except);
    const [first] = due;
    // All are due at one instant, and none is earlier.
    if (first && (await isWaitingForBank(db, platformId, { dueAt: first.dueAt, now: until }))) return [];
    return due;
  },
  togetherMax: TOGETHER_MAX,
  perSecondMax: REMINDED_PER_SECOND_MAX,
  make: (db, platformId, due, deps) =>
    inTransaction(deps.giveWay ? givingWay(db, deps.giveWay) : db, async (transaction) => {
      const [first] = due as [Due<'invoice'>];
      const { dueAt } = first;
      const ids = due.map(({ externalId }) => externalId);
      const context = await lookContextOf(transaction, platformId, deps, dueAt);
      const present = presentOfLateLook(context.platform, dueAt, deps);
      if (present !== null) {
        await postponeLateLooks(transaction, platformId, ids, { dueAt, present });
        return [];
      }
      const reminded = await lookTogether(context, ids);
      return reminded.map((externalId) => ({ ...first, externalId }));
    }),
};

/**
 * Looks at these invoices and at all others of their buyers whose look is due, so that each buyer gets one mailing. Skips invoices that
 * were paid or had a look since they were found. Returns the invoices for which a step was taken.
 */
async function lookTogether(context: LookContext, externalIds: readonly string[]): Promise<string[]> {
  const { db, platform, now } = context;
  const { platform_id: platformId } = platform;
  const dueBy = dueByOf(platform.time_zone, now);
  const ids = await listInvoicesOfLook(db, platformId, externalIds, { until: now, dueBy });
  // A look changes no credit. If it locked the facilities too, orders would wait until the mails are written.
  const locked = (await lockInvoices(db, platformId, ids)).filter(isOwed);
  const facts = await readCourseFacts(context, locked, now);
  const looked = await mapInTurns(
    facts.filter(({ invoice }) => invoice.dunning_at !== null && invoice.dunning_at <= now),
    (each) => lookOf(each, decisionOf(each, context), now),
  );
  await askOperators(context, looked);
  const sent = await sendMailings(context, { facts, looked });
  if (sent.some(({ taken }) => taken !== null && taken.step.kind !== 'HAND_OVER'))
    await reportMissingStatements(context);
  await withdrawReminders(
    db,
    platformId,
    looked.flatMap(({ triggers, pausedBy, facts: { invoice } }) =>
      triggers.includes('pause') && pausedBy !== 'LETTER' ? [invoice.external_id] : [],
    ),
  );
  await writeLooked(context, sent);
  return sent.flatMap(({ taken, facts: { invoice } }) => (taken ? [invoice.external_id] : []));
}

/** Writes the changes of the reminders of the invoices, and their next looks. */
export async function writeLooked(
  { db, platform: { platform_id: platformId }, ...by }: LookContext,
  looked: readonly Looked[],
): Promise<void> {
  const changed = looked.filter(
    ({ triggers, facts: { invoice } }) => triggers.length > 0 || isUnderWay(invoice),
  );
  await changeDunnings(
    db,
    platformId,
    changed.map((each) => changeOf(each, by)),
  );
  await writeNextLooks(
    db,
    platformId,
    looked.map(({ facts: { invoice }, lookAt: at }) => ({ invoiceExternalId: invoice.external_id, at })),
  );
}

export const isOwed = ({ status }: InvoiceRow) => status === 'OPEN' || status === 'DUE';
const isUnderWay = ({ dunning }: InvoiceRow) => dunning !== null && dunning.status !== 'ENDED';

/** Null if no step is to come: the invoice has no plan, or was written off. */
function decisionOf(facts: CourseFacts, { now, platform }: LookContext) {
  if (facts.plan === null || facts.invoice.written_off_amount > 0) return null;
  return decideNextStep(courseOf(facts, facts.plan, now, platform.mails_off));
}

/** A step that needs a person waits in the list of `tradeline dunning list --paused-by OPERATOR`. */
async function askOperators({ db, now }: LookContext, looked: readonly Looked[]): Promise<void> {
  for (const { operatorStep, facts } of looked)
    if (operatorStep !== null)
      await insertStop(db, facts.invoice.platform_id, {
        ...{ external_id: null, cause: 'OPERATOR', scope: 'INVOICE' },
        scope_external_id: facts.invoice.external_id,
        ...{ created_at: now, actor: 'service', reason: null, until_on: null, promised_amount: null },
        ...{ installment: facts.installment, step: operatorStep },
      });
}

function changeOf(looked: Looked, { actor, now }: Pick<LookContext, 'actor' | 'now'>): DunningChange {
  const { facts, triggers, taken, nextAt, pausedBy } = looked;
  const { invoice, installment } = facts;
  const before = facts.taken.findLast((each) => each.installment === installment);
  return {
    ...{ invoice, triggers, installment, nextAt, pausedBy },
    last: taken
      ? { step: taken.number, kind: taken.step.kind, at: now }
      : before
        ? { step: before.step, kind: before.kind, at: before.transitioned_at }
        : null,
    stepOn: taken?.on ?? null,
    planned: taken && pastStepOf(taken.step),
    ...{ actor, now },
  };
}
