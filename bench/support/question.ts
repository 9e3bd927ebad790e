/** What a bench asks and what it finds. */
import type { Program } from './program.ts';

export interface Question {
  /** Its file's name: `npm run bench -- <name>` asks it alone. */
  name: string;
  run(bench: Bench): Promise<Finding>;
}

/** What a question is asked with. */
export interface Bench {
  /** Fresh and empty, for this question alone. */
  program: Program;
  rounds: number;
  roundMs: number;
  warmUpMs: number;
  /** Of a file that is imported. */
  lines: number;
  /** What else is started goes in here, and ends with the question, also where it fails or is interrupted. */
  started: AsyncDisposableStack;
  /** Tells whoever waits how far it is. */
  progress(sentence: string): void;
}

/** One line of the table. */
export interface Finding {
  id: string;
  what: string;
  /** A second: the median of the rounds, as every figure here. */
  rate: number;
  baseline: string;
  baselineRate: number;
  /** The median of the ratios of each round, which is not the ratio of the medians. */
  ratio: number;
  ratioMin: number;
  ratioMax: number;
  /** What is wanted, of the ratio or of what it names. Told, never enforced. */
  bar: string;
  /** Of the subject; null where it is one long piece of work. */
  p50Ms: number | null;
  p99Ms: number | null;
  /** Sentences that say what exactly was compared. */
  notes: string[];
}
