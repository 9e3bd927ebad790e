/** The forms of the code step: they check the one-time code, or skip it. */
import { inTransaction } from '#infra/database/transaction';
import { applicantProofOf } from '../access/applicant.rules.ts';
import { type CodeRow, confirmWithCode, countAttempt } from '../access/code.queries.ts';
import {
  CODE_ATTEMPTS_MAX,
  isGood,
  isSameMac,
  macOfCode,
  macOfEmail,
  readCode,
  subjectOf,
} from '../access/code.rules.ts';
import type { RequestedCode } from '../access/requested-code.rules.ts';
import type { CheckoutDeps } from '../deps.ts';
import { saveProgressAtVersion, updateCheckout } from '../state/checkout.queries.ts';
import type { CompanyEntry, FormResult, FormSender } from '../state/checkout.view.ts';
import { sealProgress } from '../state/progress.rules.ts';
import { completeWithCompany } from './complete-with-company.ts';
import {
  changedProgress,
  DONE,
  type Form,
  openForm,
  readForm,
  refused,
  STALE,
  staleIfTransitioned,
} from './form.ts';
import type { FormMemory } from './form-memory.ts';
import { type CreditRequest, requestCreditOnce } from './request-credit.ts';

/** Another attempt was counted, or entries were changed, after they were read. */
const OVERTAKEN = { kind: 'OVERTAKEN' } as const;

interface Confirmed {
  kind: 'CONFIRMED';
  form: Form;
}

/** Commits the code first, so that no transaction is open during the credit request. */
export async function enterCode(
  deps: CheckoutDeps,
  memory: FormMemory,
  sender: FormSender,
  typed: string,
): Promise<FormResult> {
  // Each repetition follows a change by another request, so the loop ends.
  for (;;) {
    const result = await verifyCode(deps, sender, typed);
    if (result.kind === 'OVERTAKEN') continue;
    if (result.kind !== 'CONFIRMED') return result;
    const request = creditRequestOf(result.form);
    if (request === null) return DONE;
    const settled = await settleCompany(deps, result.form, request.company);
    if (settled === STALE) return STALE;
    if (settled !== OVERTAKEN) return requestCreditOnce(deps, memory, request);
  }
}

/** Completes a buyer that was only invited: credit is decided for this company. */
async function settleCompany(
  deps: CheckoutDeps,
  form: Form,
  company: CompanyEntry | null,
): Promise<FormResult | typeof OVERTAKEN> {
  const { snapshot, state } = form;
  if (state.isBuyerOnFile || company === null) return DONE;
  const { key, vault, now, checkout } = snapshot;
  const progress = changedProgress(form, { isBuyerCompleted: true });
  const saved = { ...key, at: now, fromVersion: checkout.version };
  const progressSealed = sealProgress(vault, key.orderExternalId, progress);
  return inTransaction(deps.db, async (db) => {
    if (!(await saveProgressAtVersion(db, { ...saved, progressSealed }))) return OVERTAKEN;
    await completeWithCompany(db, snapshot, company);
    return DONE;
  }).catch(staleIfTransitioned);
}

/** Takes no lock: an attempt is counted only if no other was counted since the read, so every attempt is counted. */
async function verifyCode(
  deps: CheckoutDeps,
  sender: FormSender,
  typed: string,
): Promise<FormResult | Confirmed | typeof OVERTAKEN> {
  const form = await readForm(deps, deps.db, sender);
  if (form.kind !== 'OPEN') return form;
  const { code: requested } = form.state;
  // A second click: the credit decision may still be under way.
  if (requested === null) return { kind: 'CONFIRMED', form };
  const { key, now, vault, lastCode: last } = form.snapshot;
  if (!last || !isGood(last, macOfEmail(vault, requested.email), now))
    return refused({ field: 'code', error: 'error.code_expired' });

  const left = CODE_ATTEMPTS_MAX - last.attempts;
  const code = readCode(typed);
  // Text that cannot be a code does not count as an attempt.
  if (code === null || left <= 0)
    return typed.trim() === ''
      ? refused({ field: 'code', error: 'error.required' })
      : wrongCode(Math.max(0, left));
  if (!isSameMac(macOfCode(deps.vault, subjectOf(key), last.code_number, code), last.code_mac))
    return (await countAttempt(deps.db, last)) ? wrongCode(left - 1) : OVERTAKEN;
  const confirmed = await confirm(form, last, requested);
  return confirmed === null ? OVERTAKEN : { kind: 'CONFIRMED', form: confirmed };
}

function wrongCode(left: number): FormResult {
  return refused({ field: 'code', error: 'error.code_wrong', values: { left } });
}

/** Returns the form with the address confirmed; null if another attempt was counted first. */
async function confirm(form: Form, code: CodeRow, { purpose, email }: RequestedCode): Promise<Form | null> {
  const { db, snapshot, state } = form;
  const { session, vault, now } = snapshot;
  const emailMac = macOfEmail(vault, email);
  // A code to the person's own address does not open the data on file.
  const verifiedAt = purpose === 'FILE' ? now : null;
  const confirmation = { sessionSha256: session.session_sha256, emailMac, verifiedAt };
  if (!(await confirmWithCode(db, code, confirmation, now))) return null;
  const confirmed = { confirmed_email_mac: emailMac, verified_at: verifiedAt ?? session.verified_at };
  const after = { ...snapshot, session: { ...session, ...confirmed } };
  return { ...form, snapshot: after, state: { ...state, proof: applicantProofOf(after, state.person) } };
}

/** The decision that waited only for the code. If the details are missing, the buyer enters them first, and they request it. */
function creditRequestOf({ snapshot, state }: Form): CreditRequest | null {
  const { proof, mine, dueRequest: about } = state;
  const isRequested = snapshot.checkout.credit_requested_at !== null;
  if (about === null || isRequested || proof === null || !mine?.person) return null;
  const deliveryAddress = mine.delivery?.address ?? null;
  const company = snapshot.filed.company ?? mine.company;
  return { snapshot, about, company, person: mine.person, deliveryAddress, proof };
}

/** Continues to the payment without a credit decision: the page then offers only payment methods without credit. */
export async function skipCode(deps: CheckoutDeps, sender: FormSender): Promise<FormResult> {
  return inTransaction(deps.db, async (db) => {
    const form = await openForm(deps, db, sender);
    if (form.kind !== 'OPEN') return form;
    const { key, now } = form.snapshot;
    if (form.state.code?.purpose === 'APPLICATION')
      await updateCheckout(db, key, { credit_requested_at: now });
    return DONE;
  });
}
