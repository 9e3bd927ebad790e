/** Commands on the limit policy: its versions, and its state at past instants. */
import fc from 'fast-check';
import { always, Command } from './command.ts';
import { changeLimits, type LimitChange, limitAt, type Whose } from './limits.ts';
import { DAY_SECONDS, done, HOUR_SECONDS } from './state.ts';

/** Days from now until a buyer's settings end; the platform's do not. */
export const setLimits = (whose: Whose, change: LimitChange, days: number) =>
  new Command(`setLimits ${whose} ${JSON.stringify(change)} ${days} d`, always, (model, reality) => {
    const { now } = model;
    const expiresAt = whose === 'platform' || change === null ? null : now + days * DAY_SECONDS;
    return {
      send: () => reality.changeLimits(now, whose, change, expiresAt),
      foretell: ({ body }) => {
        const { takesTwo } = changeLimits(model, whose, change, expiresAt);
        if (body.takesTwo !== takesTwo)
          throw new Error(`It takes ${body.takesTwo ? 'two' : 'one'}, and not as foretold.`);
        return done();
      },
    };
  });

/** The limit policy as of an instant in the past. */
export const readLimits = (hoursAgo: number) =>
  new Command(`readLimits ${hoursAgo} h ago`, always, (model, reality) => {
    const at = model.now - hoursAgo * HOUR_SECONDS;
    return {
      send: () => reality.limitsAt(at),
      foretell: ({ body }) => {
        const held = {
          tolerance_percent: limitAt(model, 'tolerance_percent', at),
          authorization_limit_days: limitAt(model, 'authorization_limit_days', at),
        };
        if (JSON.stringify(body) !== JSON.stringify(held))
          throw new Error(`${JSON.stringify(body)} held at ${at}, not ${JSON.stringify(held)}.`);
        return done();
      },
    };
  });

const change = fc.oneof(
  fc.constant(null),
  fc.record({ tolerance_percent: fc.constantFrom(null, 0, 1, 5, 10, 25) }),
  fc.record({ authorization_limit_days: fc.constantFrom(null, 2, 10, 30, 60) }),
  fc.record({
    tolerance_percent: fc.constantFrom(null, 0, 3, 20),
    authorization_limit_days: fc.constantFrom(null, 1, 45),
  }),
);

export const limitCommands = [
  fc
    .tuple(fc.constantFrom<Whose>('platform', 'buyer', 'buyer'), change, fc.constantFrom(1, 2, 14, 31))
    .map(([whose, chosen, days]) => setLimits(whose, chosen, days)),
  fc.constantFrom(0, 1, 12, 24, 25, 48, 400, 2_400).map(readLimits),
];
