/** The forms with the company: chosen from the registry, or typed. */
import { isPlainLine } from '#kernel/text';
import { findCompanyByBusinessId, findOtherForm } from '#modules/registry';
import type { CheckoutDeps } from '../deps.ts';
import type { CompanyEntry, FormResult, FormSender } from '../state/checkout.view.ts';
import type { CheckoutState } from '../state/checkout-state.rules.ts';
import { claimOf, entryOfRegistered, type TypedCompany } from '../state/company-entry.ts';
import { readCompanyEntry } from './entry.rules.ts';
import { readForm, refused, STALE, saveOptimistically } from './form.ts';

/** Longer than the id of any registry. */
const BUSINESS_ID_LENGTH_MAX = 200;

/** Saves the company even if the registry lacks a required field, and then refuses with the missing fields. */
export async function chooseCompany(
  deps: CheckoutDeps,
  sender: FormSender,
  businessId: string,
): Promise<FormResult> {
  const isValid = isPlainLine(businessId) && businessId.length <= BUSINESS_ID_LENGTH_MAX;
  const company = isValid ? await findCompanyByBusinessId(deps.db, businessId) : undefined;
  const form = await readForm(deps, deps.db, sender);
  if (form.kind !== 'OPEN') return form;
  if (!isCompanyEditable(form.state)) return STALE;
  if (!company) return refused({ field: 'businessId', error: 'error.choose' });
  const registered = entryOfRegistered(company);
  const { entry, errors } = readCompanyEntry(registered, registered);
  const saved = await saveOptimistically(deps, form, {
    company: { ...entry, businessId: registered.businessId },
  });
  return saved.kind === 'DONE' && errors.length > 0 ? refused(...errors) : saved;
}

export async function enterCompany(
  deps: CheckoutDeps,
  sender: FormSender,
  typed: TypedCompany,
): Promise<FormResult> {
  const form = await readForm(deps, deps.db, sender);
  if (form.kind !== 'OPEN') return form;
  if (!isCompanyEditable(form.state)) return STALE;
  const { entry, errors } = readCompanyEntry(typed, form.state.company);
  if (errors.length > 0) return refused(...errors);
  const businessId = sameBusinessId(form.state.company, entry);
  const chosen = businessId === null ? undefined : await findCompanyByBusinessId(deps.db, businessId);
  if ((await findOtherForm(deps.db, claimOf(entry, chosen?.identifiers))) !== null)
    return refused({ field: 'legalForm', error: 'error.legal_form' });
  return saveOptimistically(deps, form, { company: { ...entry, businessId } });
}

function isCompanyEditable({ outcome, isCodeNeeded, isBuyerOnFile }: CheckoutState): boolean {
  return outcome === null && !isCodeNeeded && !isBuyerOnFile;
}

/** A company from the registry keeps its link to the registry while its name and country stay the same. */
function sameBusinessId(before: CompanyEntry | null, entry: TypedCompany): string | null {
  const isSame = before?.legalName === entry.legalName && before.country === entry.country;
  return isSame ? (before?.businessId ?? null) : null;
}
