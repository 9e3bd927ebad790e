export { mailingChecks } from './check-mailings.ts';
export { type ListedDunning, listDunnings } from './dunning-look.queries.ts';
export type { MailingParties } from './dunning-mailing.queries.ts';
export { findDunningPlans, listDunningPlans, type PlanScope } from './dunning-plan.queries.ts';
export { DEFAULT_DUNNING_PLAN, type DunningPlan, readDunningPlan } from './dunning-plan.rules.ts';
export { dunningPlanChange } from './dunning-plan-change.ts';
export type { LookScope } from './dunning-rescan.queries.ts';
export { listStopsOfScope } from './dunning-stop.queries.ts';
export { liftInsolvency, recordInsolvency } from './insolvency.ts';
export type { LookDeps } from './late-looks.ts';
export {
  findPrintedLetter,
  listPrintedLetters,
  listWaitingLetters,
  type PrintedLetter,
  type WaitingLetter,
} from './letter.queries.ts';
export { reminders } from './look-at-invoices.ts';
export { findMailHours } from './mail-hours.ts';
export { createPromise } from './operations/create-promise.ts';
export { listPromises } from './operations/list-promises.ts';
export { withdrawPromise } from './operations/withdraw-promise.ts';
export { type LetterFault, type LetterOutcome, printLetter } from './print-letter.ts';
export { promiseFault } from './promise.rules.ts';
export { rescans } from './rescan-invoices.ts';
export {
  type ReminderStop,
  resumeReminders,
  scopeName,
  stopReminders,
} from './stop-reminders.ts';
