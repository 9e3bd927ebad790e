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

function notes(findings: readonly Finding[]): string {
  return findings
    .map(({ id, notes }) => [`**${id}**`, ...notes.map((note) => `- ${note}`)].join('\n'))
    .join('\n\n');
}

/** A question that was not answered. */
export interface Failure {
  question: string;
  message: string;
}

export interface Circumstances {
  date: Date;
  postgresVersion: string;
  /** Load average of the minute before the run. */
  loadBefore: number;
  /** Cores that other processes took during the run. */
  coresTaken: number;
  rounds: number;
  /** The seconds of each side of a round. */
  seconds: number;
}

export function resultsPage(
  findings: readonly Finding[],
  failures: readonly Failure[],
  circumstances: Circumstances,
): string {
  const { date, postgresVersion, rounds, seconds } = circumstances;
  return `# Results

Printed by \`npm run bench\` on ${date.toISOString().slice(0, 10)}: ${availableParallelism()} cores, Node ${process.versions.node}, PostgreSQL
${postgresVersion} (embedded, fsync on), ${rounds} rounds of ${seconds} s; server, database and load generator share the machine.
${loadSentence(circumstances)}

${table(findings)}
${failures.map(({ question, message }) => `\n**${question}** failed: ${message}\n`).join('')}
${notes(findings)}

**How to read it.** Compare ratios, not rates. Rates drift by a factor of two within hours, with the machine, its disk and its load; baseline
and subject of one round run under the same conditions. A ratio is the median of the rounds. If the lowest and the highest round differ
much, the machine was busy: run the bench again. The bar is the target, for the ratio unless it names another figure; missing it fails
nothing. p50 and p99 are the latencies of the subject under this load, not of a single request.
`;
}

/** The load of the machine, with a warning if it was too busy for reliable figures. */
function loadSentence({ loadBefore, coresTaken }: Circumstances): string {
  const isQuiet = loadBefore < availableParallelism() / 4;
  return `Load of the machine before the run: ${loadBefore.toFixed(1)}${isQuiet ? '' : '. The machine was busy, so the figures are unreliable'}.${noiseSentence(coresTaken)}`;
}

function noiseSentence(coresTaken: number): string {
  if (coresTaken === 0) return '';
  const others =
    coresTaken === 1
      ? 'another process of the same priority took a core'
      : `${coresTaken} other processes of the same priority took a core each`;
  return ` For the whole run ${others}.`;
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
    latency(finding),
  ];
}

const latency = ({ p50Ms, p99Ms }: Finding) =>
  p50Ms === null ? '–' : `${p50Ms.toFixed(1)} / ${p99Ms?.toFixed(1) ?? '–'} ms`;

const rate = (perSecond: number) =>
  perSecond < 1_000 ? `${perSecond.toFixed(1)} /s` : `${(perSecond / 1_000).toFixed(1)} k/s`;
