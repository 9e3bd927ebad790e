/** How past credit was decided, used and lost, as a back-test reads it. */
import type { Currency } from '#kernel/currency';
import type { CreditOutcome, FacilitySubject, RiskBand } from './policy.schemas.ts';

/** A past application with the answer of a policy; the limit in minor units. */
export interface Answered {
  decisionId: string;
  buyerExternalId: string;
  subject: FacilitySubject;
  currency: Currency;
  /** Unix seconds. */
  decidedAt: number;
  outcome: CreditOutcome;
  limitMinor: number | null;
  riskBand: RiskBand | null;
  /** What a person granted after the referral of the past; null without one. */
  byPerson: { limitMinor: number; at: number } | null;
  /** Whether the buyer got a limit by the decision of the past, from the policy of its time or a person. */
  wasGranted: boolean;
}

/** An order, or an invoice without one, that used a part of the limit for a time. */
export interface PastAuthorization {
  buyerExternalId: string;
  orderExternalId: string;
  amountMinor: number;
  currency: Currency;
  from: number;
  /** When it stopped using the limit, in unix seconds; null while it still does. */
  until: number | null;
}

/**
 * What can happen to a defaulted amount. CORRECTED: it was not owed, or paid before the default. PAID: before a write-off.
 * RECOVERED: after it.
 */
export const DEFAULT_CHANGE_KINDS = ['CORRECTED', 'PAID', 'WRITTEN_OFF', 'RECOVERED'] as const;
export type DefaultChangeKind = (typeof DEFAULT_CHANGE_KINDS)[number];

/** An invoice on credit that was more than 90 days past due. */
export interface PastDefault {
  buyerExternalId: string;
  /** The order of the invoice, or the invoice if it has none, as in `PastAuthorization`. */
  orderExternalId: string;
  currency: Currency;
  /** Unix seconds: the first second of the day. */
  defaultedAt: number;
  amountMinor: number;
  changes: readonly { kind: DefaultChangeKind; at: number; amountMinor: number }[];
}

export interface PastCredit {
  /** Days after which a limit ends unless another decision confirms it. */
  limitDays: number;
  authorizations: readonly PastAuthorization[];
  defaults: readonly PastDefault[];
}

/** Minor units of one currency. */
export interface LossFigures {
  /** Outstanding when the invoices defaulted, less corrections. */
  defaulted: number;
  paidSince: number;
  writtenOff: number;
  recovered: number;
  /** Defaulted and neither paid nor written off. */
  stillOpen: number;
  /** Written off and not recovered. */
  netLoss: number;
}

/** The amounts that had defaulted, been written off and been recovered by an instant. */
export function lossesAt(defaults: readonly PastDefault[], at: number): LossFigures {
  const known = defaults.filter(({ defaultedAt }) => defaultedAt <= at);
  const changed = (kind: DefaultChangeKind) =>
    sum(
      known.flatMap(({ changes }) =>
        changes.filter((each) => each.kind === kind && each.at <= at).map((each) => each.amountMinor),
      ),
    );
  const [corrected, paidSince, writtenOff, recovered] = DEFAULT_CHANGE_KINDS.map(changed) as [
    number,
    number,
    number,
    number,
  ];
  const defaulted = sum(known.map(({ amountMinor }) => amountMinor)) - corrected;
  return {
    defaulted,
    paidSince,
    writtenOff,
    recovered,
    stillOpen: defaulted - paidSince - writtenOff,
    netLoss: writtenOff - recovered,
  };
}

/** The amount that is lost or may be: in default, or written off and not recovered. */
export const amountLost = ({ stillOpen, netLoss }: LossFigures): number => stillOpen + netLoss;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
