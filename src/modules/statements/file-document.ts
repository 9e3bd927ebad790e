/** Files what mails have attached about invoices: stored once, sealed, and typeset when a mail takes it along and when the API answers it. */
import { createHash } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import type { DocumentBody } from '#infra/typesetting/document-body';
import { findFiledBody, insertFiledDocuments, type NewFiledDocument } from './filed-document.queries.ts';

const ID_LENGTH = 32;

/** The first documents were stored with the mailings of reminders. */
const vaultPathOf = (documentId: string) => `dunning_mailings/${documentId}/document`;

/** The id of a document that only mails of this cause have. */
export function documentIdOfCause(cause: string): string {
  return createHash('sha256').update(cause).digest('hex').slice(0, ID_LENGTH);
}

/** A document to be filed, with what it says. */
export type DocumentToFile = Omit<NewFiledDocument, 'bodySealed'> & { body: DocumentBody };

/** In the transaction that queues the mails. A document that is filed already stays as it is. */
export async function fileDocuments(
  { db, vault, platformId }: { db: Db; vault: PlatformVault; platformId: number },
  documents: readonly DocumentToFile[],
): Promise<void> {
  const sealed = documents.map(({ body, ...document }) => ({
    ...document,
    bodySealed: vault.seal(vaultPathOf(document.documentId), JSON.stringify(body)),
  }));
  await insertFiledDocuments(db, platformId, sealed);
}

/** What a document says, as it was filed; null where it was not. */
export async function findFiledDocument(
  db: Db,
  vault: PlatformVault,
  { platformId, documentId }: { platformId: number; documentId: string },
): Promise<DocumentBody | null> {
  const sealed = await findFiledBody(db, platformId, documentId);
  return sealed && JSON.parse(vault.open(vaultPathOf(documentId), sealed));
}
