/** Applications for credit in a test's world, assessed as the facilities assess them. */

import { inTransaction } from '#infra/database/transaction';
import type { RiskSource } from '#kernel/risk-source';
import { findBuyer, type KnownBuyer } from '#modules/buyers';
import {
  type Assessment,
  assess,
  localRiskSource,
  RiskSourceFailed,
  recordDecision,
  type Script,
} from '#modules/underwriting';
import type { AssessmentDeps } from '../../src/modules/underwriting/assess.ts';
import type { Application } from '../../src/modules/underwriting/assessment.rules.ts';
import { NO_BEHAVIOUR } from '../../src/modules/underwriting/paying-behaviour.rules.ts';
import type { RecordedDecision } from '../../src/modules/underwriting/record-decision.ts';
import { buyerBody } from './bodies.ts';
import type { World } from './world.ts';

/** A company of five years with a VAT id, which the default policy accepts with 25,000. */
export function ordinaryBuyer<T extends object>(world: World, more: T) {
  return buyerBody({
    legal_form: 'LIMITED_COMPANY',
    legal_name: 'Kontor Nord GmbH',
    incorporated_at: world.clock.now() - 5 * 366 * 86_400,
    business_identifiers: [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
    ...more,
  });
}

export function applicationOf(
  world: World,
  buyerExternalId: string,
  more: Partial<Application> = {},
): Application {
  return {
    platformId: world.platform.platform_id,
    buyerExternalId,
    subject: 'FACILITY_CREATION',
    currency: 'EUR',
    requestedMinor: null,
    applicant: null,
    existingLimitMinor: null,
    exposureMinor: 0,
    overdueMinor: 0,
    daysPastDueMax: null,
    behaviour: NO_BEHAVIOUR,
    ...more,
  };
}

export interface ApplicationOptions {
  application?: Partial<Application>;
  script?: Script | null;
  deps?: Partial<AssessmentDeps>;
}

export async function assessed(
  world: World,
  buyerExternalId: string,
  options: ApplicationOptions = {},
): Promise<Assessment> {
  const application = applicationOf(world, buyerExternalId, options.application);
  const { platformId } = application;
  const buyer = await findBuyer(world.installation.db, { platformId, externalId: buyerExternalId });
  return assess(
    {
      db: world.installation.db,
      now: world.clock.now(),
      riskSource: localRiskSource,
      onRiskFailure: 'refer',
      elapsedMs: world.clock.elapsedMs,
      ...options.deps,
    },
    application,
    buyer as KnownBuyer,
    options.script ?? null,
  );
}

/** Assessed and recorded, as one facility's creation does it. */
export async function recorded(
  world: World,
  buyerExternalId: string,
  options: ApplicationOptions = {},
): Promise<RecordedDecision & { assessment: Assessment }> {
  const assessment = await assessed(world, buyerExternalId, options);
  const { platformId } = assessment.application;
  const recorded = await inTransaction(world.installation.db, (db) =>
    recordDecision({ db, platformId, actor: 'key-1', now: world.clock.now() }, assessment),
  );
  return { assessment, ...recorded };
}

/** Gives this score and these facts, or fails where there is none. */
export function riskSourceOf(
  score: number | null | undefined,
  data: Record<string, string> = {},
): RiskSource {
  return {
    name: 'TEST_SERVICE',
    async assess(_request, now) {
      if (score === undefined) throw new RiskSourceFailed('TIMEOUT');
      return { score, data, at: now - 60 };
    },
  };
}
