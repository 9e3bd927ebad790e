/** The company that buys: chosen from the register, or typed. */
import { isPlainLine } from '#kernel/text';
import { findRegisteredCompany } from '#modules/registry';
import type { CompanyEntry, Sender, Submitted } from './checkout.view.ts';
import { entryOf } from './company-search.ts';
import { readCompany, type TypedCompany } from './entry.rules.ts';
import { changedProgress, type Form, keepProgress, refused, STALE, submitted } from './form.ts';
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
  return submitted(surroundings, sender, async (form) => {
    if (!isToEnter(form.so)) return STALE;
    if (!company) return refused({ field: 'businessId', error: 'error.choose' });
    const entry = entryOf(company);
    const { entry: known, errors } = readCompany(entry);
    const kept = await keep(form, { ...known, businessId: entry.businessId });
    return kept.kind === 'DONE' && errors.length > 0 ? refused(...errors) : kept;
  });
}

export function enterCompany(
  surroundings: CheckoutSurroundings,
  sender: Sender,
  typed: TypedCompany,
): Promise<Submitted> {
  return submitted(surroundings, sender, async (form) => {
    if (!isToEnter(form.so)) return STALE;
    const { entry, errors } = readCompany(typed);
    if (errors.length > 0) return refused(...errors);
    return keep(form, { ...entry, businessId: sameBusinessId(form.so.company, entry) });
  });
}

function isToEnter({ outcome, isCodeNeeded, isBuyerOnFile }: Situation): boolean {
  return outcome === null && !isCodeNeeded && !isBuyerOnFile;
}

function keep(form: Form, company: CompanyEntry): Promise<Submitted> {
  return keepProgress(form, changedProgress(form, { company }));
}

/** The company chosen before, completed by hand where the register knows less: not another one typed over it. */
function sameBusinessId(before: CompanyEntry | null, entry: TypedCompany): string | null {
  const isSame = before?.legalName === entry.legalName && before.country === entry.country;
  return isSame ? (before?.businessId ?? null) : null;
}
