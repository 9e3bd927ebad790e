/**
 * A folder of archived rows: parts that are written once, and a manifest that names each with its SHA-256. The manifest is
 * proven by the key of the platform, and replaced in one step, so that a run that is interrupted leaves the archive before it.
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

/** The rows of these positions. */
export interface ArchivedSegment {
  first: number;
  last: number;
  /** Positions behind the segment before this one that were deleted before they were archived; segments of earlier releases lack it. */
  missing?: Range[];
  files: ArchivedFile[];
}

export interface ArchiveManifest {
  format: 1;
  kind: 'events';
  platform: string;
  segments: ArchivedSegment[];
}

/** The rows of one file of a segment. */
export interface ArchivedTable {
  name: string;
  columns: readonly string[];
  rows: readonly Record<string, unknown>[];
}

const MANIFEST = 'manifest.json';

/** Null where the folder has none. Throws StartRefused for one of another platform or key. */
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

/** Writes the segment of these positions, in order, and the manifest with it. Returns this manifest. */
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

/** The file is there with all its bytes, or as it was before. */
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

/** A sentence for each file that is not as the manifest says. */
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

/** The ranges behind `after` that lack among the positions. */
function missingAmong(positions: readonly number[], after: number): Range[] {
  return positions.flatMap((position, nth): Range[] => {
    const before = positions[nth - 1] ?? after;
    return before === position - 1 ? [] : [[before + 1, position - 1]];
  });
}
