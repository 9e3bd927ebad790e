/** Typesets documents as PDF/UA in a thread of their own, because a page takes some tens of milliseconds. */
import { Worker } from 'node:worker_threads';
import type { DocumentBody } from './document-body.ts';

export interface TypesettingOrder {
  id: number;
  body: DocumentBody;
}
export type TypesettingAnswer = { id: number; pdf: Uint8Array } | { id: number; failure: string };

interface Waiting {
  resolve(pdf: Buffer): void;
  reject(error: Error): void;
}

let thread: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/**
 * The document as a PDF: tagged, with its fonts as subsets. The same body is the same bytes. The first call starts the
 * thread, which stays and keeps no process alive while it has nothing to do.
 */
export function typesetDocument(body: DocumentBody): Promise<Buffer> {
  thread ??= startThread();
  const typesetter = thread;
  lastId += 1;
  const order: TypesettingOrder = { id: lastId, body };
  return new Promise((resolve, reject) => {
    waiting.set(order.id, { resolve, reject });
    typesetter.ref();
    typesetter.postMessage(order);
  });
}

function startThread(): Worker {
  const started = new Worker(new URL('./typesetter-thread.ts', import.meta.url));
  started.on('message', (answer: TypesettingAnswer) => {
    const order = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) started.unref();
    if ('pdf' in answer) order?.resolve(Buffer.from(answer.pdf.buffer));
    else order?.reject(new Error(`The document could not be typeset: ${answer.failure}`));
  });
  const failAll = (error: Error) => {
    thread = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  started.once('error', failAll);
  started.once('exit', (code) =>
    failAll(new Error(`The thread that typesets documents ended with code ${code}.`)),
  );
  return started;
}
