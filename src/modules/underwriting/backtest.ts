/** Evaluates two policies on every past application, with the inputs of its time. */
import type { Db } from '#infra/database/database';
import { minorUnitsOf } from './assessment.rules.ts';
import {
  bandTransitions,
  type Difference,
  differencesOf,
  figuresOf,
  type PolicyFigures,
} from './backtest.rules.ts';
import { type DecisionPosition, listApplications, type PastApplication } from './decision.queries.ts';
import type { Answered, PastCredit } from './past-credit.rules.ts';
import { evaluatePolicy } from './policy/evaluate-policy.ts';
import { PolicyFailed } from './policy/policy-failed.ts';
import { loadEngine } from './policy/zen-engine.ts';
import type { FacilitySubject, PolicyGraph } from './policy.schemas.ts';
import { completeInputs } from './stored-inputs.rules.ts';

/** Reads how past credit was used and lost: the owner of the credit ledger implements it. */
export type ReadPastCredit = (db: Db, platformId: number) => Promise<PastCredit>;

export interface ComparedPolicy {
  graph: PolicyGraph;
  sha256: Buffer;
}

export interface Comparison {
  old: PolicyFigures;
  new: PolicyFigures;
  bandTransitions: ReturnType<typeof bandTransitions>;
  differences: Difference[];
  /** Whether the figures include orders, exposure and losses. */
  hasPastCredit: boolean;
}

const PAGE_SIZE = 1_000;

/**
 * Compares two policies on all applications, the oldest first. An application on which a policy fails counts as a
 * referral. `now`, in unix seconds, decides which decisions are old enough to be judged. Throws PolicyFailed if the engine
 * cannot be loaded.
 */
export async function compareOnPast(
  db: Db,
  platformId: number,
  policies: { old: ComparedPolicy; new: ComparedPolicy },
  readPastCredit: ReadPastCredit | null,
  now: number,
): Promise<Comparison> {
  await loadEngine();
  const old: Answered[] = [];
  const renewed: Answered[] = [];
  for await (const page of applicationPages(db, platformId)) {
    // In parallel: the engine evaluates in its own threads.
    old.push(...(await Promise.all(page.map((application) => answerOf(policies.old, application)))));
    renewed.push(...(await Promise.all(page.map((application) => answerOf(policies.new, application)))));
  }
  const past = readPastCredit === null ? null : await readPastCredit(db, platformId);
  const credit = past ?? { limitDays: 0, authorizations: [], defaults: [] };
  return {
    old: figuresOf(old, credit, now),
    new: figuresOf(renewed, credit, now),
    bandTransitions: bandTransitions(old, renewed),
    differences: differencesOf(old, renewed),
    hasPastCredit: past !== null,
  };
}

async function* applicationPages(db: Db, platformId: number): AsyncGenerator<PastApplication[]> {
  let after: DecisionPosition | null = null;
  for (;;) {
    const page: PastApplication[] = await listApplications(db, platformId, after, PAGE_SIZE);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
    after = last;
  }
}

async function answerOf(policy: ComparedPolicy, application: PastApplication): Promise<Answered> {
  const common = {
    decisionId: application.decision_id,
    buyerExternalId: application.buyer_external_id,
    subject: application.subject as FacilitySubject,
    currency: application.currency,
    decidedAt: application.decided_at,
    byPerson: application.by_person,
    wasGranted: application.outcome === 'ACCEPT' || application.by_person !== null,
  };
  try {
    const inputs = completeInputs(application.inputs);
    const { outcome, limit, risk_band } = await evaluatePolicy(policy, inputs, { isTraced: false });
    const minor = limit === null ? null : minorUnitsOf(limit, application.currency);
    const requested = application.requested_minor;
    const limitMinor = minor === null || requested === null ? minor : Math.min(minor, requested);
    return { ...common, outcome, limitMinor: outcome === 'ACCEPT' ? limitMinor : null, riskBand: risk_band };
  } catch (error) {
    if (!(error instanceof PolicyFailed)) throw error;
    return { ...common, outcome: 'REFER', limitMinor: null, riskBand: null };
  }
}
