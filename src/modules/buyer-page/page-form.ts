/** The part that the forms of the page share: their results, and calls of operations in the buyer's name. */
import type { Scope } from '#kernel/api-key';
import type { FieldError } from '#modules/checkout';
import type { Context } from '#operation/operation';
import type { BuyerPageDeps } from './deps.ts';
import type { BuyerVisit } from './visit.ts';

/** UNKNOWN: invalid token. MISSING: the page has no such id. LOCKED: the code comes first. NO_SESSION: the browser keeps no cookie. */
export type PageFormResult =
  | { kind: 'DONE' }
  | { kind: 'UNKNOWN' }
  | { kind: 'MISSING' }
  | { kind: 'LOCKED' }
  | { kind: 'NO_SESSION' }
  | { kind: 'REFUSED'; errors: FieldError[] };

export const PAGE_DONE: PageFormResult = { kind: 'DONE' };
export const UNKNOWN: PageFormResult = { kind: 'UNKNOWN' };
export const MISSING: PageFormResult = { kind: 'MISSING' };
export const LOCKED: PageFormResult = { kind: 'LOCKED' };
export const NO_SESSION: PageFormResult = { kind: 'NO_SESSION' };

export function pageRefused(...errors: FieldError[]): PageFormResult {
  return { kind: 'REFUSED', errors };
}

/** The actor in history, ledger and audit log. */
export const ACTOR = 'buyer';

/** The context of operations for a buyer. They see the whole platform, so callers must check the buyer of each row. */
export function buyerContextOf(
  deps: BuyerPageDeps,
  { platform, vault, now }: Pick<BuyerVisit, 'platform' | 'vault' | 'now'>,
  ...scopes: Scope[]
): Context {
  const { db, clocks, files, outbound, registries, risk, isSandbox, stopping } = deps;
  const { platform_id: platformId, code: platformCode, time_zone: timeZone } = platform;
  return {
    caller: {
      ...{ platformId, platformCode, timeZone, vault },
      ...{ keyId: ACTOR, scopes: new Set(scopes), merchantExternalId: null },
    },
    ...{ db, platformId, actor: ACTOR, now, timeZone, clocks, vault, files, outbound, registries, risk },
    ...{ isSandbox, stopping, baseUrl: deps.baseUrl() ?? '' },
    assertVersion() {},
  };
}
