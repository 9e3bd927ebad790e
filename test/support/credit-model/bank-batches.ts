/** Bank files about a batch: its sum, and its payments. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bookReceived, importBankFile } from '#modules/banking';
import { camt054, type WrittenEntry } from '../bank-files.ts';
import { newTransactions } from './bank-rows.ts';
import type { Batch } from './merchant-state.ts';
import { sumOf } from './owed.ts';
import type { Reality, Reply } from './reality.ts';

const BYTES_MAX = 1_000_000;

/** The id that the bank gives to a payment of a batch. */
export const paymentIdOf = (endToEndId: string, index: number) => `${endToEndId}-${index + 1}`;

/** A batch with the references in its files. */
interface ReportedBatch extends Batch {
  endToEndId: string;
  bookedAt: number;
}

/** Imports files about a batch and books their content. Returns the new transactions. */
export async function importBatch(
  reality: Reality,
  now: number,
  batch: ReportedBatch,
  files: readonly ('SUM' | 'PAYMENTS')[],
  known: readonly string[],
): Promise<Reply> {
  const { endToEndId, amounts, invoice, bookedAt } = batch;
  const creditorReference = await reality.referenceOf(invoice.id);
  const details = amounts.map((amount, index) => ({
    ...{ amount, endToEndId: paymentIdOf(endToEndId, index) },
    ...(index === 0 ? { creditorReference } : { text: 'Of a stranger' }),
  }));
  const entry: WrittenEntry = {
    amount: sumOf(amounts, (each) => each),
    reference: endToEndId,
    day: new Date(bookedAt * 1_000).toISOString().slice(0, 10),
  };
  const written = {
    SUM: { ...entry, details: null, count: amounts.length },
    PAYMENTS: { ...entry, details },
  };
  const folder = await mkdtemp(join(tmpdir(), 'tradeline-batch-'));
  try {
    for (const file of files) {
      const path = join(folder, file);
      await writeFile(path, camt054({ entries: [written[file]] }));
      await reality.bank(now, (context) =>
        importBankFile(context, { path, bytesMax: BYTES_MAX, onProgress: () => {} }),
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  const booked = await reality.bank(now, (context) => bookReceived(context));
  return { ...booked, body: await newTransactions(reality, known) };
}
