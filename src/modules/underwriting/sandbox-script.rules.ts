/** Outcome scripts of the sandbox: the name of a buyer selects the outcome. Never in production. */
import type { CreditOutcome } from './policy.schemas.ts';

/** The effect of each script; printed into the documents. */
export const SCRIPTS = {
  accepted: 'Accepted with the limit of the policy, or with 10,000 if the policy would not accept.',
  'in-review': 'Referred to a person, and it stays there.',
  'review-then-accept': 'Referred to a person, and accepted a day later.',
  'review-then-reject': 'Referred to a person, and rejected a day later.',
  rejected: 'Rejected.',
  'low-limit': 'Accepted with a limit of 100.',
  'renewal-lower': 'Accepted; each renewal halves the limit.',
  'payout-fails': 'Accepted; payouts for its invoices fail.',
  'pays-late':
    'Accepted; what is due of its invoices is paid to the platform 10 days later, unless a payment bounced.',
  'never-pays': 'Accepted; its invoices are never paid automatically, and the simulator refuses to.',
} as const;
export type Script = keyof typeof SCRIPTS;

const NAMES = Object.keys(SCRIPTS) as Script[];

/**
 * The script of a buyer, or null. The external_id is the script's name or ends with it after a hyphen or an underscore
 * (`cafe-in-review`); else the local part of the e-mail address of the buyer or a contact is that name.
 */
export function scriptOf(buyerExternalId: string, emails: readonly string[]): Script | null {
  // The longest match: one script's name may end with another's.
  const named = NAMES.filter((name) => new RegExp(`(^|[-_])${name}$`).test(buyerExternalId)).sort(
    (a, b) => b.length - a.length,
  )[0];
  if (named) return named;
  const locals = emails.map((email) => email.slice(0, email.lastIndexOf('@')).toLowerCase());
  return NAMES.find((name) => locals.includes(name)) ?? null;
}

/** The outcome of a script, in place of the policy's. Limits in whole units of the currency. */
export interface ScriptedOutcome {
  outcome: CreditOutcome;
  limit: number | null;
  /** The outcome of its review a day later; null if the review stays open. */
  reviewEnds: 'ACCEPT' | 'REJECT' | null;
}

const LIMIT_DEFAULT = 10_000;
const LIMIT_LOW = 100;

export function scriptedOutcomeOf(
  script: Script,
  application: { isRenewal: boolean; existingLimit: number | null; policyLimit: number | null },
): ScriptedOutcome {
  const { isRenewal, existingLimit, policyLimit } = application;
  const limit = policyLimit !== null && policyLimit > 0 ? policyLimit : LIMIT_DEFAULT;
  switch (script) {
    case 'in-review':
    case 'review-then-accept':
    case 'review-then-reject':
      return { outcome: 'REFER', limit, reviewEnds: reviewEndOf(script) };
    case 'rejected':
      return { outcome: 'REJECT', limit: null, reviewEnds: null };
    case 'low-limit':
      return { outcome: 'ACCEPT', limit: LIMIT_LOW, reviewEnds: null };
    case 'renewal-lower':
      return {
        outcome: 'ACCEPT',
        limit: isRenewal ? halfOf(existingLimit ?? limit) : limit,
        reviewEnds: null,
      };
    default:
      return { outcome: 'ACCEPT', limit, reviewEnds: null };
  }
}

/** The outcome that the script gives its review; null if the review stays open. */
export function reviewEndOf(script: Script): ScriptedOutcome['reviewEnds'] {
  if (script === 'review-then-accept') return 'ACCEPT';
  return script === 'review-then-reject' ? 'REJECT' : null;
}

const halfOf = (limit: number) => Math.max(1, Math.floor(limit / 2));
