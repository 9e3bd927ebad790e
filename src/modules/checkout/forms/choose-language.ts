/** The form with the language of the pages. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { LANGUAGES } from '#kernel/language';
import type { CheckoutDeps } from '../deps.ts';
import { localeFor } from '../state/build-view.ts';
import { updateCheckout } from '../state/checkout.queries.ts';
import type { FormResult, FormSender } from '../state/checkout.view.ts';
import { DONE, openForm, refused } from './form.ts';

export function chooseLanguage(deps: CheckoutDeps, sender: FormSender, chosen: string): Promise<FormResult> {
  return inTransaction(deps.db, (db) => saveLanguage(deps, db, sender, chosen));
}

async function saveLanguage(
  deps: CheckoutDeps,
  db: Db,
  sender: FormSender,
  chosen: string,
): Promise<FormResult> {
  const form = await openForm(deps, db, sender);
  if (form.kind !== 'OPEN') return form;
  const language = LANGUAGES.find((each) => each === chosen);
  if (!language) return refused({ field: 'language', error: 'error.choose' });
  const { checkout, key, now } = form.snapshot;
  if (language === localeFor(form.snapshot).language) return DONE;
  // A new version makes forms of other windows stale: a buyer consents only to text that was shown in its language.
  await updateCheckout(db, key, { language, version: checkout.version + 1, updated_at: now });
  return DONE;
}
