/** The audit entry of the import of a registry file. */
import type { AuditRecord } from '#modules/operators';
import type { ImportSummary, NamedRegistryFile } from '#modules/registry';

type ImportedFile = Pick<NamedRegistryFile, 'file' | 'format' | 'sha256'>;

/** Without a summary, the entry records the beginning of the import. */
export function registryImportRecord(
  { file, format, sha256, approval_id }: ImportedFile & { approval_id?: string },
  reason: string,
  summary: ImportSummary | null,
): AuditRecord {
  return {
    action: actionOf(summary),
    subject: `registry file ${file}`,
    reason,
    details: {
      ...{ format, sha256 },
      ...(approval_id !== undefined && { approval_id }),
      ...(summary && {
        registries: summary.registries,
        records_read: summary.recordsRead,
        companies_written: summary.companiesWritten,
        records_refused: summary.recordsRefused,
      }),
    },
  };
}

function actionOf(summary: ImportSummary | null): string {
  if (summary === null) return 'REGISTRY_IMPORT_BEGUN';
  return summary.outcome === 'STOPPED' ? 'REGISTRY_IMPORT_STOPPED' : 'REGISTRY_IMPORTED';
}
