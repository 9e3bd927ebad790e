/** A small past for tests of the back-test: decisions about one buyer, its orders, and the losses on them. */
import type {
  Answered,
  PastAuthorization,
  PastDefault,
} from '../../src/modules/underwriting/past-credit.rules.ts';

export type Said = Partial<Answered> & Pick<Answered, 'outcome'>;

/** Decisions about one buyer, by default a hundred seconds apart. Every accepted amount was granted. */
export const answers = (...said: Said[]): Answered[] =>
  said.map((each, index) => ({
    decisionId: `d${index}`,
    buyerExternalId: 'cafe',
    subject: index === 0 ? 'FACILITY_CREATION' : 'FACILITY_RENEWAL',
    currency: 'EUR',
    decidedAt: index * 100,
    limitMinor: null,
    riskBand: each.outcome === 'ACCEPT' ? 'B1' : each.outcome === 'REJECT' ? 'REJECT' : null,
    byPerson: null,
    wasGranted: each.outcome === 'ACCEPT',
    ...each,
  }));
export const accept = (limitMinor: number, more: Partial<Answered> = {}): Said => ({
  outcome: 'ACCEPT',
  limitMinor,
  ...more,
});
export const REJECT: Said = { outcome: 'REJECT' };
export const REFER: Said = { outcome: 'REFER' };

/** `order amount from until` */
export const order = (text: string, more: Partial<PastAuthorization> = {}): PastAuthorization => {
  const [orderExternalId = '', amount, from, until] = text.split(' ');
  return {
    buyerExternalId: 'cafe',
    orderExternalId,
    amountMinor: Number(amount),
    currency: 'EUR',
    from: Number(from),
    until: until === undefined ? null : Number(until),
    ...more,
  };
};

/** `order amount at` and its changes: `PAID amount at`. */
export const defaulted = (
  text: string,
  changes: string[] = [],
  more: Partial<PastDefault> = {},
): PastDefault => {
  const [orderExternalId = '', amount, at] = text.split(' ');
  return {
    buyerExternalId: 'cafe',
    orderExternalId,
    amountMinor: Number(amount),
    currency: 'EUR',
    defaultedAt: Number(at),
    changes: changes.map((change) => {
      const [kind, changed, changedAt] = change.split(' ');
      return {
        kind: kind as PastDefault['changes'][number]['kind'],
        amountMinor: Number(changed),
        at: Number(changedAt),
      };
    }),
    ...more,
  };
};
