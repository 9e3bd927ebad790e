/**
 * Lets the credit policy judge a first order that goes elsewhere. The delivery address of an order can be set or changed after
 * the decision about the facility, so the policy of that decision judges it again with the order's facts.
 */
import type { Db } from '#infra/database/database';
import type { Address } from '#kernel/address';
import type { Currency } from '#kernel/currency';
import { findCompanies } from '#modules/registry';
import { isByPolicy, isElsewhere, judgeAgain, type SecondVerdict, wholeUnitsOf } from '#modules/underwriting';
import type { FacilityKey } from './facility.queries.ts';
import { findFirstOrderFacts } from './first-order.queries.ts';

export interface OrderToJudge extends FacilityKey {
  grossMinor: number;
  currency: Currency;
  /** Null: the buyer's own delivery address, or else the company's address. */
  deliveryAddress: Address | null;
  /** Whether the platform vouches for the buyer of this order. */
  isVouchedFor: boolean;
}

/** An order judged by the policy, with the decision whose inputs it used. */
export interface OrderJudgement extends SecondVerdict {
  decisionId: string;
}

/** Judges an order. Null if it goes to the company, is not the first, or if no policy granted the limit. */
export async function judgeFirstOrder(db: Db, order: OrderToJudge): Promise<OrderJudgement | null> {
  const facts = await findFirstOrderFacts(db, order);
  const decision = facts?.decision;
  if (!facts?.is_first_order || !decision || !isByPolicy(decision)) return null;
  const { business_address: business, delivery_address: usual, registry_company_id: companyId } = facts;
  const [company] = companyId === null ? [] : await findCompanies(db, [companyId]);
  const seat = company?.address ?? null;
  if (!isElsewhere(order.deliveryAddress ?? usual, business, seat)) return null;
  // The platform vouches for a company that it named itself.
  const isVouchedFor = order.isVouchedFor && !facts.is_company_entered;
  const amount = wholeUnitsOf(order.grossMinor, order.currency);
  const judgement = await judgeAgain(db, decision, {
    delivery_differs: true,
    is_first_order: true,
    // A policy reads either the requested amount or the order amount.
    requested_amount: amount,
    order_amount: amount,
    ...(isVouchedFor && { vouched_by: 'PLATFORM' as const }),
  });
  return { ...judgement, decisionId: decision.decision_id };
}
