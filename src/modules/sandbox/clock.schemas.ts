import { type Static, Type } from 'typebox';
import { closed, oneOf, UNIX_SECONDS_MAX, unixSeconds } from '#kernel/fields';

/** Of the mean Gregorian year, 31,556,952 s. */
export const YEARS_AHEAD_MAX = 10;
export const AHEAD_SECONDS_MAX = YEARS_AHEAD_MAX * 31_556_952;

/** A year of a platform with a thousand buyers makes five times as many; nobody reads them one by one. */
export const TRANSITIONS_LISTED_MAX = 1_000;

/** Exactly one of its fields. */
export const ClockSetting = Type.Object(
  {
    now: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: UNIX_SECONDS_MAX,
        description: 'What the clock shall show, in unix seconds. Not before what it shows.',
      }),
    ),
    advance_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: AHEAD_SECONDS_MAX,
        description: 'By how much it shall go forward: 86400 is a day.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1, title: 'ClockSetting' },
);
export type ClockSetting = Static<typeof ClockSetting>;

const Transition = closed(
  {
    at: unixSeconds('When it fell due, and as of when it was made'),
    resource: oneOf(['facility', 'order']),
    external_id: Type.String({ description: "The resource's; of a facility, its buyer's" }),
    trigger: Type.String({ description: 'As in GET /v1/meta/state_machines' }),
  },
  'DueMove',
);

export const SandboxClock = closed(
  { now: unixSeconds('What the clock of the platform shows; it goes on at the speed of the real one') },
  'SandboxClock',
);

export const ClockAdvance = closed(
  {
    now: unixSeconds('What the clock shows'),
    previous: unixSeconds('What it showed before'),
    transitions: Type.Array(Transition, {
      description: `What happened by itself on the way, in order; of more than ${TRANSITIONS_LISTED_MAX} the first ones.`,
    }),
    transitions_total: Type.Integer({ minimum: 0, description: 'How many moves there were' }),
  },
  'ClockMove',
);
