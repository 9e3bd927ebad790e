// Checks the imports in src/ against .dependency-cruiser.js, and that every file was read: with an unknown compiler,
// dependency-cruiser reads no TypeScript and reports success.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { cruise, type IViolation } from 'dependency-cruiser';
import extractConfiguration from 'dependency-cruiser/config-utl/extract-depcruise-config';

const repository = join(import.meta.dirname, '..');

/** One broken rule: `rule` is its name in .dependency-cruiser.js, `to` the forbidden import. */
export type DependencyFinding = { rule: string; path: string; to: string; sentence: string };

export type DependencyReport = { filesRead: number; findings: DependencyFinding[] };

/** The rules and options of .dependency-cruiser.js. */
export async function dependencyRules() {
  const { options, forbidden = [] } = await extractConfiguration(join(repository, '.dependency-cruiser.js'));
  return { options, forbidden };
}

/**
 * Checks src/ under `root`, which has its own package.json, with the rules of the repository.
 * `readTree` is dependency-cruiser; a test passes one that reads nothing.
 */
export async function checkDependencies(root: string, readTree = cruise): Promise<DependencyReport> {
  const { options, forbidden } = await dependencyRules();
  const { output } = await readTree(['src'], {
    ...options,
    ruleSet: { forbidden },
    validate: true,
    baseDir: root,
  });
  if (typeof output === 'string')
    throw new Error('dependency-cruiser answered with text instead of its result.');

  const read = new Set(output.modules.map((module) => module.source));
  const present = typescriptFiles(root);
  const sentences = new Map(forbidden.map((rule) => [rule.name ?? '', rule.comment ?? '']));
  return {
    filesRead: present.filter((path) => read.has(path)).length,
    findings: [
      ...unread(present, read),
      ...output.summary.violations.map((violation) => finding(violation, sentences)),
    ],
  };
}

/** `path: sentence`, with the import that broke the rule. */
export function describeFinding({ path, to, sentence }: DependencyFinding): string {
  return `${path}: ${sentence}${to === '' ? '' : ` (imports ${to})`}`;
}

function typescriptFiles(root: string): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join('src', path).split(sep).join('/'));
}

/** Files that were not read. If none was read, or none exists, that is one finding, because an empty result proves nothing. */
function unread(present: string[], read: Set<string>): DependencyFinding[] {
  const rule = 'every-file-read';
  const missing = present.filter((path) => !read.has(path));
  if (present.length === 0) {
    return [{ rule, path: 'src', to: '', sentence: 'There is no TypeScript file to check here.' }];
  }
  if (missing.length === present.length) {
    const sentence = `dependency-cruiser read none of ${present.length} files: it does not know the installed typescript.`;
    return [{ rule, path: 'src', to: '', sentence }];
  }
  const sentence = 'dependency-cruiser did not read this file, so nothing is known of its imports.';
  return missing.map((path) => ({ rule, path, to: '', sentence }));
}

function finding(violation: IViolation, sentences: Map<string, string>): DependencyFinding {
  const circle = violation.cycle?.map((step) => step.name).join(' → ');
  return {
    rule: violation.rule.name,
    path: violation.from,
    to: circle ?? violation.to,
    sentence: sentences.get(violation.rule.name) ?? violation.rule.name,
  };
}

if (import.meta.main) {
  const { filesRead, findings } = await checkDependencies(repository);
  for (const each of findings) console.error(describeFinding(each));
  if (findings.length > 0) process.exitCode = 1;
  else console.log(`${filesRead} files of src/ import only what they may.`);
}
