/** The findings as one table: for the terminal, and with what is needed to read it, for results.md. */
import { availableParallelism } from 'node:os';
import type { Finding } from './question.ts';

const COLUMNS = ['#', 'What', 'Rate', 'Baseline', 'Its rate', 'Ratio', 'Rounds', 'Bar', 'p50 / p99'];

/** A Markdown table whose source lines up, so that one text serves both places. */
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
  /** Processes that were running or waiting to, the minute before. */
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

**How to read it.** Compare ratios, not rates: rates drift with the machine, its disk and what else runs on it, by a factor of two
from one hour to the next, while baseline and subject of one round meet the same conditions. A ratio is the median of the rounds; the
lowest and the highest stand beside it, and where they lie far apart the machine was busy: run it again. The bar is what is wanted,
of the ratio or of what it names; missing it fails nothing. p50 and p99 are the subject's latencies under that load, not those of a lone request.
`;
}

/** A machine that was busy before the bench began makes figures nobody should keep. */
export function loadSentence(loadBefore: number): string {
  const isQuiet = loadBefore < availableParallelism() / 4;
  return `Load of the machine before: ${loadBefore.toFixed(1)}${isQuiet ? '' : ', so it was busy with something else: the figures are not to be trusted'}.`;
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
