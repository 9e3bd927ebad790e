/** Closes the books until the end of a day, on or before which no later entry is effective. It takes two operators. */
import { endOfLocalDay, localDayOf } from '#kernel/local-day';
import { StartRefused } from '#kernel/start-refused';
import { type ChangeKind, mayAct } from '#modules/operators';
import { findPlatform } from '#modules/platforms';
import { insertClosing, lockBooks } from './closing.queries.ts';

export interface Closing {
  /** The last closed day, by the time zone of the platform: 2026-09-30. */
  until: string;
}

export const ledgerClosing: ChangeKind<Closing> = {
  name: 'LEDGER_CLOSING',
  role: 'FINANCE',
  mayApprove: (role) => mayAct(role, 'FINANCE'),
  /** Throws StartRefused for a day that is not over, or already closed. */
  async plan({ db, platformId, now }, { until }) {
    const timeZone = (await findPlatform(db, platformId))?.time_zone ?? 'UTC';
    const openFrom = endOfLocalDay(until, timeZone);
    if (openFrom > now)
      throw new StartRefused(`The books cannot be closed until ${until}: that day has not ended.`);
    const before = await lockBooks(db, platformId);
    const closed = before === 0 ? null : localDayOf(before - 1, timeZone);
    if (openFrom <= before) throw new StartRefused(`The books are already closed until ${closed}.`);
    return {
      subject: 'books of the ledger',
      before: { closed_until: closed },
      after: { closed_until: until },
      takesTwo: true,
      async apply({ actor, approvedBy, reason }) {
        if (approvedBy === null) throw new Error('The books are closed by two operators.');
        await insertClosing(db, {
          ...{ platform_id: platformId, open_from: openFrom, closed_at: now },
          ...{ actor, approved_by: approvedBy, reason },
        });
      },
    };
  },
};
