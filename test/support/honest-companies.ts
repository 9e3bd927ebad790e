/** Companies that get credit immediately: a registry or a tax office has each, and nothing speaks against the applicant. */
import type { LegalForm } from '#kernel/fields';
import type { RegistryEntry } from '#modules/registry';
import type { Claim, CreditCase } from './fraud-cases.ts';
import { NO_ADDRESS, registerId, registerNumber, registryEntry, vatId } from './registry-entry.ts';

interface Honest {
  name: string;
  legalName: string;
  form: LegalForm;
  /** The legal form as the registry writes it. */
  formText: string | null;
  country?: string;
  postcode?: string;
  entry?: Partial<RegistryEntry>;
  claim?: Partial<Claim>;
}

const YEAR_2008 = 1_199_145_600;
let made = 0;

function honest({
  name,
  legalName,
  form,
  formText,
  country = 'DE',
  postcode = '10435',
  ...more
}: Honest): CreditCase {
  const number = registerId(registerNumber(7_000_000 + ++made, country), country);
  const address = { postcode, city: 'Stadt', country };
  const entry = registryEntry({
    registryKey: number.value,
    legalName,
    tradingName: null,
    legalForm: formText,
    address: { ...NO_ADDRESS, ...address },
    identifiers: [number],
    incorporatedAt: YEAR_2008,
    ...more.entry,
  });
  const claim: Claim = {
    legal_name: legalName,
    legal_form: form,
    business_identifiers: entry.identifiers,
    business_address: address,
    ...more.claim,
  };
  return { name, known: [entry], claims: [claim] };
}

const limited = (
  name: string,
  country: string,
  legalName: string,
  formText: string,
  postcode: string,
): CreditCase => honest({ name, country, legalName, form: 'LIMITED_COMPANY', formText, postcode });

const bistro = { legalName: 'Bistro am Kanal GmbH', form: 'LIMITED_COMPANY', formText: 'GmbH' } as const;

export const HONEST_COMPANIES: CreditCase[] = [
  limited('a GmbH', 'DE', 'Bistro am Kanal GmbH', 'GmbH', '10967'),
  limited(
    'an Austrian GmbH',
    'AT',
    'Tischlerei Brenner GmbH',
    'Gesellschaft mit beschränkter Haftung',
    '6020',
  ),
  limited('a Swiss GmbH', 'CH', 'Alpenblick Service GmbH', 'Gesellschaft mit beschränkter Haftung', '8001'),
  limited('a SARL', 'FR', 'Brasserie du Parc SARL', 'SARL', '69006'),
  limited('a B.V.', 'NL', 'De Gouden Lepel B.V.', 'Besloten Vennootschap', '3511 AZ'),
  limited('a sp. z o.o.', 'PL', 'Keramika Kraków sp. z o.o.', 'sp. z o.o.', '31-124'),
  limited('an S.r.l.', 'IT', 'Trattoria del Ponte S.r.l.', 'S.r.l.', '30122'),
  limited('an S.L.', 'ES', 'Pastelería Luna S.L.', 'Sociedad limitada', '28004'),
  limited('an ApS', 'DK', 'Havnens Bageri ApS', 'Anpartsselskab', '1050'),
  limited('a Ltd', 'GB', 'Invented Widgets Ltd', 'Private limited company', 'W1W 7LT'),
  honest({
    name: 'an LLP',
    country: 'GB',
    postcode: 'TR18 4BD',
    legalName: 'Harbour Tearooms LLP',
    form: 'PARTNERSHIP',
    formText: 'Limited liability partnership',
  }),
  honest({ name: 'a cooperative', legalName: 'Café Morgenrot eG', form: 'COOPERATIVE', formText: 'eG' }),
  honest({
    name: 'a public company',
    legalName: 'Nordwind Anlagen AG',
    form: 'PUBLIC_COMPANY',
    formText: 'Aktiengesellschaft',
  }),
  honest({
    name: 'a public body',
    legalName: 'Stadtwerke Musterstadt',
    form: 'GOVERNMENT',
    formText: 'Anstalt des öffentlichen Rechts',
  }),
  honest({ name: 'a partnership', legalName: 'Gebrüder Lang OHG', form: 'PARTNERSHIP', formText: 'OHG' }),
  honest({
    name: 'a sole trader with a free mail address',
    legalName: 'Jana Berger e.K.',
    form: 'SOLE_TRADER',
    formText: 'Einzelkaufmann',
    claim: { contact_email: 'jana.berger@gmx.de' },
  }),
  honest({
    ...bistro,
    name: 'a young company with a free mail address',
    entry: { incorporatedAt: 1_760_000_000 },
    claim: { contact_email: 'bistro.am.kanal@gmail.com' },
  }),
  honest({
    ...bistro,
    name: 'an address at the domain of the website',
    entry: { website: 'https://www.bistro-kanal.example/karte' },
    claim: { contact_email: 'kim@bistro-kanal.example' },
  }),
  honest({
    ...bistro,
    name: 'an address below the domain of the website',
    entry: { website: 'https://bistro-kanal.example' },
    claim: { contact_email: 'kim@mail.bistro-kanal.example' },
  }),
  honest({
    ...bistro,
    name: 'a small first order for a branch elsewhere',
    claim: {
      requested_amount: 200_000,
      delivery_address: { postcode: '20457', city: 'Hamburg', country: 'DE' },
    },
  }),
  honest({
    ...bistro,
    name: 'a first order near the limit to the company',
    claim: { requested_amount: 2_900_000 },
  }),
  honest({
    ...bistro,
    name: 'the name in capitals, without the legal form',
    claim: { legal_name: 'BISTRO AM KANAL' },
  }),
  honest({
    name: 'a name without its accents',
    legalName: 'Müller & Söhne GmbH',
    form: 'LIMITED_COMPANY',
    formText: 'GmbH',
    claim: { legal_name: 'Mueller und Soehne GmbH' },
  }),
  honest({
    ...bistro,
    name: 'a company that only a tax office has',
    formText: null,
    entry: { registry: 'VIES', identifiers: [vatId('DE136695976')], incorporatedAt: null },
  }),
];
