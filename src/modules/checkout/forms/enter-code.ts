/** The forms with the one-time code: it is sent to the e-mail address on file, and entered in the browser. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { queueMail } from '#modules/notifications';
import { countCodesSince, insertCode, updateCode } from '../access/code.queries.ts';
import {
  CODE_AGAIN_SECONDS,
  CODE_ATTEMPTS_MAX,
  CODE_MINUTES,
  CODES_AN_HOUR,
  createCode,
  HOUR_SECONDS,
  isGood,
  isSameMac,
  macOf,
  readCode,
} from '../access/code.rules.ts';
import type { CheckoutDeps } from '../deps.ts';
import { localeFor } from '../state/build-view.ts';
import { verifySession } from '../state/checkout.queries.ts';
import type { FormResult, FormSender } from '../state/checkout.view.ts';
import { DONE, openForm, refused } from './form.ts';

export async function sendCode(deps: CheckoutDeps, sender: FormSender): Promise<FormResult> {
  const result = await inTransaction(deps.db, (db) => queueCode(deps, db, sender));
  if (result.kind === 'DONE') deps.onCommitted();
  return result;
}

async function queueCode(deps: CheckoutDeps, db: Db, sender: FormSender): Promise<FormResult> {
  const form = await openForm(deps, db, sender);
  if (form.kind !== 'OPEN') return form;
  const { snapshot, state } = form;
  const { key, now, order, lastCode: last } = snapshot;
  if (!state.isCodeNeeded || state.emailOnFile === null) return DONE;
  // A second click: the code of the first one is on its way.
  if (last && now < last.sent_at + CODE_AGAIN_SECONDS) return DONE;
  if ((await countCodesSince(db, key, now - HOUR_SECONDS)) >= CODES_AN_HOUR)
    return refused({ field: null, error: 'error.code_too_many' });

  const number = (last?.code_number ?? 0) + 1;
  const code = createCode();
  await insertCode(db, {
    platform_id: key.platformId,
    order_external_id: key.orderExternalId,
    code_number: number,
    code_mac: macOf(deps.vault, key, number, code),
    sent_at: now,
    expires_at: now + CODE_MINUTES * 60,
  });
  await queueMail(db, deps.vault, {
    platformId: key.platformId,
    cause: `checkout/${key.orderExternalId}/code/${number}`,
    kind: 'checkout_code',
    to: state.emailOnFile,
    ...localeFor(snapshot),
    content: { code, number: order.external_id, minutes: CODE_MINUTES },
    now,
    baseUrl: deps.baseUrl(),
  });
  return DONE;
}

export function enterCode(deps: CheckoutDeps, sender: FormSender, typed: string): Promise<FormResult> {
  return inTransaction(deps.db, (db) => verifyCode(deps, db, sender, typed));
}

async function verifyCode(
  deps: CheckoutDeps,
  db: Db,
  sender: FormSender,
  typed: string,
): Promise<FormResult> {
  const form = await openForm(deps, db, sender);
  if (form.kind !== 'OPEN') return form;
  const { key, now, session, lastCode: last } = form.snapshot;
  if (!form.state.isCodeNeeded) return DONE;
  if (!last || !isGood(last, now)) return refused({ field: 'code', error: 'error.code_expired' });

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
  await verifySession(db, key, session.session_sha256, now);
  return DONE;
}

function wrongCode(left: number): FormResult {
  return refused({ field: 'code', error: 'error.code_wrong', values: { left } });
}
