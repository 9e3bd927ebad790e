/** Schemas of bank files: the project's own partial ones, and the official ones if they exist next to the project. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { validateXML } from 'xmllint-wasm';

const OWN = fileURLToPath(new URL('../fixtures/pain.001.001.09.transfers.xsd', import.meta.url));
/** Their publishers provide them to everyone, but do not allow copies in other works. */
const OFFICIAL = ['pain.001.001.09.xsd', 'pain.001.001.09.sepa.xsd'].map((name) =>
  fileURLToPath(new URL(`../../../shared/data/${name}`, import.meta.url)),
);

/** The faults of pain.001 files by each available schema; empty if all are valid. */
export async function transferFaults(...files: readonly string[]): Promise<string[]> {
  const schemas = [OWN, ...OFFICIAL.filter((path) => existsSync(path))];
  const results = await Promise.all(
    schemas.map((path) =>
      validateXML({
        xml: files.map((contents, index) => ({ fileName: `payouts-${index}.xml`, contents })),
        schema: [{ fileName: 'schema.xsd', contents: readFileSync(path, 'utf8') }],
      }),
    ),
  );
  return results.flatMap(({ errors }) => errors.map(({ message }) => message));
}
