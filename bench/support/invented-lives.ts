/** Invented buyers, each with a payment behaviour that changes over its life. Deterministic for a seed. No policy sees these data. */
import type { PolicyInputs } from '../../src/modules/underwriting/policy.schemas.ts';

/** Numbers in [0, 1), deterministic for a seed (mulberry32). */
export type Chance = () => number;

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WAYS = ['PROMPT', 'SLOW', 'WORSENING', 'DEFAULTING', 'RECOVERING'] as const;
export type Way = (typeof WAYS)[number];

export interface Life {
  buyerExternalId: string;
  way: Way;
  /** The month of the past in which it applies for credit, from 0. */
  begins: number;
  /** Days into the month on which it decides and orders. */
  day: number;
  company: Pick<PolicyInputs, 'legal_form' | 'company_age_years'>;
  /** The month of its life from which it pays later, never, or on time again. */
  turns: number;
}

/** How many of 100 companies pay in each way, for established companies and for young or small ones. */
const SHARES: Record<'established' | 'young', Record<Way, number>> = {
  established: { PROMPT: 66, SLOW: 19, WORSENING: 8, DEFAULTING: 3, RECOVERING: 4 },
  young: { PROMPT: 48, SLOW: 22, WORSENING: 14, DEFAULTING: 10, RECOVERING: 6 },
};

const FORMS = [
  'LIMITED_COMPANY',
  'LIMITED_COMPANY',
  'LIMITED_COMPANY',
  'PARTNERSHIP',
  'SOLE_TRADER',
] as const;
/** Buyers begin in the first months of the past, so that most of them have a year behind them. */
const BEGINS_MAX = 19;

export function inventLife(chance: Chance, number: number): Life {
  const legalForm = FORMS[Math.floor(chance() * FORMS.length)] as (typeof FORMS)[number];
  const age = Math.floor(25 * chance() ** 2);
  const isYoung = age < 2 || legalForm === 'SOLE_TRADER';
  return {
    buyerExternalId: `life-${number}`,
    way: wayOf(chance() * 100, SHARES[isYoung ? 'young' : 'established']),
    begins: Math.floor(chance() * BEGINS_MAX),
    // Its orders of the following days are in the same month.
    day: Math.floor(chance() * 24),
    company: { legal_form: legalForm, company_age_years: age },
    turns: 3 + Math.floor(chance() * 12),
  };
}

function wayOf(drawn: number, shares: Record<Way, number>): Way {
  let reached = 0;
  for (const way of WAYS) {
    reached += shares[way];
    if (drawn < reached) return way;
  }
  return 'PROMPT';
}

/** Days from the due day to the payment of an invoice; null if it is never paid. `month` is the month of the life. */
export function daysLateOf(chance: Chance, { way, turns }: Life, month: number): number | null {
  const between = (from: number, to: number) => Math.floor(from + chance() * (to - from + 1));
  const onTime = () => (chance() < 0.04 ? between(3, 12) : between(-6, 2));
  switch (way) {
    case 'PROMPT':
      return onTime();
    case 'SLOW':
      return between(6, 28);
    case 'WORSENING': {
      if (month < turns) return onTime();
      const later = (month - turns + 1) * 6;
      return later > 30 && chance() < 0.3 ? null : between(later - 4, later + 8);
    }
    case 'DEFAULTING':
      // Half of them pay later for a while before they stop.
      if (month >= turns) return null;
      return month >= turns - 3 && turns % 2 === 0 ? between(8, 25) : onTime();
    case 'RECOVERING':
      if (month >= turns) return onTime();
      return chance() < 0.12 ? between(95, 160) : between(15, 50);
  }
}

/** The end of an invoice that is never paid: it is written off, and a part may be recovered. In days after the due day. */
export function endOfDefault(chance: Chance, amountMinor: number) {
  const paidMinor = chance() < 0.3 ? Math.floor(amountMinor * chance() * 0.6) : 0;
  const writtenOffMinor = amountMinor - paidMinor;
  const recoveredMinor = chance() < 0.35 ? Math.floor(writtenOffMinor * chance() * 0.7) : 0;
  return {
    paid: { minor: paidMinor, days: 100 + Math.floor(chance() * 60) },
    writtenOff: { minor: writtenOffMinor, days: 180 + Math.floor(chance() * 60) },
    recovered: { minor: recoveredMinor, days: 250 + Math.floor(chance() * 150) },
  };
}

/** Orders in a month, and the share of the limit that each takes. A buyer that is about to default orders more. */
export function ordersOf(chance: Chance, { way, turns }: Life, month: number): number[] {
  const isLastMonth = way === 'DEFAULTING' && month >= turns - 1;
  const count = isLastMonth ? 2 : Math.floor(chance() * 2.6);
  return Array.from({ length: count }, () => (isLastMonth ? 0.4 : 0.1 + chance() * 0.4));
}
