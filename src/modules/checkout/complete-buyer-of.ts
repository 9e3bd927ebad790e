/** A buyer that was only invited becomes the company that was entered. */
import { Problem } from '#kernel/problem';
import { type CompanyTold, completeInvitedBuyer } from '#modules/buyers';
import { findRegisteredCompany } from '#modules/registry';
import type { CompanyEntry } from './checkout.view.ts';
import { entryOf } from './company-search.ts';
import { addressOf, identifiersOf, readCompany, type TypedCompany } from './entry.rules.ts';
import type { Form } from './form.ts';

/** Throws INVALID_STATUS_TRANSITION where the platform has completed it meanwhile. */
export async function completeBuyerOf({ db, reading }: Form, company: CompanyEntry): Promise<void> {
  const { key, vault, now, order } = reading;
  const context = { db, platformId: key.platformId, vault, now };
  const complete = (told: CompanyTold, businessId: string | null) =>
    completeInvitedBuyer(context, order.buyer_external_id, told, businessId);
  const { businessId, ...typed } = company;
  const chosen = businessId === null ? undefined : await findRegisteredCompany(db, businessId);
  if (!chosen) return void (await complete(toldOf(typed, null), null));
  try {
    await complete(toldOf(typed, readCompany(entryOf(chosen)).entry), businessId);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'REFERENCED_ENTITY_NOT_FOUND') throw error;
    // It left the register since we looked; what the buyer saw of it is good all the same.
    await complete(toldOf(typed, null), null);
  }
}

/** What the buyer says beyond the register: the rest is the register's, and changes with it. */
function toldOf(typed: TypedCompany, known: TypedCompany | null): CompanyTold {
  const isTold = (...fields: (keyof TypedCompany)[]) =>
    fields.some((field) => typed[field] !== known?.[field]);
  const isAddressTold = isTold('street', 'house', 'additional', 'postcode', 'city', 'country');
  const { legalForm } = typed;
  return {
    ...(isTold('legalName') && { legal_name: typed.legalName }),
    ...(legalForm !== '' && isTold('legalForm') && { legal_form: legalForm }),
    ...(isTold('tradingName') && typed.tradingName !== '' && { trading_name: typed.tradingName }),
    ...(isAddressTold && { business_address: addressOf(typed) }),
    business_identifiers: identifiersOf({
      ...typed,
      vatId: isTold('vatId') ? typed.vatId : '',
      registerId: isTold('registerId') ? typed.registerId : '',
    }),
  };
}
