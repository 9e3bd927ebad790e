/** Views of the checkout's pages, one for each state of a page. */
import { instalmentsOf, PAYMENT_TERMS, type PaymentTerm } from '#kernel/payment-term';
import type { CheckoutView, CompanyEntry, CompanySearch, PlatformView, TransferDue } from '#modules/checkout';
import type { OfferedTerm } from '#modules/facilities';

/** 2026-11-20 12:00 UTC. */
export const SHOWN_AT = 1_795_176_000;

export const PLATFORM: PlatformView = {
  code: 'markthalle',
  name: 'Markthalle – wholesale for gastronomy',
  country: 'DE',
  logo: null,
  helpEmail: 'hilfe@markthalle.example',
  brandColor: null,
  privacyUrl: 'https://markthalle.example/privacy',
  imprintUrl: 'https://markthalle.example/imprint',
  termsUrl: 'https://markthalle.example/terms',
  origins: ['https://shop.markthalle.example'],
};

export const COMPANY: CompanyEntry = {
  legalName: 'Café Morgenrot GmbH & Co. KG',
  legalForm: 'LIMITED_COMPANY',
  tradingName: 'Morgenrot',
  country: 'DE',
  street: 'Kastanienallee',
  house: '85',
  additional: 'Hinterhof, 2. Aufgang',
  postcode: '10435',
  city: 'Berlin',
  vatId: 'DE811907980',
  registerId: 'HRB 70008',
  businessId: null,
};

const GROSS_MINOR = 154_462;
const CURRENCY = 'EUR';

/** @param feeGrossMinor Includes 19 % tax. */
export function offerOf(payment_term: PaymentTerm, feeGrossMinor = 0): OfferedTerm {
  const net = Math.round(feeGrossMinor / 1.19);
  return {
    payment_method: 'TRANSFER',
    payment_term,
    isUpTo: false,
    fee: { net, tax: feeGrossMinor - net, gross: feeGrossMinor },
    installments: instalmentsOf(payment_term, GROSS_MINOR, SHOWN_AT, 'UTC').map(({ dueAt, amountMinor }) => ({
      due_at: dueAt,
      amount: { value: amountMinor, currency: CURRENCY },
    })),
  };
}

const OFFERS = [
  offerOf('PREPAYMENT'),
  offerOf('DEFER_14D', 1_158),
  offerOf('DEFER_30D', 2_317),
  offerOf('SPLIT_3M', 5_406),
  offerOf('SPLIT_6M', 9_268),
];

const NEW: CheckoutView = {
  platform: PLATFORM,
  sandbox: { companies: ['Café Morgenrot eG', 'Nordlicht Kaffeerösterei GmbH'] },
  reviewDays: 2,
  timeZone: 'UTC',
  language: 'EN',
  formality: 'FORMAL',
  order: {
    externalId: 'MH-2026-10482',
    merchantName: 'Rösterei Vier Jahreszeiten',
    currency: CURRENCY,
    netMinor: 129_800,
    taxMinor: 24_662,
    grossMinor: GROSS_MINOR,
    comment: null,
    lines: [
      {
        name: 'Espresso “Hafen”, whole bean, 1 kg',
        description: 'Roasted to order',
        quantity: 40,
        priceMinor: 1_895,
      },
      { name: 'Filter coffee “Kontor”, 1 kg', description: null, quantity: 25, priceMinor: 1_720 },
      { name: 'Portafilter, 58 mm', description: null, quantity: 1, priceMinor: 8_900 },
    ],
  },
  version: 1,
  step: 'company',
  steps: ['company', 'details', 'payment', 'review', 'outcome'],
  companyName: null,
  code: null,
  company: null,
  isCompanyOnFile: false,
  person: null,
  isPersonOnFile: false,
  delivery: null,
  invoice: { purchaseOrder: '', email: '', address: null },
  credit: 'OFFERED',
  refusal: null,
  offers: OFFERS,
  unavailable: [],
  choice: null,
  termsVersion: '2026-11-23',
  outcome: null,
  paymentDue: null,
  agreed: null,
  notifiedEmail: null,
  returnUrl: null,
  isCancellable: true,
};

const WITH_COMPANY: CheckoutView = {
  ...NEW,
  version: 2,
  step: 'details',
  companyName: COMPANY.legalName,
  company: { ...COMPANY, businessId: 'reg_1' },
};

const WITH_DETAILS: CheckoutView = {
  ...WITH_COMPANY,
  version: 3,
  step: 'payment',
  steps: ['details', 'payment', 'review', 'outcome'],
  isCompanyOnFile: true,
  person: {
    salutation: 'MS',
    firstName: 'Aylin',
    lastName: 'Brandt',
    email: 'einkauf@morgenrot.example',
    phone: '+49301234567',
  },
  delivery: { to: 'COMPANY', address: null },
  unavailable: PAYMENT_TERMS.filter((term) => /_(60D|90D|120D)$/.test(term)).map((term) => ({
    term,
    reason: term === 'DEFER_60D' ? 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT' : 'TERM_TOO_LONG',
  })),
};

const REFUSED: CheckoutView = {
  ...WITH_DETAILS,
  credit: 'REFUSED',
  refusal: { reasons: ['OVERDUE_INVOICES', 'COMPANY_DETAILS_INCOMPLETE'], review: 'POSSIBLE' },
  offers: [offerOf('PREPAYMENT')],
  unavailable: PAYMENT_TERMS.slice(1).map((term) => ({ term, reason: 'RISK' })),
};

const TO_CONFIRM: CheckoutView = {
  ...WITH_DETAILS,
  step: 'code',
  steps: ['company', 'details', 'code', 'payment', 'review', 'outcome'],
  code: {
    purpose: 'APPLICATION',
    email: 'einkauf@morgenrot.example',
    isSent: true,
    validMinutes: 10,
    againInSeconds: 24,
  },
  unavailable: [],
};

const CHOSEN: CheckoutView = {
  ...WITH_DETAILS,
  version: 4,
  step: 'review',
  choice: 'SPLIT_3M',
  invoice: { purchaseOrder: 'PO-4711', email: 'rechnung@morgenrot.example', address: null },
};

const PLACED: CheckoutView = {
  ...CHOSEN,
  version: 5,
  step: 'outcome',
  outcome: 'CONFIRMED',
  agreed: offerOf('SPLIT_3M', 5_406),
  notifiedEmail: 'einkauf@morgenrot.example',
  returnUrl: 'https://shop.markthalle.example/done?order_external_id=MH-2026-10482&status=CONFIRMED',
  isCancellable: false,
};

const DUE: TransferDue = {
  amount: GROSS_MINOR,
  currency: CURRENCY,
  due_at: SHOWN_AT + 30 * 86_400,
  reference: 'MH-2026-10482',
  account: { holder: 'Markthalle GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
};

const ENDED: CheckoutView = {
  ...PLACED,
  agreed: null,
  notifiedEmail: null,
  companyName: null,
  company: null,
};

/** Views by the name of the state. Each view is at its own step. */
export const VIEWS = named({
  'code-to-send': {
    ...NEW,
    step: 'code',
    steps: ['code', 'details', 'payment', 'review', 'outcome'],
    code: {
      purpose: 'FILE',
      email: 'e•••@m•••.example',
      isSent: false,
      validMinutes: 10,
      againInSeconds: 0,
    },
  },
  'code-sent': {
    ...NEW,
    step: 'code',
    steps: ['code', 'details', 'payment', 'review', 'outcome'],
    code: {
      purpose: 'FILE',
      email: 'e•••@m•••.example',
      isSent: true,
      validMinutes: 10,
      againInSeconds: 24,
    },
  },
  company: NEW,
  details: WITH_COMPANY,
  'address-to-confirm': TO_CONFIRM,
  'address-code-not-sent': { ...TO_CONFIRM, code: TO_CONFIRM.code && { ...TO_CONFIRM.code, isSent: false } },
  payment: WITH_DETAILS,
  'payment-under-review': {
    ...WITH_DETAILS,
    credit: 'UNDER_REVIEW',
    offers: OFFERS.map((offer) => ({ ...offer, isUpTo: offer.fee.gross > 0 })),
  },
  'payment-refused': REFUSED,
  'payment-refused-asked': { ...REFUSED, refusal: { reasons: ['NOT_POSSIBLE_NOW'], review: 'ASKED' } },
  'payment-refused-decided': { ...REFUSED, refusal: { reasons: ['NOT_POSSIBLE_NOW'], review: 'DECIDED' } },
  review: CHOSEN,
  confirmed: PLACED,
  'confirmed-prepaid': { ...PLACED, agreed: offerOf('PREPAYMENT') },
  'payment-due': { ...PLACED, agreed: offerOf('PREPAYMENT'), paymentDue: DUE },
  'payment-due-without-account': {
    ...PLACED,
    agreed: offerOf('PREPAYMENT'),
    paymentDue: { ...DUE, account: null },
  },
  'under-review': { ...PLACED, outcome: 'UNDER_REVIEW', credit: 'UNDER_REVIEW', isCancellable: true },
  refused: { ...ENDED, outcome: 'REFUSED' },
  'refused-with-reasons': {
    ...PLACED,
    agreed: null,
    outcome: 'REFUSED',
    refusal: { reasons: ['NOT_POSSIBLE_NOW'], review: 'DECIDED' },
  },
  cancelled: { ...ENDED, outcome: 'CANCELLED' },
  expired: { ...ENDED, outcome: 'EXPIRED' },
  complete: { ...ENDED, outcome: 'COMPLETE' },
});

function named<Name extends string>(views: Record<Name, CheckoutView>): Record<Name, CheckoutView> {
  return views;
}

export const SEARCH: CompanySearch = {
  country: 'DE',
  query: 'Morgenrot',
  found: [
    {
      businessId: 'reg_1',
      legalName: 'Café Morgenrot GmbH & Co. KG',
      tradingName: 'Morgenrot',
      address: {
        street: 'Kastanienallee',
        house: '85',
        additional: null,
        postcode: '10435',
        city: 'Berlin',
        country: 'DE',
      },
      identifiers: ['DE811907980', 'HRB 70008'],
    },
    {
      businessId: 'reg_2',
      legalName: 'Morgenrot Feinkost e. K.',
      tradingName: null,
      address: {
        street: 'Marktplatz',
        house: '3',
        additional: null,
        postcode: '28195',
        city: 'Bremen',
        country: 'DE',
      },
      identifiers: ['HRA 21455 HB'],
    },
  ],
  total: 14,
};
