export { type CompanyRow, writeCompanies } from './company.queries.ts';
export { findOrQueryByIdentifier, findOrQueryByName, type IdentifierSearch } from './find-or-query.ts';
export {
  type FollowedCompany,
  findRegisteredCompany,
  followCompanyChosen,
  followCompanyNamed,
  type RegisteredCompany,
  takeChanges,
  toRegistered,
} from './follow-company.ts';
export { hasChangedCompanies } from './followed.queries.ts';
export { isSameIdentifier } from './identifier.rules.ts';
export { ImportUnderWay } from './import/batch-writer.ts';
export { type ImportProgress, type ImportSummary, importRegistry } from './import/import-registry.ts';
export { FORMAT_NAMES, type FormatName } from './import/known-formats.ts';
export { countCompaniesByRegistry, listImports } from './import/registry-import.queries.ts';
export { type LiveRegistries, openLiveRegistries } from './live-registries.ts';
export { listLegalForms } from './operations/list-legal-forms.ts';
export { searchBusinesses } from './operations/search-businesses.ts';
export type { RegistryEntry } from './registry-entry.ts';
export { type IdentifierCheck, verifyIdentifiers } from './verify-identifiers.ts';
export { rebuildVocabulary } from './vocabulary-rebuild.queries.ts';
