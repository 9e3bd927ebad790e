/** Normalizes an identifier to the keys by which it is found. */
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { isVatIdFormat } from '#kernel/vat-id';

/** Characters that only group: all but letters, digits and the two signs of old Irish VAT numbers. */
const GROUPING = /[^\p{L}\p{N}+*]/gu;

/** Country prefixes of numbers, the longer one first. */
const PREFIXES: Record<string, readonly string[]> = {
  CH: ['CHE', 'CH'],
  GB: ['XI', 'GB', 'UK'],
  GR: ['EL', 'GR'],
};

/** Labels before a number: the name of the registry or of the number. */
const LABELS: Record<string, RegExp> = {
  AT: /^(FIRMENBUCH(NUMMER)?|FN)(?=\d)/,
  BE: /^(TVA|BTW|BCE|KBO|RPR|RPM)(?=[\dB])/,
  CH: /^(UID|IDE|IDI)(?=[\dC])/,
  CZ: /^(IČO|ICO|IČ|IC|DIČ|DIC)(?=[\dC])/,
  DE: /^(USTIDNR|USTID|UID)(?=[\dD])/,
  DK: /^(CVR(NR)?|SE)(?=\d)/,
  ES: /^(CIF|NIF)(?=[\dA-Z])/,
  FI: /^(YTUNNUS|FO)(?=\d)/,
  FR: /^(SIREN|SIRET|RCS|TVA)(?=[\dF])/,
  GB: /^(COMPANYN(UMBER|O)|CRN|VAT(REG)?(NO)?)(?=[\dA-Z])/,
  IT: /^(PARTITAIVA|PIVA|REA|CF)(?=[\dA-Z])/,
  LU: /^(RCSL(UXEMBOURG)?|RCS|TVA)(?=[\dBL])/,
  NL: /^(KVK(NR|NUMMER)?|BTW)(?=[\dN])/,
  NO: /^(ORG(NR|ANISASJONSNUMMER)|ORG)(?=\d)/,
  PL: /^(KRS|NIP|REGON)(?=[\dP])/,
  PT: /^(NIPC|NIF)(?=[\dP])/,
  RO: /^(CUI|CIF)(?=[\dR])/,
  SE: /^(ORG(NR|ANISATIONSNUMMER)|ORG|MOMS)(?=[\dS])/,
  SK: /^(IČO|ICO|DIČ|IČDPH)(?=[\dS])/,
};

/** Suffixes that only say that the owner charges VAT. */
const TAILS: Record<string, RegExp> = {
  CH: /(?<=\d)(MWST|TVA|IVA|HR|RC)$/,
  NO: /(?<=\d)MVA$/,
};

/** The number without what registries add: the court in Germany, the city in France. */
const CORES: Record<string, RegExp> = {
  DE: /(HRA|HRB|GNR|GSR|PR|VR)(\d{1,7})/,
  FR: /(\d{9})$/,
};

/** The key by which to look up an identifier, made from the whole value. */
export function identifierKeyOf({ type, value, country }: BusinessIdentifier): string {
  const bare = value.normalize('NFKC').toUpperCase().replaceAll(GROUPING, '');
  const named = bare.replace(LABELS[country] ?? /^$/, '').replace(TAILS[country] ?? /^$/, '');
  // Leading zeros are optional: 00012345 is 12345, SC001234 is SC1234.
  return withoutCountry(named, type, country).replace(/^(\D*)0+(?=\d)/, '$1');
}

/** All keys to store for a company's value, the whole one first. */
export function identifierKeysOf(identifier: BusinessIdentifier): string[] {
  const whole = identifierKeyOf(identifier);
  const core = identifier.type === 'REGISTER_ID' ? CORES[identifier.country]?.exec(whole) : null;
  const parts = core
    ? [
        core
          .slice(1)
          .join('')
          .replace(/^(\D*)0+(?=\d)/, '$1'),
      ]
    : [];
  return [...new Set([whole, ...parts])].filter((key) => key !== '');
}

/** Whether both values are the same number in different spellings. */
export function isSameIdentifier(one: BusinessIdentifier, other: BusinessIdentifier): boolean {
  if (one.type !== other.type || one.country !== other.country) return false;
  const keys = identifierKeysOf(one);
  return identifierKeysOf(other).some((key) => keys.includes(key));
}

function withoutCountry(bare: string, type: BusinessIdentifier['type'], country: string): string {
  const prefixes = PREFIXES[country] ?? [country];
  const prefix = prefixes.find((each) => bare.startsWith(each) && bare.length > each.length);
  if (prefix === undefined) return bare;
  // A French number may itself begin with FR: if it is complete as written, the letters belong to it.
  const isWhole = type === 'VAT_ID' && country === 'FR' && isVatIdFormat(`${prefix}${bare}`, country);
  return isWhole ? bare : bare.slice(prefix.length);
}
