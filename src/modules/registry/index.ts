export { type CompanyRow, writeCompanies } from './company.queries.ts';
export { ImportUnderWay } from './import/batch-writer.ts';
export { type ImportProgress, type ImportSummary, importRegister } from './import/import-register.ts';
export { FORMAT_NAMES, type FormatName } from './import/known-formats.ts';
export { countCompaniesByRegister, listImports } from './import/register-import.queries.ts';
export { listLegalForms } from './operations/list-legal-forms.ts';
export { searchBusinesses } from './operations/search-businesses.ts';
export type { RegisterEntry } from './register-entry.ts';
export { rebuildVocabulary } from './vocabulary-rebuild.queries.ts';
