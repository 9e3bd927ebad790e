/** The part that all forms share: reading the checkout, its lock, its version, and the results. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#infra/database/database';
import { Problem } from '#kernel/problem';
import { keyOfSession } from '../access/access.rules.ts';
import type { CheckoutDeps } from '../deps.ts';
import { linkKeyOf } from '../links/link.ts';
import {
  type CheckoutRow,
  lockCheckout,
  type SessionRow,
  saveProgressAtVersion,
} from '../state/checkout.queries.ts';
import type { FieldError, FormResult, FormSender } from '../state/checkout.view.ts';
import { type CheckoutState, checkoutStateOf } from '../state/checkout-state.rules.ts';
import { NO_ENTRIES, type Progress, sealProgress } from '../state/progress.rules.ts';
import { readOpenSnapshot, type Snapshot } from '../state/snapshot.ts';

export const DONE: FormResult = { kind: 'DONE' };
export const CREDIT_DECIDED: FormResult = { kind: 'CREDIT_DECIDED' };
export const STALE: FormResult = { kind: 'STALE' };
const NO_SESSION = { kind: 'NO_SESSION' } as const;
const UNKNOWN = { kind: 'UNKNOWN' } as const;

export function refused(...errors: FieldError[]): FormResult {
  return { kind: 'REFUSED', errors };
}

export interface Form {
  kind: 'OPEN';
  /** The transaction of a locked form, else the database. */
  db: Db;
  sender: FormSender;
  snapshot: Snapshot & { session: SessionRow; checkout: CheckoutRow };
  state: CheckoutState;
  /** Whether the form's page was rendered from the current version. */
  isCurrent: boolean;
}

/** A form that cannot be processed: the token is unknown, or the browser has no session. */
type Unopened = typeof UNKNOWN | typeof NO_SESSION;

/**
 * Locks the checkout and reads it under the lock, which lasts until the transaction `db` ends.
 * For forms that write more than the progress.
 */
export async function openForm(deps: CheckoutDeps, db: Db, sender: FormSender): Promise<Form | Unopened> {
  const link = await linkKeyOf(db, sender.token);
  const locked = link && (await lockCheckout(db, link));
  const form = await readForm(deps, db, sender);
  return form.kind === 'OPEN' && !locked ? NO_SESSION : form;
}

/** Reads the checkout without a lock. For forms that write only the progress, with `saveOptimistically`. */
export async function readForm(deps: CheckoutDeps, db: Db, sender: FormSender): Promise<Form | Unopened> {
  const snapshot = await readOpenSnapshot(deps, db, sender.token, sender.session);
  if (!snapshot) return UNKNOWN;
  const { session, checkout } = snapshot;
  if (!session || !checkout) return NO_SESSION;
  return {
    kind: 'OPEN',
    db,
    sender,
    snapshot: { ...snapshot, session, checkout },
    state: checkoutStateOf(snapshot),
    isCurrent: sender.version === checkout.version,
  };
}

/** The progress that this browser may see with `changes` applied. It then belongs to this browser. */
export function changedProgress({ snapshot, state }: Form, changes: Partial<Progress>): Progress {
  return { ...NO_ENTRIES, ...state.mine, ...changes, enteredBy: keyOfSession(snapshot.session) };
}

/**
 * Saves the changes as a new version, in one statement that changes nothing if the version has changed. Changes that are already saved
 * are DONE from any version, so that a second click is not a conflict; others are STALE.
 */
export async function saveOptimistically(
  deps: CheckoutDeps,
  form: Form,
  changes: Partial<Progress>,
): Promise<FormResult> {
  const { key, vault, now, checkout, progress: saved } = form.snapshot;
  const progress = changedProgress(form, changes);
  if (isDeepStrictEqual(progress, saved)) return DONE;
  if (!form.isCurrent) return STALE;
  const progressSealed = sealProgress(vault, key.orderExternalId, progress);
  const fromVersion = checkout.version;
  if (await saveProgressAtVersion(form.db, { ...key, fromVersion, at: now, progressSealed })) return DONE;
  // Another request saved first, perhaps the same changes.
  const current = await readForm(deps, form.db, form.sender);
  if (current.kind !== 'OPEN') return current;
  return isDeepStrictEqual(changedProgress(current, changes), current.snapshot.progress) ? DONE : STALE;
}

/** STALE for a transition that the order or the buyer no longer allows; throws every other error. */
export function staleIfTransitioned(error: unknown): FormResult {
  if (error instanceof Problem && error.reason === 'INVALID_STATUS_TRANSITION') return STALE;
  throw error;
}
