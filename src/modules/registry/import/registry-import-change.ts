/**
 * The import of a registry's file as a change by operators. Credit is granted to companies of the registry, so a forged
 * file would raise what can be owed on every platform. Two operators therefore approve the content by its hash. The format
 * does not prove the source, so files in the format of a public registry are no exception.
 */
import type { ChangeKind } from '#modules/operators';
import { mayDecide } from '#modules/operators';
import type { NamedRegistryFile } from './import-registry.ts';

export type ApprovedRegistryFile = Omit<NamedRegistryFile, 'isImported'>;

/** The approval imports nothing. It permits one `registry import` of a file with this hash. */
export const registryFileImport: ChangeKind<ApprovedRegistryFile> = {
  name: 'REGISTRY_IMPORT',
  role: 'ADMIN',
  mayApprove: mayDecide,
  async plan(_, { file, format, sha256 }) {
    return {
      subject: `registry file ${file}`,
      before: null,
      after: { file, format, sha256 },
      takesTwo: true,
      apply: async () => {},
    };
  },
};
