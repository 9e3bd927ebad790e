/** The structure checks: pure functions from the files of the repository to findings. STYLE.md explains each check. */
import * as boundaries from './tidy/boundaries.ts';
import { type Check, describeFinding, judge } from './tidy/check.ts';
import { exceptions } from './tidy/exceptions.ts';
import { glossaryMatchesTheCode } from './tidy/glossary.ts';
import { infraKnowsNoBusinessWord } from './tidy/infra-words.ts';
import { linksLead } from './tidy/links.ts';
import { migrationsAreNumbered, workingMigrationsOnlyAdd } from './tidy/migrations.ts';
import { modulesHaveFrontPages, operationsAreTested, operationsNamedAfterFiles } from './tidy/modules.ts';
import { exportedNamesAreUnique, indexesExportWhatIsImported, namesFollowTheGlossary } from './tidy/names.ts';
import { proseIsPlain } from './tidy/prose.ts';
import { filesAreShort, functionsAreShort } from './tidy/size.ts';
import { statusFromLifecycle, statusSqlInQueries } from './tidy/status.ts';
import { queriesNameTheirTenant } from './tidy/tenant.ts';
import type { Tree } from './tidy/tree.ts';
import { namedExportsOnly, namesSayWhat, nothingUnfinished, testsAllRun } from './tidy/words.ts';

export const checks: readonly Check[] = [
  ...Object.values(boundaries),
  statusFromLifecycle,
  statusSqlInQueries,
  queriesNameTheirTenant,
  migrationsAreNumbered,
  workingMigrationsOnlyAdd,
  infraKnowsNoBusinessWord,
  modulesHaveFrontPages,
  operationsAreTested,
  operationsNamedAfterFiles,
  namesSayWhat,
  namedExportsOnly,
  filesAreShort,
  functionsAreShort,
  testsAllRun,
  nothingUnfinished,
  linksLead,
  exportedNamesAreUnique,
  indexesExportWhatIsImported,
  namesFollowTheGlossary,
  proseIsPlain,
  glossaryMatchesTheCode,
];

/** `path:line: sentence` of everything the check finds in the tree and no exception excuses. */
export function tidy(check: Check, tree: Tree): string[] {
  return judge(check, tree, exceptions[check.name] ?? []).map(describeFinding);
}
