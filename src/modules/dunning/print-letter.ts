/** Prints a letter: takes the steps that wait for it, in the transaction of the operator. */
import { createHash } from 'node:crypto';
import type { DocumentBody } from '#infra/typesetting/document-body';
import { typesetDocument } from '#infra/typesetting/typesetter';
import { nextBusinessDay } from '#kernel/business-day';
import { findBuyer, type KnownBuyer, localeOfBuyer, preferencesOf } from '#modules/buyers';
import { lockInvoices } from '#modules/invoices';
import { insertLetterNotice } from '#modules/notifications';
import { composeReminders, fileReminders } from './compose-reminder.ts';
import { type CourseFacts, courseOf, readCourseFacts } from './course-facts.ts';
import { decideNextStep } from './dunning.rules.ts';
import { insertMailings, type MailingParties, type MailingRow } from './dunning-mailing.queries.ts';
import { listInvoicesOfLetter } from './letter.queries.ts';
import { awaitedBy } from './look.rules.ts';
import { isOwed, writeLooked } from './look-at-invoices.ts';
import type { LookContext } from './look-context.ts';
import { causeOf } from './queue-mailing.ts';
import type { Reminder } from './reminder-document.ts';
import { listedBeside, type Taken, takeTogether } from './send-mailings.ts';
import { dayIn, dueByOf } from './send-window.rules.ts';

/** Why no letter was printed. */
export type LetterFault =
  /** The waiting invoices were paid, credited or stopped, or another operator printed the letter. */
  | 'NOTHING_WAITS'
  /** A buyer gets at most one mailing from a creditor per day. */
  | 'REMINDED_TODAY';

/** A letter printed now. */
export interface Letter {
  letterId: string;
  mailedOn: string;
  pdf: Buffer;
  fault: null;
}

export type LetterOutcome = Letter | { fault: LetterFault };

/** Prints the letter that waits for a buyer and a creditor. Printing it again produces the same PDF. */
export async function printLetter(context: LookContext, parties: MailingParties): Promise<LetterOutcome> {
  const { db, platform, now } = context;
  const { platform_id: platformId } = platform;
  const dueBy = dueByOf(platform.time_zone, now);
  const ids = await listInvoicesOfLetter(db, platformId, { ...parties, dueBy });
  const locked = (await lockInvoices(db, platformId, ids)).filter(isOwed);
  const facts = (await readCourseFacts(context, locked, now)).filter(
    ({ creditor }) => creditor === parties.creditor,
  );
  const steps = facts.flatMap((each) => stepOfLetter(context, each) ?? []);
  if (steps.length === 0) return { fault: 'NOTHING_WAITS' };
  if (facts.some(({ isSentToday }) => isSentToday)) return { fault: 'REMINDED_TODAY' };
  const buyer = (await findBuyer(db, { platformId, externalId: parties.buyerExternalId })) as KnownBuyer;
  const invoices = listedBeside(context, facts, steps);
  const { mailing, taken } = await takeTogether(context, steps, 'LETTER');
  const today = mailing.mailed_on;
  await insertMailings(db, [mailing]);
  const [reminder] = await composeReminders(context, [{ mailing, buyer, invoices, today }]);
  const causes = [causeOf(mailing)];
  const [body] = await fileReminders(context, [{ mailing, reminder: reminder as Reminder, causes }]);
  const pdf = await typesetDocument(body as DocumentBody);
  await recordNotice(context, { mailing, buyer, pdf });
  await writeLooked(
    context,
    taken.map(({ after }) => after),
  );
  return { letterId: mailing.mailing_id, mailedOn: today, pdf, fault: null };
}

/** The step of an invoice that waits for a letter; null if it no longer does. Letters are printed at any hour. */
function stepOfLetter({ platform, now }: LookContext, facts: CourseFacts): Taken | null {
  const { invoice, plan, window, calendar } = facts;
  if (invoice.dunning?.paused_by !== 'LETTER' || plan === null || invoice.written_off_amount > 0) return null;
  const today = dayIn(window, now);
  const course = { ...courseOf(facts, plan, now, platform.mails_off), earliestOn: today };
  const decision = decideNextStep(course);
  if (decision.outcome !== 'STEP' || awaitedBy(facts, decision.next) !== 'LETTER') return null;
  if (decision.next.on > nextBusinessDay(calendar, today)) return null;
  return {
    ...{ facts, triggers: ['resume', 'step'], taken: decision.next },
    ...{ operatorStep: null, nextAt: null, pausedBy: null, lookAt: null },
  };
}

async function recordNotice(
  { db, platform, now }: LookContext,
  { mailing, buyer, pdf }: { mailing: MailingRow; buyer: KnownBuyer; pdf: Buffer },
): Promise<void> {
  const { city, country } = buyer.business_address;
  await insertLetterNotice(db, platform.platform_id, {
    ...{ cause: causeOf(mailing), buyerExternalId: buyer.external_id, now },
    // Without the street: a sole trader may live there.
    recipientMasked: [city, country].filter((part) => part).join(', '),
    language: localeOfBuyer(preferencesOf(buyer), platform).language,
    textSha256: createHash('sha256').update(pdf).digest(),
  });
}
