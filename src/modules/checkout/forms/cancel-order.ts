/** The form that cancels the order. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { cancelByBuyer } from '#modules/orders';
import type { CheckoutDeps } from '../deps.ts';
import type { FormResult, FormSender } from '../state/checkout.view.ts';
import { isCancellable } from '../state/outcome.rules.ts';
import { DONE, openForm, STALE, staleIfTransitioned } from './form.ts';

export async function submitCancellation(deps: CheckoutDeps, sender: FormSender): Promise<FormResult> {
  const result = await inTransaction(deps.db, (db) => cancel(deps, db, sender)).catch(staleIfTransitioned);
  if (result.kind === 'DONE') deps.onCommitted();
  return result;
}

async function cancel(deps: CheckoutDeps, db: Db, sender: FormSender): Promise<FormResult> {
  const form = await openForm(deps, db, sender);
  if (form.kind !== 'OPEN') return form;
  const { snapshot, state, isCurrent } = form;
  const { key, order, now } = snapshot;
  if (state.outcome === 'CANCELLED') return DONE;
  if (!isCancellable(order) || !state.mayCancel || !isCurrent) return STALE;
  await cancelByBuyer({ db, platformId: key.platformId, actor: 'buyer', now }, order.external_id);
  return DONE;
}
