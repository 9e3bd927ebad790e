/** Opens the page with the one-time code, for the browser that requested it. */
import { CODE_ATTEMPTS_MAX, isGood, isSameMac, macOfCode, macOfEmail, readCode } from '#modules/checkout';
import type { BuyerPageDeps } from './deps.ts';
import { countPageAttempt, deletePageSession, openPageSession } from './page-access.queries.ts';
import { NO_SESSION, PAGE_DONE, type PageFormResult, pageRefused, UNKNOWN } from './page-form.ts';
import { subjectOfPage } from './send-page-code.ts';
import { type PageSender, readVisit } from './visit.ts';

export async function enterPageCode(
  deps: BuyerPageDeps,
  sender: PageSender,
  typed: string,
): Promise<PageFormResult> {
  // Each repetition follows an attempt by another request, and attempts are limited, so the loop ends.
  for (;;) {
    const result = await attempt(deps, sender, typed);
    if (result !== null) return result;
  }
}

/** Takes no lock: null if another attempt was counted first. */
async function attempt(
  deps: BuyerPageDeps,
  sender: PageSender,
  typed: string,
): Promise<PageFormResult | null> {
  const visit = await readVisit(deps, deps.db, sender);
  if (visit === null) return UNKNOWN;
  const { key, vault, now, session, lastCode, email, verifiedEmail } = visit;
  if (session === null) return NO_SESSION;
  if (verifiedEmail !== null) return PAGE_DONE;
  if (email === null || lastCode === null || !isGood(lastCode, macOfEmail(vault, email), now))
    return pageRefused({ field: 'code', error: 'error.code_expired' });

  const left = CODE_ATTEMPTS_MAX - lastCode.attempts;
  const code = readCode(typed);
  // Text that cannot be a code does not count as an attempt.
  if (code === null || left <= 0)
    return typed.trim() === ''
      ? pageRefused({ field: 'code', error: 'error.required' })
      : wrongCode(Math.max(0, left));
  const isRight = isSameMac(
    macOfCode(deps.vault, subjectOfPage(key), lastCode.code_number, code),
    lastCode.code_mac,
  );
  if (!isRight) return (await countPageAttempt(deps.db, lastCode)) ? wrongCode(left - 1) : null;
  return (await openPageSession(deps.db, lastCode, session.session_sha256, now)) ? PAGE_DONE : null;
}

function wrongCode(left: number): PageFormResult {
  return pageRefused({ field: 'code', error: 'error.code_wrong', values: { left } });
}

/** Ends the session of this browser. */
export async function leavePage(deps: BuyerPageDeps, sender: PageSender): Promise<PageFormResult> {
  const visit = await readVisit(deps, deps.db, sender);
  if (visit === null) return UNKNOWN;
  if (visit.session !== null) await deletePageSession(deps.db, visit.key, visit.session.session_sha256);
  return PAGE_DONE;
}
