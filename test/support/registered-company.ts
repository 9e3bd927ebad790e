/** Honest companies: the stored registry has each under its own number, with the name that the buyer gives. */
import { createHash } from 'node:crypto';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { LegalForm } from '#kernel/fields';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { NO_ADDRESS, registerId, registerNumber, registryEntry } from './registry-entry.ts';
import type { World } from './world.ts';

/** The registry's data of a company, by the names of a buyer's fields. */
export interface RegisteredFields {
  external_id: string;
  legal_name: string;
  legal_form: LegalForm;
  business_address: { country: string };
  incorporated_at?: number | null;
  business_identifiers?: readonly BusinessIdentifier[];
}

/** Legal forms as the German registry writes them. */
const FORM_TEXTS: Readonly<Record<LegalForm, string | null>> = {
  LIMITED_COMPANY: 'GmbH',
  SOLE_TRADER: 'Einzelunternehmen',
  PARTNERSHIP: 'OHG',
  PUBLIC_COMPANY: 'AG',
  COOPERATIVE: 'eG',
  GOVERNMENT: 'Anstalt des öffentlichen Rechts',
  OTHER: null,
};

/** Stores the company of a buyer's body in the registry. Returns the body with the company's number. */
export async function registeredCompany<T extends RegisteredFields>(
  world: Pick<World, 'installation' | 'clock'>,
  body: T,
  more: Partial<RegistryEntry> = {},
): Promise<T & { business_identifiers: BusinessIdentifier[] }> {
  const { external_id, legal_name, legal_form, business_address, incorporated_at } = body;
  const identifiers = [
    ...(body.business_identifiers ?? [
      registerId(numberOf(external_id, business_address.country), business_address.country),
    ]),
  ];
  const entry = registryEntry({
    registryKey: external_id,
    legalName: legal_name,
    tradingName: null,
    legalForm: FORM_TEXTS[legal_form],
    address: { ...NO_ADDRESS, ...business_address },
    identifiers,
    incorporatedAt: incorporated_at ?? null,
    ...more,
  });
  await writeCompanies(world.installation.db, [entry], world.clock.now());
  return { ...body, business_identifiers: identifiers };
}

const numbers = new Map<string, number>();
const taken = new Set<number>();

/** A trade register number that is unique to the external_id in this process, and always the same for it. */
function numberOf(externalId: string, country: string): string {
  let number = numbers.get(externalId);
  if (number === undefined) {
    number = createHash('sha256').update(externalId).digest().readUInt32BE() % 9_000_000;
    // Among thousands of hashes, two collide, and a number of two companies identifies neither.
    while (taken.has(number)) number = (number + 1) % 9_000_000;
    taken.add(number);
    numbers.set(externalId, number);
  }
  return registerNumber(1_000_000 + number, country);
}
