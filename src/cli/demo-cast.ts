/** The companies, people and drafts of the demo. All are invented; domains end in .example. */
import type { Static } from 'typebox';
import type { BuyerCreation, BuyerSettingsReplacement, ContactCreation } from '#modules/buyers';
import type { FacilityCreation } from '#modules/facilities';
import type { MandateCreation } from '#modules/mandates';
import type { MerchantCreation } from '#modules/merchants';
import type { DraftOrderCreation } from '#modules/orders';

type On<Body> = Body & { daysAgo: number };

export const merchants: On<Static<typeof MerchantCreation>>[] = [
  {
    daysAgo: 200,
    external_id: 'roastery-north',
    legal_name: 'Nordlicht Kaffeerösterei GmbH',
    trading_name: 'Nordlicht',
    legal_form: 'LIMITED_COMPANY',
    business_identifiers: [{ type: 'VAT_ID', value: 'DE811907980', country: 'DE' }],
    business_address: {
      street: 'Am Sandtorkai',
      house: '30',
      postcode: '20457',
      city: 'Hamburg',
      country: 'DE',
    },
    contact_emails: ['sales@nordlicht.example'],
  },
  {
    daysAgo: 180,
    external_id: 'fromagerie-alpes',
    legal_name: 'Fromagerie des Alpes SAS',
    legal_form: 'LIMITED_COMPANY',
    business_identifiers: [{ type: 'VAT_ID', value: 'FR83404833048', country: 'FR' }],
    business_address: {
      street: 'Quai du Hâble',
      house: '4',
      postcode: '74000',
      city: 'Annecy',
      country: 'FR',
    },
    contact_emails: ['commandes@fromagerie-alpes.example'],
  },
  {
    daysAgo: 150,
    external_id: 'keramika-krakow',
    legal_name: 'Keramika Kraków sp. z o.o.',
    legal_form: 'LIMITED_COMPANY',
    business_identifiers: [{ type: 'VAT_ID', value: 'PL5260001246', country: 'PL' }],
    business_address: {
      street: 'ul. Dolnych Młynów',
      house: '10',
      postcode: '31-124',
      city: 'Kraków',
      country: 'PL',
    },
    contact_emails: ['biuro@keramika.example'],
  },
];

type NewBuyer = Static<typeof BuyerCreation>;

interface CastBuyer extends On<NewBuyer> {
  legal_name: NonNullable<NewBuyer['legal_name']>;
  business_address: NonNullable<NewBuyer['business_address']>;
  /** Created by its first identifier only; the demo registry supplies the rest. */
  isFromRegistry?: true;
}

export const buyers: CastBuyer[] = [
  {
    daysAgo: 120,
    isFromRegistry: true,
    external_id: 'cafe-morgenrot',
    legal_name: 'Café Morgenrot eG',
    trading_name: 'Café Morgenrot',
    legal_form: 'COOPERATIVE',
    incorporated_at: 1_041_379_200,
    business_identifiers: [
      { type: 'VAT_ID', value: 'DE136695976', country: 'DE' },
      { type: 'REGISTER_ID', value: 'GnR 487 B Berlin (Charlottenburg)', country: 'DE' },
    ],
    business_address: {
      street: 'Kastanienallee',
      house: '85',
      postcode: '10435',
      city: 'Berlin',
      country: 'DE',
    },
    delivery_address: {
      street: 'Kastanienallee',
      house: '85',
      additional: 'Hinterhof',
      postcode: '10435',
      city: 'Berlin',
      country: 'DE',
    },
    custom_data: { segment: 'gastronomy', account_manager: 'north' },
  },
  {
    daysAgo: 95,
    external_id: 'brasserie-du-parc',
    legal_name: 'Brasserie du Parc SARL',
    legal_form: 'LIMITED_COMPANY',
    incorporated_at: 1_262_304_000,
    business_identifiers: [{ type: 'VAT_ID', value: 'FR40303265045', country: 'FR' }],
    business_address: { street: 'Avenue Foch', house: '12', postcode: '69006', city: 'Lyon', country: 'FR' },
  },
  {
    daysAgo: 88,
    external_id: 'de-gouden-lepel',
    legal_name: 'De Gouden Lepel B.V.',
    legal_form: 'LIMITED_COMPANY',
    business_identifiers: [{ type: 'VAT_ID', value: 'NL853746333B01', country: 'NL' }],
    business_address: {
      street: 'Oudegracht',
      house: '158',
      postcode: '3511 AZ',
      city: 'Utrecht',
      country: 'NL',
    },
  },
  {
    daysAgo: 60,
    external_id: 'pierogarnia-pod-aniolem',
    legal_name: 'Jadwiga Wiśniewska Pierogarnia Pod Aniołem',
    trading_name: 'Pod Aniołem',
    legal_form: 'SOLE_TRADER',
    business_identifiers: [{ type: 'TAX_ID', value: '5250005834', country: 'PL' }],
    business_address: {
      street: 'ul. Grodzka',
      house: '35',
      postcode: '31-001',
      city: 'Kraków',
      country: 'PL',
    },
  },
  {
    daysAgo: 31,
    external_id: 'harbour-tearooms',
    legal_name: 'Harbour Tearooms LLP',
    legal_form: 'PARTNERSHIP',
    business_identifiers: [{ type: 'VAT_ID', value: 'GB980780684', country: 'GB' }],
    business_address: {
      street: 'Quay Street',
      house: '3',
      postcode: 'TR18 4BD',
      city: 'Penzance',
      country: 'GB',
    },
  },
  {
    daysAgo: 9,
    external_id: 'trattoria-del-ponte',
    legal_name: 'Trattoria del Ponte S.r.l.',
    legal_form: 'LIMITED_COMPANY',
    business_identifiers: [{ type: 'VAT_ID', value: 'IT00743110157', country: 'IT' }],
    business_address: {
      street: 'Fondamenta San Lorenzo',
      house: '5063',
      postcode: '30122',
      city: 'Venezia',
      country: 'IT',
    },
  },
];

/** Buyers known by e-mail address only. The checkout collects the rest. */
export const invited: On<NewBuyer>[] = [
  { daysAgo: 0, external_id: 'pasteleria-luna', contact_email: 'compras@pasteleria-luna.example' },
];

/** The IBAN is the example IBAN of German banks. */
export const mandates: (On<Static<typeof MandateCreation>> & { buyer: string })[] = [
  { daysAgo: 39, buyer: 'cafe-morgenrot', reference: 'MORGENROT-1', iban: 'DE89 3704 0044 0532 0130 00' },
];

export const contacts: On<Static<typeof ContactCreation>>[] = [
  {
    daysAgo: 119,
    external_id: 'cafe-morgenrot-accounting',
    buyer_external_id: 'cafe-morgenrot',
    assign_to_all_invoices: true,
    salutation: 'MS',
    first_name: 'Ines',
    last_name: 'Albrecht',
    email: 'buchhaltung@morgenrot.example',
    phone: '+493044034060',
  },
  {
    daysAgo: 94,
    external_id: 'brasserie-du-parc-chef',
    buyer_external_id: 'brasserie-du-parc',
    salutation: 'MR',
    first_name: 'Étienne',
    last_name: 'Garnier',
    email: 'e.garnier@duparc.example',
  },
];

export const settings: On<Static<typeof BuyerSettingsReplacement> & { external_id: string }>[] = [
  { daysAgo: 118, external_id: 'cafe-morgenrot', language: 'DE', formality: 'INFORMAL' },
  { daysAgo: 94, external_id: 'brasserie-du-parc', language: 'FR', formality: 'FORMAL' },
];

export const facilities: On<Static<typeof FacilityCreation> & { external_id: string }>[] = [
  { daysAgo: 40, external_id: 'cafe-morgenrot', requested_amount: 2_000_000 },
  { daysAgo: 33, external_id: 'brasserie-du-parc' },
  // More than the policy grants without a review.
  { daysAgo: 28, external_id: 'de-gouden-lepel', requested_amount: 50_000_000 },
  { daysAgo: 14, external_id: 'harbour-tearooms', currency: 'GBP' },
  { daysAgo: 8, external_id: 'trattoria-del-ponte', requested_amount: 300_000 },
];

export const beans = { name: 'Espresso beans “Fjord”, 1 kg', category: 'Coffee', price: 2_490 };
export const cups = {
  name: 'Espresso cup, stoneware',
  category: 'Tableware',
  price: 690,
  description: 'Dishwasher-proof, 70 ml',
};
export const cheese = { name: 'Beaufort d’alpage, quarter wheel', category: 'Cheese', price: 18_900 };

/** Net amount of the lines and tax at `ratePercent`, in minor units, rounded half up. */
function amountOf(lines: { price: number; quantity: number }[], ratePercent: number) {
  const net = lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  const tax = Number((BigInt(net) * BigInt(ratePercent) + 50n) / 100n);
  return { net, tax, gross: net + tax };
}

export function draft(
  daysAgo: number,
  number: number,
  buyer: string,
  merchant: string,
  ratePercent: number,
  lines: { name: string; category: string; price: number; quantity: number; description?: string }[],
  more: Partial<Static<typeof DraftOrderCreation>> = {},
): On<Static<typeof DraftOrderCreation>> {
  return {
    daysAgo,
    external_id: `order-${number}`,
    buyer_external_id: buyer,
    merchant_external_id: merchant,
    amount: amountOf(lines, ratePercent),
    line_items: lines,
    ...more,
  };
}

/** Drafts that their buyers have not completed. */
export const drafts: On<Static<typeof DraftOrderCreation>>[] = [
  draft(40, 1001, 'cafe-morgenrot', 'roastery-north', 7, [{ ...beans, quantity: 24 }], {
    comment: 'Bitte an den Hinterhof liefern.',
  }),
  draft(33, 1002, 'brasserie-du-parc', 'fromagerie-alpes', 6, [{ ...cheese, quantity: 2 }]),
  draft(28, 1003, 'de-gouden-lepel', 'roastery-north', 9, [
    { ...beans, quantity: 12 },
    { ...cups, quantity: 48 },
  ]),
  draft(21, 1004, 'pierogarnia-pod-aniolem', 'keramika-krakow', 23, [{ ...cups, quantity: 96 }], {
    comment: 'Proszę o kontakt przed dostawą.',
  }),
  draft(14, 1005, 'harbour-tearooms', 'keramika-krakow', 20, [{ ...cups, quantity: 36 }]),
  draft(8, 1006, 'trattoria-del-ponte', 'roastery-north', 10, [
    { ...beans, quantity: 10 },
    { name: 'Welcome discount', category: 'Discount', price: -1_500, quantity: 1 },
  ]),
  draft(5, 1007, 'cafe-morgenrot', 'fromagerie-alpes', 7, [{ ...cheese, quantity: 1 }], {
    contact_email: 'einkauf@morgenrot.example',
  }),
  draft(2, 1008, 'cafe-morgenrot', 'keramika-krakow', 19, [{ ...cups, quantity: 24 }]),
  draft(0, 1009, 'brasserie-du-parc', 'roastery-north', 6, [{ ...beans, quantity: 6 }], {
    custom_data: { campaign: 'autumn' },
  }),
  draft(0, 1020, 'pasteleria-luna', 'roastery-north', 21, [
    { ...beans, quantity: 8 },
    { ...cups, quantity: 24 },
  ]),
];

/** The banner links the first of these that is still a draft. The first one's buyer has to enter everything. */
export const checkoutDrafts = [
  'order-1020',
  'order-1009',
  'order-1004',
  'order-1006',
  'order-1008',
  'order-1007',
];
