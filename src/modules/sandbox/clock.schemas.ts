import { type Static, Type } from 'typebox';
import { closed, named, oneOf, UNIX_SECONDS_MAX, unixSeconds } from '#kernel/fields';

/** A mean Gregorian year has 31,556,952 s. */
export const YEARS_AHEAD_MAX = 10;
export const AHEAD_SECONDS_MAX = YEARS_AHEAD_MAX * 31_556_952;

/** A year of a platform with a thousand buyers has five times as many transitions. */
export const TRANSITIONS_LISTED_MAX = 1_000;

/** How to set the clock. A request has exactly one of the fields. */
export const ClockSetting = Type.Object(
  {
    now: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: UNIX_SECONDS_MAX,
        description: 'The new time of the clock, in unix seconds; not before its current time.',
      }),
    ),
    advance_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: AHEAD_SECONDS_MAX,
        description: 'Seconds to advance: 86400 is a day.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1, title: 'ClockSetting' },
);
export type ClockSetting = Static<typeof ClockSetting>;

const Transition = closed(
  {
    at: unixSeconds('When it fell due, which is its instant in the history'),
    resource: named('DueResource', oneOf(['facility', 'order', 'invoice', 'service', 'payout'])),
    external_id: Type.String({
      description: "The external_id of the order, invoice or payout, or of the facility's buyer",
    }),
    trigger: Type.String({
      description:
        'As in GET /v1/meta/state_machines. `default` means that the invoice defaulted; its status does not change',
    }),
  },
  'DueTransition',
);

export const SandboxClock = closed(
  { now: unixSeconds("The time of the platform's clock, which runs at the speed of real time") },
  'SandboxClock',
);

export const ClockAdvance = closed(
  {
    now: unixSeconds('The new time of the clock'),
    previous: unixSeconds('The previous time of the clock'),
    transitions: Type.Array(Transition, {
      description: `The transitions that fell due in between, in order; at most the first ${TRANSITIONS_LISTED_MAX}.`,
    }),
    transitions_total: Type.Integer({ minimum: 0, description: 'The number of transitions that fell due' }),
  },
  'ClockAdvance',
);
export type ClockAdvance = Static<typeof ClockAdvance>;
