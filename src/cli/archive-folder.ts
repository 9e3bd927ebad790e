/**
 * A folder of archived rows: parts that are written once, and a manifest with the name and SHA-256 of each. The manifest is authenticated
 * with the platform's key and replaced atomically, so that an interrupted run leaves the previous archive intact.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformVault } from '#infra/secrets/vault';
import { csvTable } from '#kernel/csv';
import { StartRefused } from '#kernel/start-refused';

interface ArchivedFile {
  name: string;
  rows: number;
  bytes: number;
  sha256: string;
}

/** From the first position to the last. */
type Range = [first: number, last: number];

/** A part of the archive: the rows of these positions. */
export interface ArchivedSegment {
  first: number;
  last: number;
  /**
   * Positions between the previous segment and the end of this one that were deleted before they were archived. Segments of earlier
   * releases lack it.
   */
  missing?: Range[];
  files: ArchivedFile[];
}

export interface ArchiveManifest {
  format: 1;
  kind: 'events';
  platform: string;
  segments: ArchivedSegment[];
}

/** The rows in one file of a segment. */
export interface ArchivedTable {
  name: string;
  columns: readonly string[];
  rows: readonly Record<string, unknown>[];
}

const MANIFEST = 'manifest.json';

/** Reads the manifest; null if the folder has none. Throws StartRefused for a manifest of another platform or key. */
export async function readManifest(
  folder: string,
  platform: string,
  vault: PlatformVault,
): Promise<ArchiveManifest | null> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new StartRefused(`${join(folder, MANIFEST)} cannot be read: ${error.message}.`);
  });
  if (text === null) return null;
  const found = parsed(text);
  const proof = Buffer.from(found === undefined ? '' : found.proof, 'hex');
  const isProven =
    found !== undefined && proof.length === 32 && timingSafeEqual(proof, proofOf(found.manifest, vault));
  if (!isProven)
    throw new StartRefused(`${join(folder, MANIFEST)} is not the manifest of ${platform}, or was changed.`);
  return found.manifest;
}

/** The manifest of an archive that has nothing yet. */
export const emptyManifest = (platform: string): ArchiveManifest => ({
  format: 1,
  kind: 'events',
  platform,
  segments: [],
});

function parsed(text: string): { manifest: ArchiveManifest; proof: string } | undefined {
  try {
    const { proof, ...manifest } = JSON.parse(text) as ArchiveManifest & { proof?: unknown };
    return typeof proof === 'string' ? { manifest, proof } : undefined;
  } catch {
    return undefined;
  }
}

const proofOf = (manifest: ArchiveManifest, vault: PlatformVault): Buffer =>
  vault.mac('archive', JSON.stringify(manifest));

/** Writes a segment, with its positions in order, and the extended manifest. Returns that manifest. */
export async function addSegment(
  folder: string,
  manifest: ArchiveManifest,
  { positions, tables }: { positions: readonly number[]; tables: readonly ArchivedTable[] },
  vault: PlatformVault,
): Promise<ArchiveManifest> {
  const [first, last] = [positions[0] ?? 0, positions.at(-1) ?? 0];
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartRefused(`The folder ${folder} cannot be made: ${error.message}.`);
  });
  const files: ArchivedFile[] = [];
  for (const { name, columns, rows } of tables) {
    const bytes = Buffer.from(csvTable(columns, rows));
    const file = `${name}-${paddedOf(first)}-${paddedOf(last)}.csv`;
    await writeWhole(join(folder, file), bytes);
    files.push({ name: file, rows: rows.length, bytes: bytes.length, sha256: sha256Of(bytes) });
  }
  const missing = missingAmong(positions, manifest.segments.at(-1)?.last ?? 0);
  const extended = { ...manifest, segments: [...manifest.segments, { first, last, missing, files }] };
  const text = JSON.stringify({ ...extended, proof: proofOf(extended, vault).toString('hex') }, null, 2);
  await writeWhole(join(folder, MANIFEST), Buffer.from(`${text}\n`));
  return extended;
}

const paddedOf = (position: number) => String(position).padStart(12, '0');
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Writes the file atomically: afterwards it has all the bytes, or is unchanged. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.part`;
  const file = await open(unfinished, 'w', 0o600).catch((error: Error) => {
    throw new StartRefused(`${path} cannot be written: ${error.message}.`);
  });
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

/** A sentence for each file that is missing or differs from the manifest. */
export async function faultsOfFiles(folder: string, { segments }: ArchiveManifest): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, sha256 } of segments.flatMap(({ files }) => files)) {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (bytes === null) faults.push(`${name} is missing.`);
    else if (sha256Of(bytes) !== sha256) faults.push(`${name} was changed.`);
  }
  return faults;
}

/** A sentence for each range of positions that was deleted before it was archived. */
export function gapsOf({ segments }: ArchiveManifest): string[] {
  return segments.flatMap(({ first, missing }, nth) => {
    const ranges = missing ?? missingAmong([first], segments[nth - 1]?.last ?? 0);
    return ranges.map(([from, to]) => `Events ${from} to ${to} were deleted before they were archived.`);
  });
}

/** The ranges of positions after `after` that are missing from the list. */
function missingAmong(positions: readonly number[], after: number): Range[] {
  return positions.flatMap((position, nth): Range[] => {
    const before = positions[nth - 1] ?? after;
    return before === position - 1 ? [] : [[before + 1, position - 1]];
  });
}
