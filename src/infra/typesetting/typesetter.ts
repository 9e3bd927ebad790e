/** Typesets documents as PDF/UA in a separate thread, because a page takes tens of milliseconds. */
import { createThread } from '../thread.ts';
import type { DocumentBody } from './document-body.ts';

export type TypesettingAnswer = { pdf: Uint8Array } | { failure: string };

const thread = createThread<DocumentBody, TypesettingAnswer>({
  module: new URL('./typesetter-thread.ts', import.meta.url),
  onExit: (code) => new Error(`The thread that typesets documents ended with code ${code}.`),
});

/** The document as a PDF: tagged, with its fonts as subsets. The same body gives the same bytes. */
export async function typesetDocument(body: DocumentBody): Promise<Buffer> {
  const answer = await thread.run(body);
  if ('failure' in answer) throw new Error(`The document could not be typeset: ${answer.failure}`);
  return Buffer.from(answer.pdf.buffer);
}
