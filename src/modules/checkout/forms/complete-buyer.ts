/** A buyer that was only invited becomes the company that was entered. */
import { Problem } from '#kernel/problem';
import { type BuyerInput, completeInvitedBuyer } from '#modules/buyers';
import { findCompanyByBusinessId } from '#modules/registry';
import type { CompanyEntry } from '../state/checkout.view.ts';
import { entryOf } from './company-search.ts';
import { addressEntryOf, identifiersOf, readCompanyEntry, type TypedCompany } from './entry.rules.ts';
import type { Form } from './form.ts';

/** Throws INVALID_STATUS_TRANSITION where the platform has completed it meanwhile. */
export async function completeBuyerOf({ db, reading }: Form, company: CompanyEntry): Promise<void> {
  const { key, vault, now, order } = reading;
  const context = { db, platformId: key.platformId, vault, now };
  const complete = (company: BuyerInput, businessId: string | null) =>
    completeInvitedBuyer(context, order.buyer_external_id, company, businessId);
  const { businessId, ...typed } = company;
  const chosen = businessId === null ? undefined : await findCompanyByBusinessId(db, businessId);
  if (!chosen) return void (await complete(companyInputOf(typed, null), null));
  try {
    await complete(companyInputOf(typed, readCompanyEntry(entryOf(chosen)).entry), businessId);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'REFERENCED_ENTITY_NOT_FOUND') throw error;
    // It left the register since we looked; what the buyer saw of it is good all the same.
    await complete(companyInputOf(typed, null), null);
  }
}

/** What the buyer says beyond the register: the rest is the register's, and changes with it. */
function companyInputOf(typed: TypedCompany, known: TypedCompany | null): BuyerInput {
  const isGiven = (...fields: (keyof TypedCompany)[]) =>
    fields.some((field) => typed[field] !== known?.[field]);
  const isAddressGiven = isGiven('street', 'house', 'additional', 'postcode', 'city', 'country');
  const { legalForm } = typed;
  return {
    ...(isGiven('legalName') && { legal_name: typed.legalName }),
    ...(legalForm !== '' && isGiven('legalForm') && { legal_form: legalForm }),
    ...(isGiven('tradingName') && typed.tradingName !== '' && { trading_name: typed.tradingName }),
    ...(isAddressGiven && { business_address: addressEntryOf(typed) }),
    business_identifiers: identifiersOf({
      ...typed,
      vatId: isGiven('vatId') ? typed.vatId : '',
      registerId: isGiven('registerId') ? typed.registerId : '',
    }),
  };
}
