/** Applications for credit in a test's world, assessed like those of facilities. */

import { inTransaction } from '#infra/database/transaction';
import type { RiskSource } from '#kernel/risk-source';
import { findBuyer, type KnownBuyer } from '#modules/buyers';
import type { RegistryEntry } from '#modules/registry';
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
import { registeredCompany } from './registered-company.ts';
import type { World } from './world.ts';

/** A five-year-old company of the registry, to which the default policy grants 30,000. */
export async function addOrdinaryBuyer(
  world: World,
  externalId: string,
  more: object = {},
  { key = world.apiKey, entry = {} }: { key?: string; entry?: Partial<RegistryEntry> } = {},
): Promise<void> {
  const body = await registeredCompany(
    world,
    buyerBody({
      external_id: externalId,
      legal_form: 'LIMITED_COMPANY' as const,
      legal_name: 'Kontor Nord GmbH',
      incorporated_at: world.clock.now() - 5 * 366 * 86_400,
      ...more,
    }),
    entry,
  );
  const { status, text } = await world.post('/v1/buyers', body, { key });
  if (status !== 201) throw new Error(text);
}

/** An applicant about whom nothing is known. */
export const NOBODY: Application['spokesperson'] = {
  email: null,
  emailsOnFile: [],
  deliveryAddress: null,
  isFirstOrder: true,
  voucher: null,
};

export function applicationOf(
  world: World,
  buyerExternalId: string,
  more: Partial<Application> = {},
): Application {
  return {
    platformId: world.platform.platform_id,
    buyerExternalId,
    spokesperson: NOBODY,
    subject: 'FACILITY_CREATION',
    currency: 'EUR',
    requestedMinor: null,
    orderMinor: null,
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
      vault: world.installation.vault.forPlatform(world.platform.code, world.platform.data_key_wrapped),
      registries: { lookUp: async () => false },
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

/** Assesses and records the application, like the creation of a facility. */
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

/** A risk source with this score and these facts. Without a score it fails. */
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
