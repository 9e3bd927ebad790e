/** Classifies the domain of an e-mail address. It is evidence of who speaks for a company, so doubt never counts as proof. */
import { domainToASCII } from 'node:url';
import { isFreeMail } from './free-mail.ts';

export const EMAIL_DOMAINS = ['OWN_OF_COMPANY', 'FREE_MAIL', 'OTHER'] as const;
export type EmailDomain = (typeof EMAIL_DOMAINS)[number];

/** What is known about the company from sources other than the applicant. */
export interface DomainEvidence {
  /** The company's website, from a registry. */
  website: string | null;
  /** Addresses that the platform stored when it already knew the company. */
  emailsOnFile?: readonly string[];
}

/**
 * OWN_OF_COMPANY is the domain of the website that a registry has, or of an address on file. A domain that only resembles
 * the company's name is OTHER: anyone can register one.
 */
export function emailDomainOf(email: string, { website, emailsOnFile = [] }: DomainEvidence): EmailDomain {
  const domain = domainOf(email);
  if (domain === null) return 'OTHER';
  if (isFreeMail(domain)) return 'FREE_MAIL';
  const site = website === null ? null : siteOf(website);
  const known = [site, ...emailsOnFile.map(domainOf)].filter((each) => each !== null);
  return known.some((each) => isWithin(domain, each)) ? 'OWN_OF_COMPANY' : 'OTHER';
}

/** The domain in lower-case ASCII, so that letters of other scripts are never equal. Null if the address has none. */
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
 * Whether it is the domain itself or a subdomain. A parent domain does not count: the website can be at a shared host
 * (acme.host.example), and no list of such hosts is complete.
 */
const isWithin = (domain: string, own: string) => domain === own || domain.endsWith(`.${own}`);
