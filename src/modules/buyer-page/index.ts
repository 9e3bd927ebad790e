export { type BuyerPage, createBuyerPage } from './buyer-page.ts';
export { prunePageAccess } from './page-access.queries.ts';
export type { CreditDetails, InvoiceOnPage, ItemList, ListedItem, PageAccount } from './page-account.ts';
export type { PageFormResult } from './page-form.ts';
export { type CodeView, PAGE_SESSION_SECONDS, type PageSender, type ShownAround } from './visit.ts';
