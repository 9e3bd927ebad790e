/** `tradeline review list|show|decide|override|approve|refuse` */
import type { Currency } from '#kernel/currency';
import { StartRefused } from '#kernel/start-refused';
import { isUuid } from '#kernel/uuid';
import { type Facility, type FacilityWithEntity, findFacility, getFacility } from '#modules/facilities';
import {
  approveOverride,
  decideReview,
  listReviews,
  overrideRejection,
  proposeOverride,
  type Review,
  refuseOverride,
  toReview,
} from '#modules/reviews';
import { findService } from '#modules/services';
import {
  findDecision,
  findReview,
  listReviewTransitions,
  REASON_CODES,
  type ReasonCode,
  reviewLifecycle,
} from '#modules/underwriting';
import type { AnyOperation } from '#operation/operation';
import { amountOrNone, exactAmount, readAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { findEntityBuyers, printEntity } from './entity-table.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { isExternalId, oneOfStates, reasonText, required } from './options.ts';
import { printDone, printItems, printResult } from './result.ts';
import { runAs } from './run-as.ts';
import { instant, printTable } from './table.ts';

export const reviewCommand = commandOf('review', {
  list,
  show,
  decide,
  override,
  approve: (args) => conclude(args, approveOverride, 'REVIEW_OVERRIDE_APPROVED'),
  refuse: (args) => conclude(args, refuseOverride, 'REVIEW_OVERRIDE_REFUSED'),
});

const text = { type: 'string' } as const;
const change = { platform: text, review: text, reason: text } as const;

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, status: text, buyer: text } });
  const status = (values.status ?? 'OPEN,AWAITING_APPROVAL')
    .split(',')
    .map((word) => oneOfStates(word, '--status', reviewLifecycle.states));
  const buyer = values.buyer;
  await onPlatform(values.platform, async (on) => {
    const rows: Review[] = [];
    for (let total = 1; rows.length < total; ) {
      const query = { status, ...(buyer && { buyer_external_id: [buyer] }), offset: rows.length };
      const page = await runAs(on, listReviews, { query });
      rows.push(...page.items);
      total = page.items.length === 0 ? 0 : page.total;
    }
    printItems(values.json, rows, rowOf, 'No review is waiting for a person.');
  });
}

/** The facilities of all buyers of the company, for the person who decides. */
async function findCompanyOf(on: OnPlatform, buyer: string): Promise<Facility[]> {
  const { db, platform } = on;
  const key = { platformId: platform.platform_id, buyerExternalId: buyer };
  if (!(await findFacility(db, key))) return [];
  const facility: FacilityWithEntity = await runAs(on, getFacility, { params: { external_id: buyer } });
  return (facility.entity?.buyer_external_ids ?? []).length === 0 ? [] : findEntityBuyers(on, facility);
}

/** The invoice of a financing, for the person who decides about it. */
async function findInvoiceOf({ db, platform }: OnPlatform, service: string | null): Promise<string | null> {
  if (service === null) return null;
  const key = { platformId: platform.platform_id, externalId: service };
  return (await findService(db, key))?.invoice_external_id ?? null;
}

async function show(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, review: text } });
  const reviewId = reviewIdOf(values.review);
  await onPlatform(values.platform, async (on) => {
    const { db, platform } = on;
    const review = await findReview(db, platform.platform_id, reviewId);
    if (!review) throw new StartRefused(missing(on, reviewId));
    const { decision_id: decisionId } = review;
    const detail: ReviewDetail = {
      review: toReview(review),
      decision: decisionId === null ? undefined : await findDecision(db, platform.platform_id, decisionId),
      transitions: await listReviewTransitions(db, platform.platform_id, reviewId),
      company: await findCompanyOf(on, review.buyer_external_id),
      invoice: await findInvoiceOf(on, review.service_external_id),
    };
    printResult(values.json, fieldsOf(detail), () => printReview(detail));
  });
}

interface ReviewDetail {
  review: Review;
  decision: Awaited<ReturnType<typeof findDecision>>;
  transitions: Awaited<ReturnType<typeof listReviewTransitions>>;
  /** All buyers of the company; empty if it has only one. */
  company: Facility[];
  /** The financed invoice; null for any other review. */
  invoice: string | null;
}

function fieldsOf({ review, decision, transitions, company, invoice }: ReviewDetail): object {
  return {
    ...review,
    invoice_external_id: invoice,
    inputs: decision?.inputs ?? null,
    company,
    transitions: transitions.map(({ transitioned_at, trigger, to_status, limit_minor, actor, reason }) => ({
      ...{ transitioned_at, trigger, to_status, limit_amount: limit_minor, actor, reason },
    })),
  };
}

function printReview({ review, decision, transitions, company, invoice }: ReviewDetail): void {
  const shown = { ...rowOf(review), ...(invoice !== null && { invoice }) };
  for (const [name, value] of Object.entries(shown)) console.log(`${name.padEnd(9)}  ${value}`);
  console.log('\nWhy a person must decide:\n');
  for (const code of review.reasons) console.log(`  ${code}: ${REASON_CODES[code as ReasonCode] ?? ''}`);
  if (decision?.inputs) {
    console.log(`\nInputs of version ${decision.policy_version} of the policy:\n`);
    for (const [name, value] of Object.entries(decision.inputs))
      console.log(`  ${name.padEnd(22)}  ${value}`);
  }
  if (company.length > 0) {
    console.log('\nBuyers of the same company:\n');
    printEntity(company);
  }
  console.log('\nHistory of the review:\n');
  printTable(
    transitions.map((transition) => ({
      at: instant(transition.transitioned_at),
      trigger: transition.trigger,
      to: transition.to_status,
      limit: amountOrNone(transition.limit_minor, review.currency),
      actor: transition.actor,
      reason: transition.reason,
    })),
    'Nothing yet.',
  );
}

async function decide(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { ...change, outcome: text, limit: text } });
  const isOutcome = (word: string) => word === 'accept' || word === 'reject';
  const outcome = required(values.outcome, '--outcome', isOutcome, 'accept or reject').toUpperCase();
  await act(values, decideReview, 'REVIEW_DECIDED', { outcome });
}

/** The action in the audit log. */
const PROPOSED = 'REVIEW_OVERRIDE_PROPOSED';

/** Proposes an override for a review, or for the last rejection of a buyer. For the review of an insolvency, the override lifts it. */
async function override(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { ...change, buyer: text, limit: text } });
  if ((values.review === undefined) === (values.buyer === undefined))
    throw new WrongUsage('Give --review, or --buyer for the buyer whose last decision was a rejection.');
  // Only the review of an insolvency can do without a limit. The operation checks this.
  if (values.buyer === undefined) return act(values, proposeOverride, PROPOSED, {});
  const buyer = required(values.buyer, '--buyer', isExternalId, "a buyer's external_id");
  const limit = required(values.limit, '--limit', (word) => word !== '', 'an amount, such as 25,000.00');
  await act({ ...values, limit }, overrideRejection, PROPOSED, {}, { buyer_external_id: buyer });
}

async function conclude(args: string[], operation: AnyOperation, action: string): Promise<void> {
  const { values } = readArguments({ args, options: change });
  await act(values, operation, action, {});
}

type Given = Partial<Record<keyof typeof change | 'limit', string>> & { json: boolean };

async function act(
  values: Given,
  operation: AnyOperation,
  action: string,
  fields: object,
  params: Record<string, string> = { review_id: reviewIdOf(values.review) },
): Promise<void> {
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const body = { ...fields, ...(await limitOf(on, values.limit, params.review_id)) };
    const whenMissing =
      params.review_id === undefined
        ? `The last decision about ${params.buyer_external_id} on ${on.platform.code} was not a rejection by the policy.`
        : missing(on, params.review_id);
    const input = { params, body: { ...body, reason } };
    const review = await asOperator(on, { role: 'CREDIT' }, async (operator) => {
      const answer: Review = await runAs(on, operation, input, { operator, whenMissing });
      const subject = `review ${answer.review_id} of buyer ${answer.buyer_external_id}`;
      const { status, outcome, decided_amount } = answer;
      const details = { ...body, status, outcome, decided_amount };
      return { answer, audit: { action, subject, reason, details } };
    });
    printDone(values.json, review, sentenceOf(review));
  });
}

/** The limit in the currency of the review. Without a review, in that of the platform, which is the currency of its facilities. */
async function limitOf(
  { db, platform }: OnPlatform,
  limit: string | undefined,
  reviewId: string | undefined,
): Promise<{ limit_amount?: number }> {
  if (limit === undefined) return {};
  const review = reviewId === undefined ? undefined : await findReview(db, platform.platform_id, reviewId);
  return { limit_amount: readAmount(limit, '--limit', (review?.currency ?? platform.currency) as Currency) };
}

function sentenceOf(review: Review): string {
  const about = `Review ${review.review_id} (${review.subject} of ${review.order_external_id ?? review.service_external_id ?? review.buyer_external_id})`;
  if (review.subject === 'INSOLVENCY') return `${about}: ${insolvencySentenceOf(review)}.`;
  switch (review.status) {
    case 'DECIDED':
      return review.outcome === 'ACCEPT'
        ? `${about}: accepted, ${amountOrNone(review.decided_amount, review.currency)} ${review.currency}.`
        : `${about}: rejected.`;
    case 'AWAITING_APPROVAL':
      return `${about}: ${amountOrNone(review.override_amount, review.currency)} ${review.currency} wait for the approval of a second operator.`;
    default:
      return `${about} is ${review.status}.`;
  }
}

function insolvencySentenceOf({ status, outcome }: Review): string {
  if (status === 'AWAITING_APPROVAL') return 'lifting it waits for the approval of a second operator';
  if (status !== 'DECIDED') return status;
  return outcome === 'ACCEPT' ? 'it is lifted' : 'it stands';
}

const reviewIdOf = (value: string | undefined) =>
  required(value, '--review', isUuid, 'the id of a review: see tradeline review list');

const missing = (on: OnPlatform, reviewId: string) =>
  `There is no review ${reviewId} on ${on.platform.code}: see tradeline review list.`;

function rowOf(review: Review): Record<string, string> {
  return {
    review: review.review_id,
    status: review.status,
    subject: review.subject,
    buyer: review.buyer_external_id,
    order: review.order_external_id ?? '-',
    currency: review.currency,
    requested: amountOrNone(review.requested_amount, review.currency),
    proposed: amountOrNone(review.proposed_amount, review.currency),
    override:
      review.override_amount === null
        ? '-'
        : `${exactAmount(review.override_amount, review.currency)} by ${review.override_by}`,
    outcome: review.outcome === null ? '-' : `${review.outcome} by ${review.decided_by}`,
    service: review.service_external_id ?? '-',
    opened: instant(review.opened_at),
  };
}
