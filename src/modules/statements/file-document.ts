/**
 * Files the attachments of mails about invoices. A document is stored once, sealed, and typeset when a mail attaches it and when the
 * API answers it.
 */
import { createHash } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import type { DocumentBody } from '#infra/typesetting/document-body';
import { findFiledBody, insertFiledDocuments, type NewFiledDocument } from './filed-document.queries.ts';

const ID_LENGTH = 32;

/** The first documents were stored with the mailings of reminders, so the path names these. */
const vaultPathOf = (documentId: string) => `dunning_mailings/${documentId}/document`;

/** The id of the document of this cause. Only mails of this cause have it. */
export function documentIdOfCause(cause: string): string {
  return createHash('sha256').update(cause).digest('hex').slice(0, ID_LENGTH);
}

/** A document to be filed, with its content. */
export type DocumentToFile = Omit<NewFiledDocument, 'bodySealed'> & { body: DocumentBody };

/** Files documents, in the transaction that queues the mails. A document that is already filed stays unchanged. */
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

/** The content of a document as it was filed; null if it was not filed. */
export async function findFiledDocument(
  db: Db,
  vault: PlatformVault,
  { platformId, documentId }: { platformId: number; documentId: string },
): Promise<DocumentBody | null> {
  const sealed = await findFiledBody(db, platformId, documentId);
  return sealed && JSON.parse(vault.open(vaultPathOf(documentId), sealed));
}
