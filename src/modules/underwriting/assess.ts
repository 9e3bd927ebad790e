/**
 * Assesses an application: gathers facts, queries registries and the risk source, and evaluates the policy. It waits for
 * external services, so no transaction may be open. `recordDecision` writes the result, in the transaction that acts on it.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import type { CompanyRegistries } from '#kernel/company-registries';
import { refusal } from '#kernel/problem';
import type { RiskFailureHandling, RiskSource } from '#kernel/risk-source';
import { entityKeysOf, type KnownBuyer } from '#modules/buyers';
import { type CompanyCheck, verifyCompany } from '#modules/registry';
import { type Application, inputsOf, limitForOrder, minorUnitsOf } from './assessment.rules.ts';
import { countOneMore } from './count-applications.ts';
import type { ApplicationCounts } from './credit-application.queries.ts';
import { activePolicy, type PolicyRow } from './credit-policy.queries.ts';
import type { DecisionSource } from './decision.queries.ts';
import { entitySources, insolvencySources, sourcesOf } from './decision-sources.ts';
import type { EntityBuyer } from './entity-buyer.ts';
import { findStandingInsolvency } from './insolvency.queries.ts';
import { evaluatePolicy, type RuleFired, type Verdict } from './policy/evaluate-policy.ts';
import { readsInput } from './policy/names-read.ts';
import { PolicyFailed } from './policy/policy-failed.ts';
import type { CreditOutcome, PolicyInputs, PriceClass, RiskBand } from './policy.schemas.ts';
import type { BuyerReasonCode, ReasonCode } from './reason.codes.ts';
import type { ReviewRow } from './review.queries.ts';
import { queryRiskSource } from './risk/query-risk-source.ts';
import { type Script, scriptedOutcomeOf } from './sandbox-script.rules.ts';

export interface AssessmentDeps {
  db: Db;
  /** Unix seconds. */
  now: number;
  vault: PlatformVault;
  registries: CompanyRegistries;
  riskSource: RiskSource;
  onRiskFailure: RiskFailureHandling;
  /** Monotonic milliseconds. */
  elapsedMs(): number;
}

/** What the policy decided, and the application and inputs on which it decided. */
export interface Judged {
  /** As the policy saw it. */
  application: Application;
  outcome: CreditOutcome;
  /** Minor units. ACCEPT: the limit. REFER: what one person may grant; null without a proposal. */
  limitMinor: number | null;
  riskBand: RiskBand | null;
  priceClass: PriceClass | null;
  reasons: ReasonCode[];
  buyerReasons: BuyerReasonCode[];
  inputs: PolicyInputs;
  sources: DecisionSource[];
  policyVersion: number;
  rulesFired: RuleFired[];
  /** The sandbox script that replaced the policy's outcome. */
  script: Script | null;
  /** The outcome that a script gives the review a day later; null for all other scripts. */
  reviewEnds: 'ACCEPT' | 'REJECT' | null;
  assessedAt: number;
}

export interface Assessment extends Judged {
  /** The id that the decision has once it is recorded. */
  decisionId: string;
  /** The registry company of the buyer; null if none was found. */
  registryCompanyId: number | null;
  /** The keys that find the other buyers of the same legal entity, in the order in which they are locked. */
  entityKeys: Buffer[];
  /** The duration of the assessment in milliseconds, including the risk source. */
  assessedMs: number;
  /** Judges the same findings again, with the present standing. Runs no query, so a transaction may be open. */
  judgedOn(standing: EntityStanding): Promise<Assessment>;
}

/** What may change between the assessment and the transaction that acts on it. */
export interface EntityStanding {
  /** Other buyers of the legal entity that hold credit or apply for it. */
  beside: readonly EntityBuyer[];
  /** The review that recorded the buyer's insolvency, if it stands. */
  insolvency: ReviewRow | undefined;
}

/**
 * Assesses an application. Throws 424 RISK_DECISION_ERROR after a failure if `onRiskFailure` is `error`. A failure is never
 * an acceptance, not even with a script. Pass `script` in a sandbox only.
 */
export async function assess(
  deps: AssessmentDeps,
  application: Application,
  buyer: KnownBuyer,
  script: Script | null,
): Promise<Assessment> {
  const startedMs = deps.elapsedMs();
  const gathered = await gather(deps, application, buyer, script);
  const alone = await judge(deps, gathered, []);
  const common = {
    decisionId: randomUUID(),
    registryCompanyId: gathered.company.companyId,
    entityKeys: entityKeysOf(deps.vault, gathered.company.entityNumbers),
    assessedMs: Math.round(deps.elapsedMs() - startedMs),
    judgedOn: async ({ beside, insolvency }: EntityStanding): Promise<Assessment> => ({
      ...(await judge(deps, { ...gathered, insolvency }, beside)),
      ...common,
    }),
  };
  return { ...alone, ...common };
}

/** Everything that an assessment gathers before the policy judges it. */
interface Gathered {
  application: Application;
  buyer: KnownBuyer;
  company: CompanyCheck;
  risk: Awaited<ReturnType<typeof queryRiskSource>>;
  counts: ApplicationCounts;
  policy: PolicyRow;
  insolvency: ReviewRow | undefined;
  script: Script | null;
}

async function gather(
  deps: AssessmentDeps,
  applied: Application,
  buyer: KnownBuyer,
  script: Script | null,
): Promise<Gathered> {
  const { db, now, registries } = deps;
  const claimed = {
    legalName: buyer.legal_name,
    legalForm: buyer.legal_form,
    country: buyer.business_address.country as string,
    identifiers: buyer.business_identifiers,
  };
  const { platformId, buyerExternalId } = applied;
  const [company, risk, policy, insolvency] = await Promise.all([
    verifyCompany({ db, registries }, claimed),
    queryRiskSource(deps, applied, buyer),
    activePolicy(db, platformId, now),
    findStandingInsolvency(db, { platformId, buyerExternalId }),
  ]);
  const application = asKnownTo(policy, applied);
  const counts = await countOneMore(deps, application, buyer, company);
  return { application, buyer, company, risk, counts, policy, insolvency, script };
}

/** Judges what was gathered, with `beside` as the other buyers of the legal entity. Runs no query. */
async function judge(
  deps: AssessmentDeps,
  { application, buyer, company, risk, counts, policy, insolvency, script }: Gathered,
  beside: readonly EntityBuyer[],
): Promise<Judged> {
  const { now } = deps;
  const findings = { company, counts, score: risk.answer?.score ?? null, beside };
  const inputs = inputsOf(application, buyer, findings, now);
  const common = {
    application,
    inputs,
    policyVersion: policy.version,
    assessedAt: now,
    sources: [
      ...sourcesOf(application, buyer, company, now),
      ...entitySources(beside, now),
      ...insolvencySources(insolvency),
      risk.source,
    ],
  };
  if (risk.answer === null)
    return failed(deps, common, { reason: 'RISK_SOURCE_UNAVAILABLE', cause: risk.cause });
  const verdict = await evaluatePolicyFor(policy, inputs, application);
  if (verdict instanceof PolicyFailed)
    return failed(deps, common, { reason: 'POLICY_ERROR', cause: verdict.message });
  return decided(common, withInsolvency(insolvency, withEntity(policy, inputs, verdict)), script);
}

/** A policy that does not read the order amount decides by the requested limit, so it gets the limit that the order needs. */
function asKnownTo({ graph }: PolicyRow, application: Application): Application {
  if (readsInput(graph, 'order_amount')) return application;
  return { ...application, requestedMinor: application.requestedMinor ?? limitForOrder(application) };
}

/**
 * A policy that does not read what the company's other buyers hold would grant the limit twice. Its acceptance of a second
 * limit becomes a referral.
 */
function withEntity({ graph }: PolicyRow, inputs: PolicyInputs, verdict: Verdict): Verdict {
  const isHeld = inputs.entity_limit > 0 || inputs.entity_in_other_currency;
  if (verdict.outcome !== 'ACCEPT' || !isHeld || readsInput(graph, 'entity_limit')) return verdict;
  return referred(verdict, 'SAME_ENTITY');
}

/** Refers an insolvent buyer, to whom only two persons may grant credit. */
function withInsolvency(insolvency: ReviewRow | undefined, verdict: Verdict): Verdict {
  if (insolvency === undefined || verdict.outcome === 'REJECT') return verdict;
  return referred(verdict, 'BUYER_INSOLVENT');
}

/** A referral without a proposed limit, because one person could grant a proposal. */
function referred(verdict: Verdict, reason: ReasonCode): Verdict {
  const reasons = [reason, ...verdict.reasons];
  return { ...verdict, outcome: 'REFER', limit: null, reasons, buyer_reasons: ['NEEDS_REVIEW'] };
}

type Common = Pick<Judged, 'application' | 'inputs' | 'policyVersion' | 'assessedAt' | 'sources'>;

/** Returns a failure of the policy as a value, so that the caller decides what follows. */
async function evaluatePolicyFor(
  policy: PolicyRow,
  inputs: PolicyInputs,
  { currency }: Application,
): Promise<Verdict | PolicyFailed> {
  try {
    const verdict = await evaluatePolicy(policy, inputs);
    if (verdict.limit !== null && minorUnitsOf(verdict.limit, currency) === null)
      return new PolicyFailed(null, 'The limit of the answer is above the largest amount.');
    return verdict;
  } catch (error) {
    if (error instanceof PolicyFailed) return error;
    throw error;
  }
}

function failed(
  { onRiskFailure, now }: AssessmentDeps,
  common: Common,
  { reason, cause }: { reason: 'RISK_SOURCE_UNAVAILABLE' | 'POLICY_ERROR'; cause: string },
): Judged {
  if (onRiskFailure === 'error')
    throw refusal('RISK_DECISION_ERROR', 'No decision could be made: the risk source or the policy failed', {
      cause: reason === 'POLICY_ERROR' ? reason : cause,
    });
  const sources =
    reason === 'POLICY_ERROR'
      ? [...common.sources, { name: 'CREDIT_POLICY', at: now, data: { failure: cause } }]
      : common.sources;
  return {
    ...common,
    sources,
    outcome: 'REFER',
    limitMinor: null,
    riskBand: null,
    priceClass: null,
    reasons: [reason],
    buyerReasons: ['NEEDS_REVIEW'],
    rulesFired: [],
    script: null,
    reviewEnds: null,
  };
}

function decided(common: Common, verdict: Verdict, script: Script | null): Judged {
  const { application } = common;
  const { outcome, limit, reviewEnds } =
    script === null
      ? { ...verdict, reviewEnds: null }
      : scriptedOutcomeOf(script, {
          isRenewal: application.subject === 'FACILITY_RENEWAL',
          existingLimit: common.inputs.existing_limit,
          policyLimit: verdict.limit,
        });
  const isRejected = outcome === 'REJECT';
  return {
    ...common,
    outcome,
    limitMinor: isRejected ? null : limitOf(limit, application),
    ...(isRejected ? REJECTED : bandOf(verdict, script)),
    reasons: script === null ? verdict.reasons : ['SANDBOX_SCRIPT', ...verdict.reasons],
    buyerReasons: script === null ? verdict.buyer_reasons : [SCRIPTED_BUYER_REASONS[outcome]],
    rulesFired: verdict.rulesFired,
    script,
    reviewEnds,
  };
}

const REJECTED = { riskBand: 'REJECT', priceClass: null } as const;
/** The band of a script's acceptance if the policy named none. */
const SCRIPTED_BAND = { riskBand: 'B2', priceClass: 'B' } as const;
const SCRIPTED_BUYER_REASONS = {
  ACCEPT: 'LIMIT_GRANTED',
  REFER: 'NEEDS_REVIEW',
  REJECT: 'NOT_POSSIBLE_NOW',
} as const;

function bandOf({ risk_band: riskBand, price_class: priceClass }: Verdict, script: Script | null) {
  const hasBand = riskBand !== null && riskBand !== 'REJECT' && priceClass !== null;
  return script === null || hasBand ? { riskBand, priceClass } : SCRIPTED_BAND;
}

/** The limit in minor units. Never above the requested amount, which the policy saw in whole units, rounded up. */
function limitOf(units: number | null, { currency, requestedMinor }: Application): number | null {
  const minor = units === null ? null : minorUnitsOf(units, currency);
  return minor === null || requestedMinor === null ? minor : Math.min(minor, requestedMinor);
}
