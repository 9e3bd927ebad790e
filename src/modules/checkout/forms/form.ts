/** What every form has in common: who may send it, its lock, and the version that it was made from. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { Problem } from '#kernel/problem';
import type { CheckoutDeps } from '../deps.ts';
import { hashOf } from '../links/link.ts';
import { lockCheckout, type SessionRow, saveEntries, updateCheckout } from '../state/checkout.queries.ts';
import type { FieldError, FormResult, FormSender } from '../state/checkout.view.ts';
import { type CheckoutState, checkoutStateOf, keyOfSession } from '../state/checkout-state.rules.ts';
import { NO_ENTRIES, type Progress, sealProgress } from '../state/progress.rules.ts';
import { readOpenSnapshot, type Snapshot } from '../state/snapshot.ts';

export const DONE: FormResult = { kind: 'DONE' };
export const CREDIT_DECIDED: FormResult = { kind: 'DECIDED' };
export const STALE: FormResult = { kind: 'STALE' };
export const NO_SESSION: FormResult = { kind: 'NO_SESSION' };
export const UNKNOWN: FormResult = { kind: 'UNKNOWN' };

export function refused(...errors: FieldError[]): FormResult {
  return { kind: 'REFUSED', errors };
}

export interface Form {
  /** The transaction, which has locked the checkout. */
  db: Db;
  reading: Snapshot & { session: SessionRow };
  state: CheckoutState;
  /** Whether the form's page knows of everything that was entered since. */
  isCurrent: boolean;
}

/** Runs a form's work in one short transaction, under the lock of its checkout, for a browser that has a session. */
export async function withCheckoutLock<Result = FormResult>(
  deps: CheckoutDeps,
  sender: FormSender,
  work: (form: Form) => Promise<Result>,
): Promise<Result | FormResult> {
  return inTransaction(deps.db, async (db) => {
    const locked = await lockCheckout(db, hashOf(sender.token));
    // Read under the lock, and not what an older page knew.
    const reading = await readOpenSnapshot(deps, db, sender.token, sender.session);
    if (!reading) return UNKNOWN;
    const { session } = reading;
    if (!locked || !session) return NO_SESSION;
    const state = checkoutStateOf(reading);
    return work({
      db,
      reading: { ...reading, session },
      state,
      isCurrent: sender.version === locked.version,
    });
  });
}

type Entering = Pick<Form, 'reading' | 'state'>;

/**
 * Runs a form that changes nothing but what was entered, without a transaction: the one statement that keeps it finds the
 * version that it was made from, or nothing. What others may change meanwhile, the order and the facility, is looked at
 * again under the lock of whoever acts on it.
 */
export async function saveOptimistically(
  deps: CheckoutDeps,
  sender: FormSender,
  work: (form: Entering) => Progress | FormResult,
): Promise<FormResult> {
  const { db } = deps;
  const keep = async (): Promise<FormResult | 'TOO_LATE'> => {
    const reading = await readOpenSnapshot(deps, db, sender.token, sender.session);
    if (!reading) return UNKNOWN;
    const { session, checkout, key, vault, now } = reading;
    if (!checkout || !session) return NO_SESSION;
    const wanted = work({ reading: { ...reading, session }, state: checkoutStateOf(reading) });
    if ('kind' in wanted) return wanted;
    if (isDeepStrictEqual(wanted, reading.progress)) return DONE;
    if (sender.version !== checkout.version) return STALE;
    const progressSealed = sealProgress(vault, key.orderExternalId, wanted);
    const isSaved = await saveEntries(db, { ...key, fromVersion: checkout.version, at: now, progressSealed });
    return isSaved ? DONE : 'TOO_LATE';
  };
  const kept = await keep();
  if (kept !== 'TOO_LATE') return kept;
  // Another window came first. It may have sent the very same.
  const again = await keep();
  return again === 'TOO_LATE' ? STALE : again;
}

/** What the sender has entered, changed; by whoever may see it, it is theirs from here on. */
export function changedProgress({ reading, state }: Entering, changes: Partial<Progress>): Progress {
  return { ...NO_ENTRIES, ...state.mine, ...changes, enteredBy: keyOfSession(reading.session) };
}

/**
 * Keeps it as a new version. The same once more is done already, from whichever version it comes: a second click must not
 * look like a conflict. Anything else from an older page is STALE. `before` runs where something is written.
 */
export async function saveProgress(
  form: Form,
  progress: Progress,
  before?: () => Promise<void>,
): Promise<FormResult> {
  const { db, reading } = form;
  const { checkout, key, vault, now } = reading;
  if (isDeepStrictEqual(progress, reading.progress)) return DONE;
  if (!form.isCurrent) return STALE;
  await before?.();
  await updateCheckout(db, key, {
    version: (checkout?.version ?? 0) + 1,
    updated_at: now,
    progress_sealed: sealProgress(vault, key.orderExternalId, progress),
  });
  return DONE;
}

/** Between our look and its lock somebody else has moved the order, or completed the buyer: the page shows how it stands. */
export async function unlessTransitioned<Result>(work: () => Promise<Result>): Promise<Result | FormResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.reason === 'INVALID_STATUS_TRANSITION') return STALE;
    throw error;
  }
}
