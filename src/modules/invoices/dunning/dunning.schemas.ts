import { type Static, Type } from 'typebox';
import { closed, named, nullable, oneOf, unixSeconds } from '#kernel/fields';
import { dunningLifecycle } from './dunning.lifecycle.ts';

/** The kinds of a plan's steps, in the order in which a plan can have them. */
export const DUNNING_KINDS = ['BEFORE_DUE', 'DUE', 'REMINDER', 'LAST_REMINDER', 'HAND_OVER'] as const;
export type DunningKind = (typeof DUNNING_KINDS)[number];

/** The reasons that stop reminders. If several apply, the first is shown. */
export const DUNNING_PAUSES = [
  'INSOLVENCY',
  'FROZEN',
  'STOP_LIST',
  'COLLECTION',
  'DISPUTE',
  'PROMISE',
  'OPERATOR',
  'LETTER',
  'NO_ADDRESS',
] as const;
export type DunningPause = (typeof DUNNING_PAUSES)[number];

export const DunningStatusSchema = named('DunningStatus', oneOf(dunningLifecycle.states));
export const DunningKindSchema = named('DunningKind', oneOf(DUNNING_KINDS));
export const DunningPauseSchema = named('DunningPause', oneOf(DUNNING_PAUSES));

export const dunningStep = nullable(
  Type.Integer({
    description:
      'The number of the last step taken, from 1, in the plan that was in force then; null before the first',
  }),
);
export const dunningNextAt = nullable(
  unixSeconds('When the next step is due, or a pause ends; null where neither is known'),
);

/** How far the reminders of an invoice have come. */
export const InvoiceDunning = closed(
  {
    status: DunningStatusSchema,
    step: dunningStep,
    kind: nullable({ ...DunningKindSchema, description: 'The kind of that step' }),
    stepped_at: nullable(unixSeconds('When it was taken')),
    next_at: dunningNextAt,
    paused_by: nullable({ ...DunningPauseSchema, description: 'What stops the reminders' }),
  },
  'InvoiceDunning',
);
export type InvoiceDunning = Static<typeof InvoiceDunning>;
