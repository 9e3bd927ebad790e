/**
 * The folder in which a platform moves: a file of rows for each table, the files of the platform, and a manifest with the name and SHA-256
 * of each, which is written last. The manifest is authenticated with the platform's key. Data that is sealed in the database stays sealed
 * here.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PlatformVault, Vault } from '#infra/secrets/vault';
import type { Environment } from '#kernel/api-key';
import { StartRefused } from '#kernel/start-refused';
import { writeWhole } from './archive-folder.ts';

export interface RelocatedFile {
  name: string;
  bytes: number;
  sha256: string;
}

/** The rows of a table. */
export interface RelocatedTable extends RelocatedFile {
  table: string;
  columns: string[];
  rows: number;
}

export interface RelocationManifest {
  format: 1;
  kind: 'platform';
  platform: string;
  platform_id: number;
  environment: Environment;
  /** The last migration of the database. */
  migration: string;
  /** In hexadecimal, wrapped by the master key as it is in the database. */
  data_key_wrapped: string;
  /** Unix seconds. */
  exported_at: number;
  tables: RelocatedTable[];
  companies: RelocatedTable;
  /** Ids of companies that rows refer to but the registry no longer has. */
  missing_companies: number[];
  /** The files that are stored outside the database, by their ids. */
  files: RelocatedFile[];
}

const MANIFEST = 'manifest.json';

/** Creates the folder. Throws StartRefused if it is not empty. */
export async function makeRelocationFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartRefused(`The folder ${folder} cannot be created: ${error.message}.`);
  });
  if ((await readdir(folder)).length > 0)
    throw new StartRefused(`The folder ${folder} is not empty: name a new one.`);
}

/** Writes a complete file and syncs it to the disk. */
export async function writeRelocated(
  folder: string,
  name: string,
  content: Readable,
): Promise<RelocatedFile> {
  const digest = digesting();
  const file = await open(join(folder, name), 'wx', 0o600);
  await pipeline(content, digest.stream, file.createWriteStream({ flush: true }));
  return { name, ...digest.result() };
}

/** Writes the manifest, the last file: a folder without it is incomplete. */
export async function writeRelocationManifest(
  folder: string,
  manifest: RelocationManifest,
  vault: PlatformVault,
): Promise<void> {
  const proof = proofOf(manifest, vault).toString('hex');
  const text = JSON.stringify({ ...manifest, proof }, null, 2);
  await writeWhole(join(folder, MANIFEST), Buffer.from(`${text}\n`));
}

/** Reads the manifest. Throws StartRefused if the folder is incomplete, belongs to another master key, or has an altered manifest. */
export async function readRelocationManifest(
  folder: string,
  vault: Vault,
): Promise<{ manifest: RelocationManifest; platformVault: PlatformVault }> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartRefused(
      error.code === 'ENOENT'
        ? `${folder} has no manifest: its export was interrupted, or it is not an export of a platform.`
        : `${path} cannot be read: ${error.message}.`,
    );
  });
  const changed = new StartRefused(`${path} was changed: export the platform again.`);
  let found: RelocationManifest & { proof: string };
  try {
    found = JSON.parse(text);
  } catch {
    throw changed;
  }
  const { proof, ...manifest } = found;
  const isOne =
    manifest.kind === 'platform' &&
    manifest.format === 1 &&
    [proof, manifest.platform, manifest.data_key_wrapped].every((each) => typeof each === 'string');
  if (!isOne) throw new StartRefused(`${path} is not the manifest of a platform.`);
  const platformVault = openedVault(manifest, vault);
  const given = Buffer.from(proof, 'hex');
  const expected = proofOf(manifest, platformVault);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw changed;
  return { manifest, platformVault };
}

function openedVault(
  { platform, data_key_wrapped: wrapped }: RelocationManifest,
  vault: Vault,
): PlatformVault {
  try {
    return vault.forPlatform(platform, Buffer.from(wrapped, 'hex'));
  } catch {
    throw new StartRefused(
      `${platform} was exported under another master key, or its manifest was changed: all cells have one master key.`,
    );
  }
}

const proofOf = (manifest: RelocationManifest, vault: PlatformVault) =>
  vault.mac('relocation', JSON.stringify(manifest));

export const filesOf = ({ tables, companies, files }: RelocationManifest): RelocatedFile[] => [
  ...tables,
  companies,
  ...files,
];

/** A sentence for each file that differs from the manifest. */
export async function faultsOfRelocated(folder: string, manifest: RelocationManifest): Promise<string[]> {
  const faults: string[] = [];
  for (const file of filesOf(manifest)) {
    const size = await stat(join(folder, file.name)).then(
      (found) => found.size,
      () => null,
    );
    if (size === null) faults.push(`${file.name} is missing.`);
    else if (size < file.bytes) faults.push(`${file.name} is truncated.`);
    else if (!(await isAsWritten(folder, file))) faults.push(`${file.name} was changed.`);
  }
  return faults;
}

async function isAsWritten(folder: string, { name, sha256 }: RelocatedFile): Promise<boolean> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, name)), hash);
  return hash.digest('hex') === sha256;
}

/** The content of a file. Fails at its end with a StartRefused if its hash differs from the manifest. */
export function readRelocated(folder: string, { name, sha256 }: RelocatedFile): Readable {
  const digest = digesting(() => {
    if (digest.result().sha256 !== sha256)
      throw new StartRefused(`${name} was changed while it was imported.`);
  });
  const source = createReadStream(join(folder, name));
  source.on('error', (error) => digest.stream.destroy(error));
  return source.pipe(digest.stream);
}

/** Passes bytes through and hashes them. */
function digesting(atEnd: () => void = () => {}) {
  const hash = createHash('sha256');
  let bytes = 0;
  let sha256 = '';
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      sha256 = hash.digest('hex');
      try {
        atEnd();
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  return { stream, result: () => ({ bytes, sha256 }) };
}
