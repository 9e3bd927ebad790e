/** Queries the risk source about an application. */
import type { RiskSource } from '#kernel/risk-source';
import type { KnownBuyer } from '#modules/buyers';
import { type Application, limitForOrder } from '../assessment.rules.ts';
import { RiskSourceFailed } from './risk-source.ts';

/** Returns the answer of the risk source, or after a failure null and the kind of the failure as `cause`. */
export async function queryRiskSource(
  { riskSource, now }: { riskSource: RiskSource; now: number },
  application: Application,
  buyer: KnownBuyer,
) {
  const { name } = riskSource;
  try {
    const answer = await riskSource.assess(
      {
        subject: application.subject,
        buyer: {
          external_id: buyer.external_id,
          legal_name: buyer.legal_name,
          legal_form: buyer.legal_form,
          business_identifiers: buyer.business_identifiers,
          business_address: buyer.business_address,
          incorporated_at: buyer.incorporated_at,
        },
        currency: application.currency,
        requested_amount: application.requestedMinor ?? limitForOrder(application),
        existing_limit: application.existingLimitMinor,
        existing_exposure: application.exposureMinor,
      },
      now,
    );
    const data = { ...answer.data, score: answer.score };
    return { answer, cause: '', source: { name, at: answer.at, data } };
  } catch (error) {
    if (!(error instanceof RiskSourceFailed)) throw error;
    return { answer: null, cause: error.kind, source: { name, at: now, data: { failure: error.kind } } };
  }
}
