export { hasActiveMandate, haveActiveMandates, recordActiveMandate } from './active-mandate.queries.ts';
export { addCheckoutContact, type CheckoutPerson } from './add-checkout-contact.ts';
export { buyerEvents } from './buyer.events.ts';
export {
  type BuyerKey,
  type BuyerRow,
  buyersTable,
  buyerTotals,
  findBuyer,
  findBuyerName,
  findBuyers,
  findBuyersNamed,
  hasLegalNameLike,
  type KnownBuyer,
  lockBuyer,
  readBuyers,
  recordCheckoutLanguage,
} from './buyer.queries.ts';
export { buyerIncomplete, isKnown, missingBuyer } from './buyer.rules.ts';
export { Buyer, type BuyerCreation, BuyerParams, type BuyerSettingsReplacement } from './buyer.schemas.ts';
export { rowsInOrderOfBuyers, unnestBuyerKeys } from './buyer-keys.ts';
export { localeOfBuyer, preferencesOf } from './buyer-locale.rules.ts';
export { type BuyerOnFile, buyerOnFileOf, emailsOf, findBuyerOnFile, isSameEmail } from './buyer-on-file.ts';
export { type BuyerInput, openBuyerEmail, toBuyer } from './company.conversions.ts';
export { completeInvitedBuyer } from './complete-invited-buyer.ts';
export {
  type ContactRow,
  contactsTable,
  contactTotals,
  findContact,
  findContacts,
  findContactsOfBuyer,
  findInvoiceContact,
  readContactsOfBuyers,
  toContact,
} from './contact.queries.ts';
export { Contact, type ContactCreation } from './contact.schemas.ts';
export {
  addEntityKeys,
  dropFormerEntityKeys,
  ENTITY_KEY_COLUMN,
  entityKeysOf,
  joinEntity,
  listEntityKeys,
  lockEntityKeys,
} from './entity-keys.queries.ts';
export { createBuyer } from './operations/create-buyer.ts';
export { createContact } from './operations/create-contact.ts';
export { deleteContact } from './operations/delete-contact.ts';
export { getBuyer } from './operations/get-buyer.ts';
export { getBuyerSettings } from './operations/get-buyer-settings.ts';
export { getContact } from './operations/get-contact.ts';
export { listBuyers } from './operations/list-buyers.ts';
export { listContacts } from './operations/list-contacts.ts';
export { replaceBuyer } from './operations/replace-buyer.ts';
export { replaceBuyerSettings } from './operations/replace-buyer-settings.ts';
export { replaceContact } from './operations/replace-contact.ts';
export { searchBuyers } from './operations/search-buyers.ts';
export {
  type OwedInstalment,
  recordOverdueInvoices,
} from './overdue-invoice.queries.ts';
export { pageEmailsOf } from './page-emails.ts';
export {
  createPageToken,
  newPageLink,
  openPageToken,
  PAGE_LINK_SECONDS,
  type PageLink,
  platformOfPageToken,
  recipientMacOf,
} from './page-link.ts';
export { type FollowCompanies, refreshBuyers } from './refresh-buyers.ts';
