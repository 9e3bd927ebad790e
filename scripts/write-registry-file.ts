/** Writes invented companies as a registry CSV: docs/reference/registry-csv.md. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RegistryEntry } from '#modules/registry';
import { inventCompanies } from './invent-companies.ts';

const COLUMNS: Record<string, (company: RegistryEntry) => string | null> = {
  registry: ({ registry }) => registry,
  registry_key: ({ registryKey }) => registryKey,
  country: ({ address }) => address.country,
  legal_name: ({ legalName }) => legalName,
  trading_name: ({ tradingName }) => tradingName,
  street: ({ address }) => address.street,
  house: ({ address }) => address.house,
  postcode: ({ address }) => address.postcode,
  city: ({ address }) => address.city,
  // Invented VAT ids do not have the format of their country, so the import would refuse them.
  tax_id: ({ identifiers }) => identifiers.find(({ type }) => type === 'VAT_ID')?.value ?? null,
  register_id: ({ identifiers }) => identifiers.find(({ type }) => type === 'REGISTER_ID')?.value ?? null,
  incorporated_on: ({ incorporatedAt }) =>
    incorporatedAt === null ? null : new Date(incorporatedAt * 1_000).toISOString().slice(0, 10),
  status: ({ isActive }) => (isActive ? 'ACTIVE' : 'INACTIVE'),
};

const LINES_AT_ONCE = 1_000;

/** The companies that scripts/generate-registry.ts writes for the same seed, in the same order. */
export async function writeRegistryFile(
  path: string,
  { count, seed }: { count: number; seed: number },
): Promise<void> {
  await pipeline(Readable.from(texts(seed, count)), createWriteStream(path));
}

function* texts(seed: number, count: number): Generator<string> {
  const readers = Object.values(COLUMNS);
  let lines = [Object.keys(COLUMNS).join(',')];
  for (const company of inventCompanies(seed, count)) {
    lines.push(readers.map((read) => quoted(read(company) ?? '')).join(','));
    if (lines.length < LINES_AT_ONCE) continue;
    yield `${lines.join('\n')}\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
