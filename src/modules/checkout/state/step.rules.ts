/** The steps of a checkout, and the first one that is not done. */
import type { Access } from '../access/access.rules.ts';
import type { RequestedCode } from '../access/requested-code.rules.ts';
import type { CheckoutOutcome, CheckoutStep } from './checkout.view.ts';

import { isCompanyComplete, type VisibleProgress } from './visible-progress.rules.ts';

/** @param hasApplicationCode The person has to confirm the address for this application, or has confirmed it. */
export function stepsOf(
  { isCodeNeeded, isBuyerOnFile, mine }: Access,
  hasApplicationCode: boolean,
): CheckoutStep[] {
  // The step of a company that was entered here stays, even after the company can no longer be changed.
  const hasCompanyStep = !isBuyerOnFile || mine?.isBuyerCompleted === true;
  return [
    ...(isCodeNeeded ? (['code'] as const) : []),
    ...(hasCompanyStep ? (['company'] as const) : []),
    'details',
    ...(hasApplicationCode && !isCodeNeeded ? (['code'] as const) : []),
    'payment',
    'review',
    'outcome',
  ];
}

/** @param isCreditRequested No credit decision is due, or one was requested in this checkout. */
export function currentStepOf(
  outcome: CheckoutOutcome | null,
  { isBuyerOnFile }: Access,
  { company, person, delivery, choice }: VisibleProgress,
  { code, isCreditRequested }: { code: RequestedCode | null; isCreditRequested: boolean },
): CheckoutStep {
  if (outcome !== null) return 'outcome';
  if (code !== null) return 'code';
  if (!isBuyerOnFile && !isCompanyComplete(company)) return 'company';
  if (person === null || delivery === null || !isCreditRequested) return 'details';
  return choice === null ? 'payment' : 'review';
}
