/** Takes the steps of a look: claims late charges, and writes one mailing for each buyer and creditor. */
import { randomUUID } from 'node:crypto';
import { dayLater } from '#kernel/day';
import type { InvoiceRow } from '#modules/invoices';
import { chargeInvoice } from '#modules/late-charges';
import type { Addressees } from '#modules/notifications';
import { listReminderHandovers } from '#modules/statements';
import { type CourseFacts, courseOf, nameOfParties } from './course-facts.ts';
import { type DunningDecision, decideNextStep } from './dunning.rules.ts';
import { insertMailings, type MailingRow } from './dunning-mailing.queries.ts';
import { type DunningChannel, type DunningPlan, type DunningStep, pastStepOf } from './dunning-plan.rules.ts';
import { findRecipients } from './find-recipients.ts';
import { type Looked, paused } from './look.rules.ts';
import type { LookContext } from './look-context.ts';
import { wordingOf } from './mailing.rules.ts';
import { type MailingToQueue, queueMailings } from './queue-mailing.ts';
import { dayIn, opensOn } from './send-window.rules.ts';

/** All invoices of a look, and the decisions about those that were due. */
export interface LookedTogether {
  facts: readonly CourseFacts[];
  looked: readonly Looked[];
}

/** A look that takes a step. */
export type Taken = Looked & { taken: NonNullable<Looked['taken']> };

/** How long after a mailing its mail is first checked for having been withdrawn. */
export const CHECK_AFTER_SECONDS = 600;
/** Without a hand-over, the number of days in which the last reminder asks for payment. */
const PAY_WITHIN_DAYS = 10;

/** Returns the looks, with the next steps of those that took one. */
export async function sendMailings(context: LookContext, together: LookedTogether): Promise<Looked[]> {
  const { db, now } = context;
  const { looked } = together;
  const steps = looked.filter((each): each is Taken => each.taken !== null);
  const done = new Map<Looked, Looked>();
  for (const step of steps)
    if (step.taken.step.kind === 'HAND_OVER') done.set(step, await take(context, step));
  const written = steps.filter((step) => !done.has(step));
  const mailings = mailingsOf(context, together.facts, written);
  const addressees = await findRecipients(
    context,
    mailings.map(({ invoices }) => invoices),
  );
  const toQueue: MailingToQueue[] = [];
  for (const [nth, { steps: ofMailing, invoices }] of mailings.entries()) {
    const to = addressees[nth] as Addressees;
    if (to.recipients.length === 0) {
      for (const step of ofMailing)
        done.set(step, paused(step.facts, { by: 'NO_ADDRESS', resumesOn: null, endsUnheard: true }, now));
      continue;
    }
    const { mailing, taken } = await takeTogether(context, ofMailing, 'MAIL');
    for (const step of taken) done.set(step.before, step.after);
    toQueue.push({ mailing, today: mailing.mailed_on, addressees: to, invoices });
  }
  await insertMailings(
    db,
    toQueue.map(({ mailing }) => mailing),
  );
  await queueMailings(context, toQueue);
  return looked.map((each) => done.get(each) ?? each);
}

/** The steps of each mailing, with the invoices that it lists. */
function mailingsOf(context: LookContext, facts: readonly CourseFacts[], steps: readonly Taken[]) {
  const factsOf = Map.groupBy(facts, partiesOf);
  return [...Map.groupBy(steps, (step) => partiesOf(step.facts))].map(([parties, ofMailing]) => ({
    steps: ofMailing,
    invoices: listedBeside(context, factsOf.get(parties) ?? [], ofMailing),
  }));
}

const partiesOf = ({ invoice: { buyer_external_id: buyerExternalId }, creditor }: CourseFacts) =>
  nameOfParties({ buyerExternalId, creditor });

/** The mailing, and the steps that were taken with it. */
export interface TakenTogether {
  mailing: MailingRow;
  taken: { before: Looked; after: Looked }[];
}

/** Takes steps of one buyer and creditor. The caller inserts the returned mailing. */
export async function takeTogether(
  context: LookContext,
  steps: readonly Taken[],
  channel: DunningChannel,
): Promise<TakenTogether> {
  const { platform, actor, now } = context;
  const [first] = steps as [Taken];
  const { invoice, creditor, window } = first.facts;
  const today = dayIn(window, now);
  const taken: TakenTogether['taken'] = [];
  for (const before of steps) taken.push({ before, after: await take(context, before) });
  const wording = wordingOf(steps.map((each) => each.taken.step));
  const mailing: MailingRow = {
    ...{ platform_id: platform.platform_id, mailing_id: randomUUID() },
    ...{ buyer_external_id: invoice.buyer_external_id, creditor, mailed_on: today, ...wording, channel },
    pay_by:
      wording.kind === 'LAST_REMINDER'
        ? payByOf(
            taken.map(({ after }) => after),
            today,
          )
        : null,
    ...{ compositions: 1, created_at: now },
    // A printed letter is not withdrawn.
    ...(channel === 'MAIL'
      ? { check_at: now + CHECK_AFTER_SECONDS, printed_by: null }
      : { check_at: null, printed_by: actor }),
  };
  return { mailing, taken };
}

/**
 * The invoices of the steps, and the others that the buyer pays late to this creditor and for which reminders are under way: a payment
 * of any other invoice would not withdraw the mail.
 * @param facts Of this buyer and creditor.
 */
export function listedBeside(
  { now, platform }: LookContext,
  facts: readonly CourseFacts[],
  steps: readonly Taken[],
): InvoiceRow[] {
  const own = new Set(steps.map((each) => each.facts));
  return facts
    .filter((each) => {
      if (own.has(each)) return true;
      if (each.plan === null || each.invoice.status !== 'DUE' || !isReminded(each)) return false;
      return courseOf(each, each.plan, now, platform.mails_off).stops.length === 0;
    })
    .map(({ invoice }) => invoice);
}

/** Also if the next reminder waits to be printed. */
const isReminded = ({ invoice: { dunning } }: CourseFacts) =>
  dunning?.status === 'RUNNING' || dunning?.paused_by === 'LETTER';

/** Takes a step: claims its charges, and returns what comes after it. */
async function take(context: LookContext, step: Taken): Promise<Looked> {
  const { now, platform } = context;
  const { facts, taken } = step;
  if (taken.step.claims_charges) await claimCharges(context, facts, taken.step);
  const { external_id: invoice_external_id } = facts.invoice;
  const { kind, days, isFirm: is_firm } = pastStepOf(taken.step);
  const row = {
    invoice_external_id,
    installment: facts.installment,
    step: taken.number,
    kind,
    days,
    is_firm,
  };
  const after: CourseFacts = {
    ...facts,
    isSentToday: true,
    taken: [...facts.taken, { ...row, transitioned_at: now, step_on: dayIn(facts.window, now) }],
  };
  const next = decideNextStep(courseOf(after, facts.plan as DunningPlan, now, platform.mails_off));
  const nextAt = nextAtOf(facts, next);
  return { ...step, taken: { ...taken, on: dayIn(facts.window, now) }, nextAt, lookAt: nextAt };
}

function nextAtOf({ window }: CourseFacts, decision: DunningDecision): number | null {
  return decision.outcome === 'STEP' ? opensOn(window, decision.next.on) : null;
}

async function claimCharges(
  { db, platform, actor, now }: LookContext,
  { invoice }: CourseFacts,
  { kind }: DunningStep,
): Promise<void> {
  const { platform_id: platformId, time_zone: timeZone } = platform;
  await chargeInvoice(
    { db, platformId, timeZone, actor, now, listReminderHandovers },
    {
      invoiceExternalId: invoice.external_id,
      // A hand-over is not a reminder.
      kinds: kind === 'HAND_OVER' ? ['INTEREST', 'COMPENSATION'] : ['INTEREST', 'COMPENSATION', 'REMINDER'],
      remindedOn: null,
      reason: 'A step of the plan of reminders.',
    },
  );
}

/** The day before the first hand-over that follows a last reminder; without one, ten days from today. */
function payByOf(after: readonly Looked[], today: string): string {
  const last = after.filter(({ taken }) => taken?.step.kind === 'LAST_REMINDER');
  const days = last.flatMap(({ facts, nextAt }) => (nextAt === null ? [] : [dayIn(facts.window, nextAt)]));
  const [handOver] = days.sort();
  return handOver === undefined ? dayLater(today, PAY_WITHIN_DAYS) : dayLater(handOver, -1);
}
