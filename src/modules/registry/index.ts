export { type CompanyRow, findCompanies, findDemoCompanies, writeCompanies } from './company.queries.ts';
export { businessIdOf, legalFormOf } from './company.rules.ts';
export { entityNumberOfEntry, entityNumbersOf } from './entity-numbers.rules.ts';
export { findOrQueryByIdentifier, findOrQueryByName } from './find-or-query.ts';
export { findCompanyByBusinessId, followCompanyChosen, followCompanyNamed } from './follow-company.ts';
export { followCompany, hasChangedCompanies, takeChangedCompanies } from './followed.queries.ts';
export { isSameIdentifier } from './identifier.rules.ts';
export { ImportUnderWay } from './import/batch-writer.ts';
export {
  type ImportProgress,
  type ImportRequest,
  type ImportSummary,
  importRegistry,
  type NamedRegistryFile,
  nameRegistryFile,
} from './import/import-registry.ts';
export { FORMAT_NAMES, type FormatName } from './import/known-formats.ts';
export { countCompaniesByRegistry, listImports } from './import/registry-import.queries.ts';
export { registryFileImport } from './import/registry-import-change.ts';
export { openLiveRegistries } from './live-registries.ts';
export { listLegalForms } from './operations/list-legal-forms.ts';
export { searchBusinesses } from './operations/search-businesses.ts';
export { findOtherForm, isFormOfCountry } from './registered-form.ts';
export type { RegistryEntry } from './registry-entry.ts';
export {
  type ArrivedCompany,
  admitCompanies,
  arrivedCompanies,
  COMPANY_COLUMN,
  copyCompaniesOut,
  findLastCompanyId,
  listMissingCompanies,
  listNamedCompanies,
  makeArrivedCompanies,
  markCompaniesOf,
  unusedCompanyId,
} from './relocated-company.queries.ts';
export type { IdentifiedCompany } from './same-company.rules.ts';
export { isNamed } from './same-name.rules.ts';
export {
  type ClaimedCompany,
  type CompanyCheck,
  REGISTRY_STATUSES,
  verifyCompany,
} from './verify-company.ts';
export { rebuildVocabulary } from './vocabulary-rebuild.queries.ts';
