/** A document as the API answers it. */
import { createHash } from 'node:crypto';
import type { DocumentBody } from '#infra/typesetting/document-body';
import { typesetDocument } from '#infra/typesetting/typesetter';
import type { AnsweredFile } from '#operation/file-body';

/** @param name The file name without its extension. */
export async function documentFile(name: string, body: DocumentBody): Promise<AnsweredFile> {
  const pdf = await typesetDocument(body);
  return {
    name: `${name}.pdf`,
    type: 'application/pdf',
    sizeBytes: pdf.length,
    sha256: createHash('sha256').update(pdf).digest(),
    chunks: (async function* () {
      yield pdf;
    })(),
  };
}
