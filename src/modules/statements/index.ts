export { computationParts, type DocumentWriter, documentBodyOf, writerFor } from './document-writer.ts';
export { findStatementDocument, queueMonthlyStatements } from './monthly-statements.ts';
export { getBuyerStatement } from './operations/get-buyer-statement.ts';
export { getBuyerStatementDocument } from './operations/get-buyer-statement-document.ts';
export { getInvoiceDocument } from './operations/get-invoice-document.ts';
export type { BuyerStatement } from './statement.schemas.ts';
