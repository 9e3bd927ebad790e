export { type CompanyRow, writeCompanies } from './company.queries.ts';
export { findOrAskByIdentifier, findOrAskByName, type IdentifierSearch } from './find-or-ask.ts';
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
export { type ImportProgress, type ImportSummary, importRegister } from './import/import-register.ts';
export { FORMAT_NAMES, type FormatName } from './import/known-formats.ts';
export { countCompaniesByRegister, listImports } from './import/register-import.queries.ts';
export { type LiveRegisters, openLiveRegisters } from './live-registers.ts';
export { listLegalForms } from './operations/list-legal-forms.ts';
export { searchBusinesses } from './operations/search-businesses.ts';
export type { RegisterEntry } from './register-entry.ts';
export { type IdentifierCheck, verifyIdentifiers } from './verify-identifiers.ts';
export { rebuildVocabulary } from './vocabulary-rebuild.queries.ts';
