/** Sends the one-time code: to the e-mail address on file, or to the person who applies for credit. */
import { inTransaction } from '#infra/database/transaction';
import { type Premise, queueMail, withdrawMails } from '#modules/notifications';
import { countCodesSince, insertCode } from '../access/code.queries.ts';
import {
  CODE_MINUTES,
  CODES_AN_HOUR,
  createCode,
  HOUR_SECONDS,
  macOfCode,
  macOfEmail,
  subjectOf,
  waitSecondsOf,
} from '../access/code.rules.ts';
import type { RequestedCode } from '../access/requested-code.rules.ts';
import type { CheckoutDeps } from '../deps.ts';
import { localeFor } from '../state/build-view.ts';
import type { CompanyEntry, FormResult, FormSender } from '../state/checkout.view.ts';
import { DONE, type Form, openForm, refused } from './form.ts';
import type { FormMemory } from './form-memory.ts';

export async function sendCode(
  deps: CheckoutDeps,
  memory: FormMemory,
  sender: FormSender,
): Promise<FormResult> {
  const result = await inTransaction(deps.db, async (db) => {
    const form = await openForm(deps, db, sender);
    if (form.kind !== 'OPEN') return form;
    const { code } = form.state;
    return code === null ? DONE : queueCode(deps, memory, form, code, form.state.company);
  });
  if (result.kind === 'DONE') deps.onCommitted();
  return result;
}

/** Queues the mail in the form's transaction, unless the last code was just sent. Refuses once too many were sent. */
export async function queueCode(
  deps: CheckoutDeps,
  { limits }: FormMemory,
  { db, snapshot, sender }: Form,
  { purpose, email }: RequestedCode,
  company: CompanyEntry | null,
): Promise<FormResult> {
  const { key, now, order, vault, lastCode: last } = snapshot;
  const emailMac = macOfEmail(vault, email);
  // A second click: the first one has already sent a code.
  if (waitSecondsOf(last, emailMac, now) > 0) return DONE;
  if (last && (await countCodesSince(db, key, now - HOUR_SECONDS)) >= CODES_AN_HOUR)
    return refused({ field: null, error: 'error.code_too_many' });
  const refusal = limits.refusalOfCode(key.platformId, {
    email,
    company: purpose === 'APPLICATION' ? company : null,
    network: sender.network,
  });
  if (refusal !== null) return refused(refusal);

  const number = (last?.code_number ?? 0) + 1;
  const code = createCode();
  await insertCode(db, {
    platform_id: key.platformId,
    order_external_id: key.orderExternalId,
    code_number: number,
    code_mac: macOfCode(deps.vault, subjectOf(key), number, code),
    email_mac: emailMac,
    sent_at: now,
    expires_at: now + CODE_MINUTES * 60,
  });
  // Only the last code counts: an earlier one that is still queued is not sent.
  const premise: Premise = { kind: 'checkout_code', key: key.orderExternalId, version: number };
  if (last) await withdrawMails(db, key.platformId, [premise]);
  await queueMail(db, deps.vault, snapshot.platform, {
    cause: `checkout/${key.orderExternalId}/code/${number}`,
    kind: 'checkout_code',
    to: email,
    premises: [premise],
    ...localeFor(snapshot),
    content: {
      code,
      number: order.external_id,
      minutes: CODE_MINUTES,
      isForCredit: purpose === 'APPLICATION',
    },
    now,
    baseUrl: deps.baseUrl(),
  });
  return DONE;
}
