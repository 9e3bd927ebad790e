/** The company that buys: chosen from the register, or typed. */
import { isPlainLine } from '#kernel/text';
import { findCompanyByBusinessId } from '#modules/registry';
import type { CheckoutDeps } from '../deps.ts';
import type { CompanyEntry, FormResult, FormSender } from '../state/checkout.view.ts';
import type { CheckoutState } from '../state/checkout-state.rules.ts';
import { entryOf } from './company-search.ts';
import { readCompanyEntry, type TypedCompany } from './entry.rules.ts';
import { changedProgress, refused, STALE, saveOptimistically } from './form.ts';

/** Longer than that of any register. */
const BUSINESS_ID_LENGTH_MAX = 200;

/** Where the register leaves out what a buyer must have, it is kept all the same, and what is missing is asked. */
export async function chooseCompany(
  deps: CheckoutDeps,
  sender: FormSender,
  businessId: string,
): Promise<FormResult> {
  const isNamed = isPlainLine(businessId) && businessId.length <= BUSINESS_ID_LENGTH_MAX;
  const company = isNamed ? await findCompanyByBusinessId(deps.db, businessId) : undefined;
  const entry = company && entryOf(company);
  const read = entry && readCompanyEntry(entry);
  const kept = await saveOptimistically(deps, sender, (form) => {
    if (!isToEnter(form.state)) return STALE;
    if (!entry || !read) return refused({ field: 'businessId', error: 'error.choose' });
    return changedProgress(form, { company: { ...read.entry, businessId: entry.businessId } });
  });
  return kept.kind === 'DONE' && read && read.errors.length > 0 ? refused(...read.errors) : kept;
}

export function enterCompany(
  deps: CheckoutDeps,
  sender: FormSender,
  typed: TypedCompany,
): Promise<FormResult> {
  return saveOptimistically(deps, sender, (form) => {
    if (!isToEnter(form.state)) return STALE;
    const { entry, errors } = readCompanyEntry(typed);
    if (errors.length > 0) return refused(...errors);
    return changedProgress(form, {
      company: { ...entry, businessId: sameBusinessId(form.state.company, entry) },
    });
  });
}

function isToEnter({ outcome, isCodeNeeded, isBuyerOnFile }: CheckoutState): boolean {
  return outcome === null && !isCodeNeeded && !isBuyerOnFile;
}

/** The company chosen before, completed by hand where the register knows less: not another one typed over it. */
function sameBusinessId(before: CompanyEntry | null, entry: TypedCompany): string | null {
  const isSame = before?.legalName === entry.legalName && before.country === entry.country;
  return isSame ? (before?.businessId ?? null) : null;
}
