/** The format of plans of reminders, and the rules for valid ones. */
import { type Static, Type } from 'typebox';
import { closed, oneOf } from '#kernel/fields';
import { DUNNING_KINDS, DUNNING_LEAD_DAYS, type DunningKind } from '#modules/invoices';
import { compileValidator } from '#operation/validation';

/** How firmly a reminder is worded. */
export const DUNNING_TONES = ['FRIENDLY', 'FIRM'] as const;
export type DunningTone = (typeof DUNNING_TONES)[number];

/** How a reminder reaches the buyer. */
export const DUNNING_CHANNELS = ['MAIL', 'LETTER'] as const;
export type DunningChannel = (typeof DUNNING_CHANNELS)[number];

/** The longest delay that a plan can name, in days. */
const DAYS_MAX = 365;
const STEPS_MAX = 20;

const DunningStep = closed(
  {
    days: Type.Integer({
      minimum: -DUNNING_LEAD_DAYS,
      maximum: DAYS_MAX,
      description: 'Days from the due day of the next unpaid instalment; negative before it',
    }),
    kind: oneOf(DUNNING_KINDS, 'HAND_OVER writes nothing to the buyer and is the last step'),
    tone: Type.Optional(oneOf(DUNNING_TONES, 'How firmly a REMINDER is worded; FRIENDLY by default')),
    claims_charges: Type.Optional(
      Type.Boolean({ description: 'Claims the interest and compensation that the law gives' }),
    ),
    channel: Type.Optional(
      oneOf(
        DUNNING_CHANNELS,
        'MAIL by default. A LETTER waits until an operator prints it, and is taken then',
      ),
    ),
    needs_operator: Type.Optional(
      Type.Boolean({ description: 'The step waits until an operator resumes the reminders of the invoice' }),
    ),
  },
  'DunningStep',
);

/** When each reminder is sent. */
export const DunningPlan = closed(
  {
    least_gap_days: Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'The minimum number of days between two steps of an invoice',
    }),
    steps: Type.Array(DunningStep, { minItems: 1, maxItems: STEPS_MAX }),
  },
  'DunningPlan',
);
export type DunningPlan = Static<typeof DunningPlan>;
export type DunningStep = Static<typeof DunningStep>;

/** The plan that is proposed if no other is given. */
export const DEFAULT_DUNNING_PLAN: DunningPlan = {
  least_gap_days: 3,
  steps: [
    { days: -3, kind: 'BEFORE_DUE' },
    { days: 0, kind: 'DUE' },
    { days: 5, kind: 'REMINDER' },
    { days: 15, kind: 'REMINDER', tone: 'FIRM', claims_charges: true },
    { days: 30, kind: 'LAST_REMINDER', claims_charges: true },
    { days: 60, kind: 'HAND_OVER' },
  ],
};

/** Whether a step only announces the due day: it is not sent after that day. */
export const isCourtesy = ({ kind }: { kind: DunningKind }) => kind === 'BEFORE_DUE' || kind === 'DUE';

/** The stored part of a taken step. Its number can belong to another step once the plan is changed. */
export interface PastStep {
  kind: DunningKind;
  /** Days from the due day. */
  days: number;
  isFirm: boolean;
}

export const pastStepOf = ({ kind, days, tone }: DunningStep): PastStep => ({
  ...{ kind, days, isFirm: tone === 'FIRM' },
});

/** A rank: a higher number is harsher. */
export const severityOf = (step: PastStep) => 2 * rankOf(step) + (step.isFirm ? 1 : 0);

const shapeFaults = compileValidator(DunningPlan, 'body');

/** Reads a plan, or returns its faults, each as a sentence. */
export function readDunningPlan(content: string): { plan: DunningPlan } | { faults: string[] } {
  let plan: unknown;
  try {
    plan = JSON.parse(content);
  } catch {
    return { faults: ['it is not JSON'] };
  }
  const issues = shapeFaults(plan);
  if (issues.length > 0)
    return { faults: issues.map(({ path, message }) => `${path.replace('body', 'plan')} ${message}`) };
  const faults = faultsOf(plan as DunningPlan);
  return faults.length > 0 ? { faults } : { plan: plan as DunningPlan };
}

function faultsOf({ steps }: DunningPlan): string[] {
  return steps.flatMap((step, index) => {
    const before = steps[index - 1];
    const at = `plan.steps.${index}`;
    return [
      ...(before && step.days <= before.days ? [`${at}.days must be later than the step before`] : []),
      ...(before && rankOf(step) < rankOf(before) ? [`${at}.kind must not come after ${before.kind}`] : []),
      ...(before && step.kind !== 'REMINDER' && step.kind === before.kind
        ? [`${at}.kind must not be repeated: only a REMINDER may be`]
        : []),
      ...dayFaults(step, at),
      ...(step.channel === 'LETTER' && !isReminder(step)
        ? [`${at}.channel must be MAIL: only a REMINDER and the LAST_REMINDER can be printed`]
        : []),
      ...(step.tone !== undefined && step.kind !== 'REMINDER'
        ? [`${at}.tone is allowed only for a REMINDER`]
        : []),
      ...(step.claims_charges && isCourtesy(step)
        ? [`${at}.claims_charges must be false: nothing is late at that step`]
        : []),
    ];
  });
}

const isReminder = (step: DunningStep) => !isCourtesy(step) && step.kind !== 'HAND_OVER';
const rankOf = ({ kind }: Pick<DunningStep, 'kind'>) => DUNNING_KINDS.indexOf(kind);

function dayFaults({ kind, days }: DunningStep, at: string): string[] {
  if (kind === 'BEFORE_DUE') return days < 0 ? [] : [`${at}.days must be below 0 for BEFORE_DUE`];
  if (kind === 'DUE') return days === 0 ? [] : [`${at}.days must be 0 for DUE`];
  return days > 0 ? [] : [`${at}.days must be above 0 for ${kind}`];
}
