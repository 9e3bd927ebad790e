/** The forms of the code step: the one-time code is entered in the browser, or left out. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { applicantProofOf } from '../access/applicant.rules.ts';
import { updateCode } from '../access/code.queries.ts';
import { CODE_ATTEMPTS_MAX, isGood, isSameMac, macOf, macOfEmail, readCode } from '../access/code.rules.ts';
import type { RequestedCode } from '../access/requested-code.rules.ts';
import type { CheckoutDeps } from '../deps.ts';
import { updateCheckout, updateSession } from '../state/checkout.queries.ts';
import type { FormResult, FormSender } from '../state/checkout.view.ts';
import { DONE, type Form, openForm, refused } from './form.ts';
import type { FormMemory } from './form-memory.ts';
import { type CreditRequest, requestCreditOnce } from './request-credit.ts';

interface Confirmed {
  kind: 'CONFIRMED';
  /** The credit decision that waited for the code; null if none did. */
  creditRequest: CreditRequest | null;
}

/** The code is committed first: no transaction is open during the credit request. */
export async function enterCode(
  deps: CheckoutDeps,
  memory: FormMemory,
  sender: FormSender,
  typed: string,
): Promise<FormResult> {
  const result = await inTransaction(deps.db, (db) => verifyCode(deps, db, sender, typed));
  if (result.kind !== 'CONFIRMED') return result;
  return result.creditRequest === null ? DONE : requestCreditOnce(deps, memory, result.creditRequest);
}

async function verifyCode(
  deps: CheckoutDeps,
  db: Db,
  sender: FormSender,
  typed: string,
): Promise<FormResult | Confirmed> {
  const form = await openForm(deps, db, sender);
  if (form.kind !== 'OPEN') return form;
  const { code: requested } = form.state;
  // A second click: the credit decision may still be under way.
  if (requested === null) return { kind: 'CONFIRMED', creditRequest: creditRequestOf(form) };
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
  if (!isSameMac(macOf(deps.vault, key, last.code_number, code), last.code_mac)) {
    await updateCode(db, last, { attempts: last.attempts + 1 });
    return wrongCode(left - 1);
  }
  await updateCode(db, last, { attempts: last.attempts + 1, used_at: now });
  return { kind: 'CONFIRMED', creditRequest: creditRequestOf(await confirm(form, requested)) };
}

function wrongCode(left: number): FormResult {
  return refused({ field: 'code', error: 'error.code_wrong', values: { left } });
}

/** Returns the form as it is now that the address is confirmed. */
async function confirm(form: Form, { purpose, email }: RequestedCode): Promise<Form> {
  const { db, snapshot, state } = form;
  const { key, session, vault, now } = snapshot;
  const confirmed = {
    confirmed_email_mac: macOfEmail(vault, email),
    // A code to the person's own address shows nothing that is on file.
    ...(purpose === 'FILE' && { verified_at: now }),
  };
  await updateSession(db, key, session.session_sha256, confirmed);
  const after = { ...snapshot, session: { ...session, ...confirmed } };
  return { ...form, snapshot: after, state: { ...state, proof: applicantProofOf(after, state.person) } };
}

/** The decision that only waited for the code. Without details, they are entered first and request it. */
function creditRequestOf({ snapshot, state }: Form): CreditRequest | null {
  const { proof, mine, dueRequest: about } = state;
  const isRequested = snapshot.checkout.credit_requested_at !== null;
  if (about === null || isRequested || proof === null || !mine?.person) return null;
  const deliveryAddress = mine.delivery?.address ?? null;
  return { snapshot, about, company: snapshot.filed.company, person: mine.person, deliveryAddress, proof };
}

/** Continues to the payment without a credit decision: only ways to pay without credit are offered then. */
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
