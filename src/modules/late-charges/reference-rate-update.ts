/** A change by two operators: reference rates of late payment. */
import { type ChangeKind, mayAct } from '#modules/operators';
import { lockPlatform } from '#modules/platforms';
import type { ReferenceRates } from './late-payment-law.schemas.ts';
import { findReferenceRates, insertReferenceRates } from './reference-rate.queries.ts';

/** Reference rates of late payment. Any change takes two operators. */
export const referenceRateUpdate: ChangeKind<ReferenceRates> = {
  name: 'REFERENCE_RATES',
  role: 'FINANCE',
  mayApprove: (role) => mayAct(role, 'FINANCE'),
  async plan({ db, platformId, now }, update) {
    await lockPlatform(db, platformId);
    const codes = update.series.map(({ code }) => code);
    const { series } = await findReferenceRates(db, platformId);
    return {
      subject: `reference rates ${codes.join(', ')}`,
      before: bySeries(series.filter(({ code }) => codes.includes(code))),
      after: bySeries(update.series),
      takesTwo: true,
      async apply(made) {
        await insertReferenceRates(db, platformId, update, { at: now, ...made });
      },
    };
  },
};

/** A field for each series, which is how approvals compare rates. */
function bySeries(series: ReferenceRates['series']): object {
  return Object.fromEntries(series.map(({ code, known_until, rates }) => [code, { known_until, rates }]));
}
