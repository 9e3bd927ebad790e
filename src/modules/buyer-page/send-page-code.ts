/** Mails the one-time code that opens the page. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import {
  CODE_MINUTES,
  CODES_AN_HOUR,
  type createApplicationLimits,
  createCode,
  createSession,
  HOUR_SECONDS,
  macOfCode,
  macOfEmail,
  sessionHash,
  waitSecondsOf,
} from '#modules/checkout';
import { queueMail } from '#modules/notifications';
import type { BuyerPageDeps } from './deps.ts';
import { countPageCodesSince, insertPageCode, insertPageSession } from './page-access.queries.ts';
import { PAGE_DONE, type PageFormResult, pageRefused, UNKNOWN } from './page-form.ts';
import { type BuyerVisit, type PageSender, readVisit, shownAround } from './visit.ts';

export type CodeLimits = ReturnType<typeof createApplicationLimits>;

/** The result, and the secret of a new session for the cookie; null if the browser already has one. */
export type SentPageCode = PageFormResult & { newSession: string | null };

export async function sendPageCode(
  deps: BuyerPageDeps,
  limits: CodeLimits,
  sender: PageSender,
): Promise<SentPageCode> {
  const sent = await inTransaction(deps.db, async (db): Promise<SentPageCode> => {
    const visit = await readVisit(deps, db, sender);
    if (visit === null) return { ...UNKNOWN, newSession: null };
    if (visit.email === null || visit.verifiedEmail !== null) return { ...PAGE_DONE, newSession: null };
    const newSession = visit.session === null ? createSession() : null;
    if (newSession !== null)
      await insertPageSession(db, visit.key, sessionHash(newSession) as Buffer, visit.now);
    const result = await queueCode(deps, limits, db, { visit, email: visit.email, sender });
    return { ...result, newSession };
  });
  if (sent.kind === 'DONE') deps.onCommitted();
  return sent;
}

/** Refuses once too many codes were sent. */
async function queueCode(
  deps: BuyerPageDeps,
  limits: CodeLimits,
  db: Db,
  { visit, email, sender }: { visit: BuyerVisit; email: string; sender: PageSender },
): Promise<PageFormResult> {
  const { key, vault, platform, now, lastCode, buyer } = visit;
  const emailMac = macOfEmail(vault, email);
  // A second click: the first one has already sent a code.
  if (waitSecondsOf(lastCode, emailMac, now) > 0) return PAGE_DONE;
  const tooMany = pageRefused({ field: null, error: 'error.code_too_many' });
  if ((await countPageCodesSince(db, key, now - HOUR_SECONDS)) >= CODES_AN_HOUR) return tooMany;
  const refusal = limits.refusalOfCode(key.platformId, { email, company: null, network: sender.network });
  if (refusal !== null) return pageRefused(refusal);

  const number = (lastCode?.code_number ?? 0) + 1;
  const code = createCode();
  const isFirst = await insertPageCode(db, {
    platform_id: key.platformId,
    buyer_external_id: key.externalId,
    code_number: number,
    code_mac: macOfCode(deps.vault, subjectOfPage(key), number, code),
    email_mac: emailMac,
    sent_at: now,
    expires_at: now + CODE_MINUTES * 60,
  });
  if (!isFirst) return PAGE_DONE;
  const { language, formality } = shownAround(visit, deps.isSandbox);
  await queueMail(db, deps.vault, platform, {
    cause: `buyer/${key.externalId}/page_code/${now}/${number}`,
    kind: 'page_code',
    to: email,
    buyer: key.externalId,
    ...{ language, formality, now, baseUrl: deps.baseUrl() },
    content: { code, minutes: CODE_MINUTES, company: buyer.legal_name },
  });
  return PAGE_DONE;
}

/** The subject of a page code. It differs from every subject of a checkout, which begins with the number of its platform. */
export function subjectOfPage({ platformId, externalId }: BuyerVisit['key']): string {
  return `page/${platformId}/${externalId}`;
}
