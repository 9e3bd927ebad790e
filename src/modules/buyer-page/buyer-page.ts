/** The buyer's page, as its HTTP surface calls it. */
import { createApplicationLimits } from '#modules/checkout';
import { changePageSettings } from './change-page-settings.ts';
import type { BuyerPageDeps } from './deps.ts';
import { enterPageCode, leavePage } from './enter-page-code.ts';
import { openPageDispute, type SentDispute } from './open-page-dispute.ts';
import { type PageAccount, pageAccountOf } from './page-account.ts';
import type { PageFormResult } from './page-form.ts';
import { requestPageReview } from './request-page-review.ts';
import { type SentPageCode, sendPageCode } from './send-page-code.ts';
import {
  type CodeView,
  codeView,
  type PageSender,
  readVisit,
  type ShownAround,
  shownAround,
} from './visit.ts';
import { withdrawPageDispute } from './withdraw-page-dispute.ts';

/** UNKNOWN covers forged, foreign and expired tokens alike. LOCKED: the code comes first, and nothing of the buyer is shown. */
export type OpenedPage =
  | { kind: 'UNKNOWN' }
  | { kind: 'LOCKED'; around: ShownAround; code: CodeView }
  | { kind: 'OPEN'; around: ShownAround; account: PageAccount };

/** Texts are passed as typed: they are trimmed and validated here. */
export interface BuyerPage {
  open(sender: PageSender): Promise<OpenedPage>;
  sendCode(sender: PageSender): Promise<SentPageCode>;
  enterCode(sender: PageSender, code: string): Promise<PageFormResult>;
  leave(sender: PageSender): Promise<PageFormResult>;
  changeSettings(sender: PageSender, typed: { language: string; formality: string }): Promise<PageFormResult>;
  requestReview(sender: PageSender): Promise<PageFormResult>;
  openDispute(sender: PageSender, sent: SentDispute): Promise<PageFormResult>;
  withdrawDispute(
    sender: PageSender,
    named: { invoiceExternalId: string; externalId: string },
  ): Promise<PageFormResult>;
}

export function createBuyerPage(deps: BuyerPageDeps): BuyerPage {
  const limits = createApplicationLimits(deps.companyApplicationsPerHour, deps.clock);
  return {
    open: (sender) => open(deps, sender),
    sendCode: (sender) => sendPageCode(deps, limits, sender),
    enterCode: (sender, code) => enterPageCode(deps, sender, code),
    leave: (sender) => leavePage(deps, sender),
    changeSettings: (sender, typed) => changePageSettings(deps, sender, typed),
    requestReview: (sender) => requestPageReview(deps, sender),
    openDispute: (sender, sent) => openPageDispute(deps, sender, sent),
    withdrawDispute: (sender, named) => withdrawPageDispute(deps, sender, named),
  };
}

async function open(deps: BuyerPageDeps, sender: PageSender): Promise<OpenedPage> {
  const visit = await readVisit(deps, deps.db, sender);
  if (visit === null) return { kind: 'UNKNOWN' };
  const around = shownAround(visit, deps.isSandbox);
  const { verifiedEmail } = visit;
  return verifiedEmail === null
    ? { kind: 'LOCKED', around, code: codeView(visit) }
    : { kind: 'OPEN', around, account: pageAccountOf(deps, visit, verifiedEmail) };
}
