/** The form with the language and the form of address. */
import { FORMALITIES, LANGUAGES } from '#kernel/language';
import { replaceBuyerSettings } from '#modules/buyers';
import type { FieldError } from '#modules/checkout';
import { runOperation } from '#operation/run-operation';
import type { BuyerPageDeps } from './deps.ts';
import { buyerContextOf, LOCKED, PAGE_DONE, type PageFormResult, pageRefused, UNKNOWN } from './page-form.ts';
import { type PageSender, readVisit } from './visit.ts';

export async function changePageSettings(
  deps: BuyerPageDeps,
  sender: PageSender,
  typed: { language: string; formality: string },
): Promise<PageFormResult> {
  const visit = await readVisit(deps, deps.db, sender);
  if (visit === null) return UNKNOWN;
  if (visit.verifiedEmail === null) return LOCKED;
  const language = LANGUAGES.find((each) => each === typed.language);
  const formality = FORMALITIES.find((each) => each === typed.formality);
  const errors: FieldError[] = [];
  if (!language) errors.push({ field: 'language', error: 'error.choose' });
  if (!formality) errors.push({ field: 'formality', error: 'error.choose' });
  if (errors.length > 0) return pageRefused(...errors);
  await runOperation(replaceBuyerSettings, {
    context: buyerContextOf(deps, visit, 'orders:write'),
    input: { params: { external_id: visit.key.externalId }, body: { language, formality } },
    onCommitted: deps.onCommitted,
  });
  return PAGE_DONE;
}
