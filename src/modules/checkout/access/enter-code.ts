/** The one-time code: sent to the address on file, and entered by whoever reads the mail there. */
import { queueMail } from '#modules/notifications';
import type { CheckoutDeps } from '../deps.ts';
import { DONE, type Form, refused, withCheckoutLock } from '../forms/form.ts';
import { translatorFor } from '../state/build-view.ts';
import { verifySession } from '../state/checkout.queries.ts';
import type { FormResult, FormSender } from '../state/checkout.view.ts';
import { countCodesSince, insertCode, updateCode } from './code.queries.ts';
import {
  CODE_AGAIN_SECONDS,
  CODE_ATTEMPTS_MAX,
  CODE_MINUTES,
  CODES_AN_HOUR,
  HOUR_SECONDS,
  isGood,
  isSameMac,
  macOf,
  newCode,
  readCode,
} from './code.rules.ts';

export async function sendCode(deps: CheckoutDeps, sender: FormSender): Promise<FormResult> {
  const result = await withCheckoutLock(deps, sender, (form) => sendCodeIn(deps, form));
  if (result.kind === 'DONE') deps.onCommitted();
  return result;
}

async function sendCodeIn(
  { vault, baseUrl }: CheckoutDeps,
  { db, reading, state }: Form,
): Promise<FormResult> {
  const { key, now, order } = reading;
  if (!state.isCodeNeeded || state.emailOnFile === null) return DONE;
  const { lastCode: last } = reading;
  // A second click finds the first one's code on its way.
  if (last && now < last.sent_at + CODE_AGAIN_SECONDS) return DONE;
  if ((await countCodesSince(db, key, now - HOUR_SECONDS)) >= CODES_AN_HOUR)
    return refused({ field: null, error: 'error.code_too_many' });
  const number = (last?.code_number ?? 0) + 1;
  const code = newCode();
  await insertCode(db, {
    platform_id: key.platformId,
    order_external_id: key.orderExternalId,
    code_number: number,
    code_mac: macOf(vault, key, number, code),
    sent_at: now,
    expires_at: now + CODE_MINUTES * 60,
  });
  await queueMail(db, vault, {
    platformId: key.platformId,
    cause: `checkout/${key.orderExternalId}/code/${number}`,
    kind: 'checkout_code',
    to: state.emailOnFile,
    ...translatorFor(reading),
    content: { code, number: order.external_id, minutes: CODE_MINUTES },
    now,
    baseUrl: baseUrl(),
  });
  return DONE;
}

export function enterCode(deps: CheckoutDeps, sender: FormSender, typed: string): Promise<FormResult> {
  return withCheckoutLock(deps, sender, (form) => enterCodeIn(deps, form, typed));
}

async function enterCodeIn(
  { vault }: CheckoutDeps,
  { db, reading, state }: Form,
  typed: string,
): Promise<FormResult> {
  const { key, now, session } = reading;
  if (!state.isCodeNeeded) return DONE;
  const { lastCode: last } = reading;
  if (!last || !isGood(last, now)) return refused({ field: 'code', error: 'error.code_expired' });
  const left = CODE_ATTEMPTS_MAX - last.attempts;
  const code = readCode(typed);
  // What cannot be a code is no try.
  if (code === null || left <= 0)
    return typed.trim() === ''
      ? refused({ field: 'code', error: 'error.required' })
      : wrong(Math.max(0, left));
  if (!isSameMac(macOf(vault, key, last.code_number, code), last.code_mac)) {
    await updateCode(db, last, { attempts: last.attempts + 1 });
    return wrong(left - 1);
  }
  await updateCode(db, last, { attempts: last.attempts + 1, used_at: now });
  await verifySession(db, key, session.session_sha256, now);
  return DONE;
}

function wrong(left: number): FormResult {
  return refused({ field: 'code', error: 'error.code_wrong', values: { left } });
}
