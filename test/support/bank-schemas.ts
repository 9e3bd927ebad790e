/** Schemas of bank files: the part that the project knows, and the official ones where they lie beside the project. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { validateXML } from 'xmllint-wasm';

const OWN = fileURLToPath(new URL('../fixtures/pain.001.001.09.transfers.xsd', import.meta.url));
/** Their publishers give them to everybody, but not to be copied into other works. */
const OFFICIAL = ['pain.001.001.09.xsd', 'pain.001.001.09.sepa.xsd'].map((name) =>
  fileURLToPath(new URL(`../../../shared/data/${name}`, import.meta.url)),
);

/** What is wrong with pain.001 files by each schema that is there; empty if all are valid. */
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
