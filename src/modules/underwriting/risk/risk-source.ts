/** The risk source of an installation that has none, and how one fails. What a risk source is stands in the kernel. */
import type { RiskSource } from '#kernel/risk-source';

export type RiskFailureKind =
  | 'TIMEOUT'
  | 'CONNECTION'
  | 'TLS'
  | 'TOO_LARGE'
  | 'PROTOCOL'
  | 'REFUSED'
  | 'SERVER_ERROR'
  | 'CIRCUIT_OPEN';

/** There is no answer. Nothing that was sent or received is in it. */
export class RiskSourceFailed extends Error {
  readonly kind: RiskFailureKind;

  constructor(kind: RiskFailureKind) {
    super(`The risk source gave no answer (${kind}).`);
    this.name = 'RiskSourceFailed';
    this.kind = kind;
  }
}

/** The source of an installation that has none: it knows nothing, and so changes nothing. */
export const localRiskSource: RiskSource = {
  name: 'LOCAL',
  assess: async (_request, now) => ({ score: null, data: {}, at: now }),
};
