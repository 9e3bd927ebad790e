/** What every form has in common: who may send it, its lock, and the version that it was made from. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#infra/database';
import { inTransaction } from '#infra/transaction';
import { Problem } from '#kernel/problem';
import { keepEntered, lockCheckout, type SessionRow, updateCheckout } from './checkout.queries.ts';
import type { FieldError, Sender, Submitted } from './checkout.view.ts';
import { hashOf } from './link.ts';
import { NOTHING_ENTERED, type Progress, sealProgress } from './progress.rules.ts';
import { type Reading, readOpenCheckout } from './read-checkout.ts';
import { keyOfSession, type Situation, situationOf } from './situation.rules.ts';
import type { CheckoutSurroundings } from './surroundings.ts';

export const DONE: Submitted = { kind: 'DONE' };
export const DECIDED: Submitted = { kind: 'DECIDED' };
export const STALE: Submitted = { kind: 'STALE' };
export const NO_SESSION: Submitted = { kind: 'NO_SESSION' };
export const UNKNOWN: Submitted = { kind: 'UNKNOWN' };

export function refused(...errors: FieldError[]): Submitted {
  return { kind: 'REFUSED', errors };
}

export interface Form {
  /** The transaction, which has locked the checkout. */
  db: Db;
  reading: Reading & { session: SessionRow };
  so: Situation;
  /** Whether the form's page knows of everything that was entered since. */
  isCurrent: boolean;
}

/** Runs a form's work in one short transaction, under the lock of its checkout, for a browser that has a session. */
export async function submitted<Result = Submitted>(
  surroundings: CheckoutSurroundings,
  sender: Sender,
  work: (form: Form) => Promise<Result>,
): Promise<Result | Submitted> {
  return inTransaction(surroundings.db, async (db) => {
    const locked = await lockCheckout(db, hashOf(sender.token));
    // Read under the lock, and not what an older page knew.
    const reading = await readOpenCheckout(surroundings, db, sender.token, sender.session);
    if (!reading) return UNKNOWN;
    const { session } = reading;
    if (!locked || !session) return NO_SESSION;
    const so = situationOf(reading);
    return work({ db, reading: { ...reading, session }, so, isCurrent: sender.version === locked.version });
  });
}

type Entering = Pick<Form, 'reading' | 'so'>;

/**
 * Runs a form that changes nothing but what was entered, without a transaction: the one statement that keeps it finds the
 * version that it was made from, or nothing. What others may change meanwhile, the order and the facility, is looked at
 * again under the lock of whoever acts on it.
 */
export async function entered(
  surroundings: CheckoutSurroundings,
  sender: Sender,
  work: (form: Entering) => Progress | Submitted,
): Promise<Submitted> {
  const { db } = surroundings;
  const keep = async (): Promise<Submitted | 'TOO_LATE'> => {
    const reading = await readOpenCheckout(surroundings, db, sender.token, sender.session);
    if (!reading) return UNKNOWN;
    const { session, checkout, key, vault, now } = reading;
    if (!checkout || !session) return NO_SESSION;
    const wanted = work({ reading: { ...reading, session }, so: situationOf(reading) });
    if ('kind' in wanted) return wanted;
    if (isDeepStrictEqual(wanted, reading.progress)) return DONE;
    if (sender.version !== checkout.version) return STALE;
    const progressSealed = sealProgress(vault, key.orderExternalId, wanted);
    const isKept = await keepEntered(db, { ...key, fromVersion: checkout.version, at: now, progressSealed });
    return isKept ? DONE : 'TOO_LATE';
  };
  const kept = await keep();
  if (kept !== 'TOO_LATE') return kept;
  // Another window came first. It may have sent the very same.
  const again = await keep();
  return again === 'TOO_LATE' ? STALE : again;
}

/** What the sender has entered, changed; by whoever may see it, it is theirs from here on. */
export function changedProgress({ reading, so }: Entering, changes: Partial<Progress>): Progress {
  return { ...NOTHING_ENTERED, ...so.mine, ...changes, enteredBy: keyOfSession(reading.session) };
}

/**
 * Keeps it as a new version. The same once more is done already, from whichever version it comes: a second click must not
 * look like a conflict. Anything else from an older page is STALE. `before` runs where something is written.
 */
export async function keepProgress(
  form: Form,
  progress: Progress,
  before?: () => Promise<void>,
): Promise<Submitted> {
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
export async function unlessMoved<Result>(work: () => Promise<Result>): Promise<Result | Submitted> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.reason === 'INVALID_STATUS_TRANSITION') return STALE;
    throw error;
  }
}
