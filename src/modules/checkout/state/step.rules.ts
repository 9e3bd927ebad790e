/** The steps of a checkout, and the first one that is not done. */
import type { Access } from '../access/access.rules.ts';
import type { CheckoutOutcome, CheckoutStep } from './checkout.view.ts';
import { isCompanyComplete, type VisibleProgress } from './visible-progress.rules.ts';

export function stepsOf({ isCodeNeeded, isBuyerOnFile, mine }: Access): CheckoutStep[] {
  // A company that was entered here keeps its step, although it can no longer be changed.
  const hasCompanyStep = !isBuyerOnFile || mine?.isBuyerCompleted === true;
  return [
    ...(isCodeNeeded ? (['code'] as const) : []),
    ...(hasCompanyStep ? (['company'] as const) : []),
    'details',
    'payment',
    'review',
    'outcome',
  ];
}

/** @param isCreditRequested No credit decision is due, or one was requested in this checkout. */
export function currentStepOf(
  outcome: CheckoutOutcome | null,
  { isCodeNeeded, isBuyerOnFile }: Access,
  { company, person, delivery, choice }: VisibleProgress,
  isCreditRequested: boolean,
): CheckoutStep {
  if (outcome !== null) return 'outcome';
  if (isCodeNeeded) return 'code';
  if (!isBuyerOnFile && !isCompanyComplete(company)) return 'company';
  if (!isBuyerOnFile || person === null || delivery === null || !isCreditRequested) return 'details';
  return choice === null ? 'payment' : 'review';
}
