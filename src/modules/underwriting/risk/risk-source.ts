/** The default risk source, and the failure of any. `#kernel/risk-source` defines what a risk source is. */
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

/** The risk source gave no answer. Contains nothing that was sent or received. */
export class RiskSourceFailed extends Error {
  readonly kind: RiskFailureKind;

  constructor(kind: RiskFailureKind) {
    super(`The risk source gave no answer (${kind}).`);
    this.name = 'RiskSourceFailed';
    this.kind = kind;
  }
}

/** The risk source of an installation without one: it returns no score. */
export const localRiskSource: RiskSource = {
  name: 'LOCAL',
  assess: async (_request, now) => ({ score: null, data: {}, at: now }),
};
