/** Whose domain an e-mail address is at. It is evidence of who speaks for a company, so doubt never counts as proof. */
import { domainToASCII } from 'node:url';
import { stripLegalForm } from '#modules/registry';
import { isFreeMail } from './free-mail.ts';

export const EMAIL_DOMAINS = ['OWN_OF_COMPANY', 'FREE_MAIL', 'OTHER'] as const;
export type EmailDomain = (typeof EMAIL_DOMAINS)[number];

/** What is known of the company, from elsewhere than the applicant. */
export interface DomainEvidence {
  legalName: string;
  /** ISO 3166-1 alpha-2, of the registered seat. */
  country: string;
  /** From a registry. */
  website: string | null;
  /** Addresses that the platform stored when it already knew the company. */
  emailsOnFile?: readonly string[];
}

/**
 * OWN_OF_COMPANY is the domain of the website that a registry has, of an address on file, or, without a website, the
 * company's name under the top level of its country. Lookalikes are OTHER: another letter, script or top level.
 */
export function emailDomainOf(
  email: string,
  { legalName, country, website, emailsOnFile = [] }: DomainEvidence,
): EmailDomain {
  const domain = domainOf(email);
  if (domain === null) return 'OTHER';
  if (isFreeMail(domain)) return 'FREE_MAIL';
  const site = website === null ? null : siteOf(website);
  const known = [site, ...emailsOnFile.map(domainOf)].filter((each) => each !== null);
  if (known.some((each) => isWithin(domain, each))) return 'OWN_OF_COMPANY';
  const isNamedAfter = site === null && domainsNamedAfter(legalName, country).includes(domain);
  return isNamedAfter ? 'OWN_OF_COMPANY' : 'OTHER';
}

/** In lower-case ASCII, so that letters of other scripts are never equal. Null if there is none. */
export function domainOf(email: string): string | null {
  const at = email.lastIndexOf('@');
  return at < 1 ? null : asciiHost(email.slice(at + 1));
}

function siteOf(website: string): string | null {
  if (!URL.canParse(website)) return null;
  return asciiHost(new URL(website).hostname.replace(/^www\./, ''));
}

function asciiHost(host: string): string | null {
  const ascii = domainToASCII(host.trim()).toLowerCase().replace(/\.$/, '');
  return ascii.includes('.') ? ascii : null;
}

/**
 * The domain itself or one below it. The one above is another's for websites at a host of many (acme.host.example), and
 * no list of such hosts is complete.
 */
const isWithin = (domain: string, own: string) => domain === own || domain.endsWith(`.${own}`);

/** Countries whose companies use another top level than the country's code, or others beside it. */
const TOP_LEVELS: Readonly<Record<string, readonly string[]>> = {
  AU: ['com.au', 'au'],
  GB: ['co.uk', 'uk'],
  JP: ['co.jp', 'jp'],
  NZ: ['co.nz', 'nz'],
  PL: ['pl', 'com.pl'],
  TR: ['com.tr', 'tr'],
  UA: ['ua', 'com.ua'],
  US: ['com', 'us'],
};

/** Where ü is written ue in a domain; elsewhere it loses its dots. */
const WITH_UMLAUTS = new Set(['AT', 'CH', 'DE', 'LI', 'LU']);
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
/** A shorter name is an abbreviation that many share. */
const NAME_LENGTH_MIN = 4;

/** `nordlicht-energie.de` and `nordlichtenergie.de` for Nordlicht Energie AG. None for a name that ASCII cannot write. */
function domainsNamedAfter(legalName: string, country: string): string[] {
  const parts = plainPartsOf(stripLegalForm(legalName, country).stem, country);
  if (parts === null || parts.join('').length < NAME_LENGTH_MIN) return [];
  const tops = TOP_LEVELS[country] ?? [country.toLowerCase()];
  return tops.flatMap((top) => [`${parts.join('-')}.${top}`, `${parts.join('')}.${top}`]);
}

function plainPartsOf(name: string, country: string): string[] | null {
  const lower = name.normalize('NFC').toLowerCase().replaceAll('ß', 'ss').replaceAll(/['’]/g, '');
  const written = WITH_UMLAUTS.has(country)
    ? lower.replaceAll(/[äöü]/g, (umlaut) => UMLAUTS[umlaut] ?? '')
    : lower;
  const plain = written.normalize('NFD').replaceAll(/\p{M}/gu, '');
  if (/[^\p{ASCII}]/u.test(plain.replaceAll(/[^\p{L}\p{N}]/gu, ''))) return null;
  return plain.split(/[^a-z0-9]+/).filter((part) => part !== '');
}
