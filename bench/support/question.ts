/** The types of a bench: its question and its finding. */
import type { Program } from './program.ts';

export interface Question {
  /** The name of its file. `npm run bench -- <name>` runs this question only. */
  name: string;
  run(bench: Bench): Promise<Finding>;
}

/** The context in which a question runs. */
export interface Bench {
  /** A fresh program with an empty database, for this question only. */
  program: Program;
  rounds: number;
  roundMs: number;
  warmUpMs: number;
  /** Lines of an imported file. */
  lines: number;
  /** Events to recover. */
  events: number;
  /** Orders to which a list grows. */
  orders: number;
  /** Open invoices among which some have a step due. */
  invoices: number;
  /** How many minutes a program serves. */
  minutes: number;
  /** Folder for a CPU profile of a program that the question starts itself; null for none. */
  profileFolder: string | null;
  /** Everything else that is started. It ends with the question, even if the question fails or is interrupted. */
  started: AsyncDisposableStack;
  /** Shows the progress. */
  progress(sentence: string): void;
}

/** One line of the table. */
export interface Finding {
  id: string;
  what: string;
  /** Per second. Every figure here is the median of the rounds. */
  rate: number;
  baseline: string;
  baselineRate: number;
  /** The median of the ratios of the rounds, not the ratio of the medians. */
  ratio: number;
  ratioMin: number;
  ratioMax: number;
  /** The target, for the ratio unless it names another figure. It is printed, never enforced. */
  bar: string;
  /** Latency of the subject; null if it is one long task. */
  p50Ms: number | null;
  p99Ms: number | null;
  /** Sentences that describe the comparison. */
  notes: string[];
}
