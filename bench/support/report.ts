/** Prints the findings as a table for the terminal, and as the page results.md. */
import { availableParallelism } from 'node:os';
import type { Finding } from './question.ts';

const COLUMNS = ['#', 'What', 'Rate', 'Baseline', 'Its rate', 'Ratio', 'Rounds', 'Bar', 'p50 / p99'];

/** A Markdown table with aligned columns, readable in the terminal too. */
export function table(findings: readonly Finding[]): string {
  const rows = [COLUMNS, ...findings.map(cells)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(COLUMNS), rule, ...rows.slice(1).map(line)].join('\n');
}

export function notes(findings: readonly Finding[]): string {
  return findings
    .map(({ id, notes }) => [`**${id}**`, ...notes.map((note) => `- ${note}`)].join('\n'))
    .join('\n\n');
}

export interface Circumstances {
  date: Date;
  postgresVersion: string;
  /** Load average of the minute before the run. */
  loadBefore: number;
  rounds: number;
  roundMs: number;
}

export function resultsPage(findings: readonly Finding[], circumstances: Circumstances): string {
  const { date, postgresVersion, loadBefore, rounds, roundMs } = circumstances;
  return `# Results

Printed by \`npm run bench\` on ${date.toISOString().slice(0, 10)}: ${availableParallelism()} cores, Node ${process.versions.node}, PostgreSQL
${postgresVersion} (embedded, fsync on), ${rounds} rounds of ${roundMs / 1_000} s; server, database and load generator share the machine.
${loadSentence(loadBefore)}

${table(findings)}

${notes(findings)}

**How to read it.** Compare ratios, not rates. Rates drift by a factor of two within hours, with the machine, its disk and its load; baseline
and subject of one round run under the same conditions. A ratio is the median of the rounds. If the lowest and the highest round differ
much, the machine was busy: run the bench again. The bar is the target, for the ratio unless it names another figure; missing it fails
nothing. p50 and p99 are the latencies of the subject under this load, not of a single request.
`;
}

/** The load before the run, with a warning if the machine was too busy for reliable figures. */
export function loadSentence(loadBefore: number): string {
  const isQuiet = loadBefore < availableParallelism() / 4;
  return `Load of the machine before the run: ${loadBefore.toFixed(1)}${isQuiet ? '' : '. The machine was busy, so the figures are unreliable'}.`;
}

function cells(finding: Finding): string[] {
  return [
    finding.id,
    finding.what,
    rate(finding.rate),
    finding.baseline,
    rate(finding.baselineRate),
    finding.ratio.toFixed(2),
    `${finding.ratioMin.toFixed(2)}–${finding.ratioMax.toFixed(2)}`,
    finding.bar,
    finding.p50Ms === null ? '–' : `${finding.p50Ms.toFixed(1)} / ${finding.p99Ms?.toFixed(1)} ms`,
  ];
}

const rate = (perSecond: number) =>
  perSecond < 1_000 ? `${perSecond.toFixed(1)} /s` : `${(perSecond / 1_000).toFixed(1)} k/s`;
