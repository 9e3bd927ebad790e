/** The company that buys: chosen from the register, or typed. */
import { isPlainLine } from '#kernel/text';
import { findRegisteredCompany } from '#modules/registry';
import type { CompanyEntry, Sender, Submitted } from './checkout.view.ts';
import { entryOf } from './company-search.ts';
import { readCompany, type TypedCompany } from './entry.rules.ts';
import { changedProgress, entered, refused, STALE } from './form.ts';
import type { Situation } from './situation.rules.ts';
import type { CheckoutSurroundings } from './surroundings.ts';

/** Longer than that of any register. */
const BUSINESS_ID_LENGTH_MAX = 200;

/** Where the register leaves out what a buyer must have, it is kept all the same, and what is missing is asked. */
export async function chooseCompany(
  surroundings: CheckoutSurroundings,
  sender: Sender,
  businessId: string,
): Promise<Submitted> {
  const isNamed = isPlainLine(businessId) && businessId.length <= BUSINESS_ID_LENGTH_MAX;
  const company = isNamed ? await findRegisteredCompany(surroundings.db, businessId) : undefined;
  const entry = company && entryOf(company);
  const read = entry && readCompany(entry);
  const kept = await entered(surroundings, sender, (form) => {
    if (!isToEnter(form.so)) return STALE;
    if (!entry || !read) return refused({ field: 'businessId', error: 'error.choose' });
    return changedProgress(form, { company: { ...read.entry, businessId: entry.businessId } });
  });
  return kept.kind === 'DONE' && read && read.errors.length > 0 ? refused(...read.errors) : kept;
}

export function enterCompany(
  surroundings: CheckoutSurroundings,
  sender: Sender,
  typed: TypedCompany,
): Promise<Submitted> {
  return entered(surroundings, sender, (form) => {
    if (!isToEnter(form.so)) return STALE;
    const { entry, errors } = readCompany(typed);
    if (errors.length > 0) return refused(...errors);
    return changedProgress(form, {
      company: { ...entry, businessId: sameBusinessId(form.so.company, entry) },
    });
  });
}

function isToEnter({ outcome, isCodeNeeded, isBuyerOnFile }: Situation): boolean {
  return outcome === null && !isCodeNeeded && !isBuyerOnFile;
}

/** The company chosen before, completed by hand where the register knows less: not another one typed over it. */
function sameBusinessId(before: CompanyEntry | null, entry: TypedCompany): string | null {
  const isSame = before?.legalName === entry.legalName && before.country === entry.country;
  return isSame ? (before?.businessId ?? null) : null;
}
