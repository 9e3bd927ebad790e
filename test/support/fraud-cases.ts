/** Companies that must not get credit without a person's decision, and honest ones for comparison, as data. */
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { LegalForm } from '#kernel/fields';
import type { RegistryEntry } from '#modules/registry';
import { germanVatId, NO_ADDRESS, registerId, registryEntry, vatId } from './registry-entry.ts';

/** The claims of an applicant. */
export interface Claim {
  legal_name: string;
  legal_form: LegalForm;
  business_identifiers: BusinessIdentifier[];
  business_address: { street?: string; postcode: string; city: string; country: string };
  incorporated_at?: number;
  contact_email?: string;
  delivery_address?: { postcode: string; city: string; country: string };
  /** Minor units; by default, as much as the policy allows. */
  requested_amount?: number;
}

export interface CreditCase {
  name: string;
  /** The entries in registries. */
  known: RegistryEntry[];
  /** Earlier, honest applications. */
  before?: Claim[];
  claims: Claim[];
  /** Why no credit is granted: the first reason of the decision, or of the refusal of the buyer. */
  because?: string;
}

const HUSUM = { postcode: '25813', city: 'Husum', country: 'DE' };
const ELSEWHERE = { postcode: '1012 AB', city: 'Amsterdam', country: 'NL' };
const YEAR_1995 = 788_918_400;

let made = 0;
/** A number that no other case has. */
const number = () => `HRB ${4_000_000 + ++made}`;

/** An established company of the registry. */
function known(more: Partial<RegistryEntry> = {}): RegistryEntry {
  const identifiers = more.identifiers ?? [registerId(number())];
  return registryEntry({
    registryKey: identifiers[0]?.value ?? '',
    legalName: 'Nordlicht Energie GmbH',
    tradingName: null,
    legalForm: 'GmbH',
    address: { ...NO_ADDRESS, ...HUSUM },
    incorporatedAt: YEAR_1995,
    website: 'https://www.nordlicht.example',
    ...more,
    identifiers,
  });
}

/** An applicant that claims to be this company, with other claims in `more`. */
function claim(company: RegistryEntry, more: Partial<Claim> = {}): Claim {
  return {
    legal_name: company.legalName,
    legal_form: 'LIMITED_COMPANY',
    business_identifiers: company.identifiers,
    business_address: HUSUM,
    ...more,
  };
}

/** A case about one company of the registry, with the given differences. */
function about(
  name: string,
  because: string,
  { company = {}, ...more }: Partial<Claim> & { company?: Partial<RegistryEntry> },
): CreditCase {
  const entry = known(company);
  return { name, because, known: [entry], claims: [claim(entry, more)] };
}

/** A case about a company that no registry has. */
function invented(name: string, because: string, more: Partial<Claim> = {}): CreditCase {
  const entry = known({ legalName: 'Ausgedacht Handel GmbH' });
  return { name, because, known: [], claims: [claim(entry, more)] };
}

const VALID_VAT = () => germanVatId(++made);

function stillKnownToTaxOffice(): CreditCase {
  const vat = VALID_VAT();
  const entry = known({ isActive: false, identifiers: [registerId(number()), vat] });
  const taxOffice = known({ registry: 'VIES', identifiers: [vat], legalForm: null, incorporatedAt: null });
  return {
    name: 'a dissolved company whose VAT id is still valid',
    because: 'COMPANY_DISSOLVED',
    known: [entry, taxOffice],
    claims: [claim(entry)],
  };
}

function namesakeAbroad(): CreditCase {
  const entry = known({
    legalName: 'Aurore Énergie SARL',
    legalForm: 'SARL',
    address: { ...NO_ADDRESS, postcode: '69003', city: 'Lyon', country: 'FR' },
    identifiers: [vatId('FR40303265045', 'FR')],
  });
  return {
    name: 'a company that shows the number of its namesake in another country',
    because: 'NAME_MISMATCH',
    known: [entry],
    claims: [claim(entry, { legal_name: 'Aurore Energie GmbH' })],
  };
}

function fiveDomains(): CreditCase {
  const entry = known();
  const claims = ['a', 'b', 'c', 'd', 'e'].map((each) =>
    claim(entry, { contact_email: `buying@${each}-trade.example` }),
  );
  return {
    name: 'five applications for one company from five domains',
    because: 'UNKNOWN_EMAIL_DOMAIN',
    known: [entry],
    claims,
  };
}

function secondApplicant(): CreditCase {
  const entry = known({ incorporatedAt: null });
  return {
    name: 'a second applicant, with a free mail address, after one of the company',
    because: 'SEVERAL_EMAIL_DOMAINS',
    known: [entry],
    before: [claim(entry, { contact_email: 'office@nordlicht.example' })],
    claims: [claim(entry, { contact_email: 'nordlicht.energie@gmail.com' })],
  };
}

function numberOfAnother(): CreditCase {
  const other = known({ legalName: 'Backstube Sommer GmbH' });
  const famous = known();
  return {
    name: 'a company with the name of another and the number of a third',
    because: 'NAME_MISMATCH',
    known: [other, famous],
    claims: [claim(famous, { business_identifiers: other.identifiers })],
  };
}

/** Each call is about another company. */
export function firstOrderNearLimit(): CreditCase {
  return about('a first order near the limit to another country', 'FIRST_ORDER_NEAR_LIMIT', {
    delivery_address: ELSEWHERE,
    requested_amount: 2_900_000,
  });
}

export const FRAUD_CASES: CreditCase[] = [
  invented('an invented ministry', 'NOTHING_VERIFIED', {
    legal_name: 'Ministerium für erfundene Angelegenheiten',
    legal_form: 'GOVERNMENT',
    business_identifiers: [VALID_VAT()],
  }),
  invented('an invented public company', 'NOTHING_VERIFIED', {
    legal_name: 'Ausgedacht Holding AG',
    legal_form: 'PUBLIC_COMPANY',
  }),
  invented('an unknown GmbH', 'NOTHING_VERIFIED'),
  invented('an unknown GmbH that calls itself a century old', 'NOTHING_VERIFIED', { incorporated_at: 0 }),
  invented('a company without a number', 'NO_IDENTIFIERS', { business_identifiers: [] }),
  invented('a company with the number of an agency only', 'NO_IDENTIFIERS', {
    business_identifiers: [{ type: 'AGENCY1_ID', value: '4711', country: 'DE' }],
  }),
  invented('the name of a known company with a number of nobody', 'NOTHING_VERIFIED', {
    legal_name: 'Nordlicht Energie GmbH',
  }),
  about('a dissolved company', 'COMPANY_DISSOLVED', { company: { isActive: false } }),
  about('a company that is wound up', 'COMPANY_IN_LIQUIDATION', { company: { isInLiquidation: true } }),
  stillKnownToTaxOffice(),
  about('a dormant company, revived by a new address', 'UNKNOWN_EMAIL_DOMAIN', {
    company: { website: null, incorporatedAt: 0 },
    contact_email: 'office@nordlicht-neu.example',
  }),
  about('a dormant company, revived by a free mail address', 'FREE_MAIL_ADDRESS', {
    company: { website: null, incorporatedAt: 0 },
    contact_email: 'nordlicht.energie@gmx.de',
  }),
  about('the right number with a wrong name', 'NAME_MISMATCH', { legal_name: 'Sonnenschein Handel GmbH' }),
  numberOfAnother(),
  about('a name with a Cyrillic letter', 'NAME_MISMATCH', { legal_name: 'Nоrdlicht Energie GmbH' }),
  about('a name with a bidirectional control', 'INVALID_VALUE', {
    legal_name: 'Nordlicht\u202eEnergie GmbH',
  }),
  about('a domain with one other letter', 'UNKNOWN_EMAIL_DOMAIN', { contact_email: 'kim@nordl1cht.example' }),
  about('a domain with another top level', 'UNKNOWN_EMAIL_DOMAIN', { contact_email: 'kim@nordlicht.com' }),
  about('a domain with a Cyrillic letter', 'UNKNOWN_EMAIL_DOMAIN', {
    contact_email: 'kim@xn--nrdlicht-3fh.example',
  }),
  about('a real company with a free mail address and a delivery elsewhere', 'FREE_MAIL_ADDRESS', {
    contact_email: 'einkauf.nordlicht@gmail.com',
    delivery_address: ELSEWHERE,
  }),
  firstOrderNearLimit(),
  fiveDomains(),
  secondApplicant(),
  namesakeAbroad(),
  about('a GmbH that calls itself a public body', 'LEGAL_FORM_MISMATCH', { legal_form: 'GOVERNMENT' }),
];
