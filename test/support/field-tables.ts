/** The fields of addresses, identifiers and people that several resources share, as tables. */
import { BUSINESS_IDENTIFIER_TYPES } from '#kernel/business-identifier';
import {
  defaulted,
  externalId,
  type Field,
  filledLine,
  type Kind,
  legalForm,
  literal,
  looseLine,
  type Offending,
  oneOf,
  optional,
  otherTypes,
  required,
  yesOrNo,
} from './fields.ts';

function refusing(code: Offending['code'], ...texts: string[]): Offending[] {
  return texts.map((sent) => ({ what: JSON.stringify(sent).slice(0, 60), sent, code }));
}

const taking = (...texts: string[]) => texts.map((sent) => ({ what: sent.slice(0, 60), sent }));

const country: Kind = {
  // The postcode in the same address is valid in all of them.
  fitting: taking('DE', 'FR', 'GR', 'AX'),
  offending: [
    ...otherTypes('a text'),
    ...refusing('INVALID_FORMAT', 'de', 'D', 'DEU', 'D1', ' DE', 'DE\n', ''),
    ...refusing('INVALID_VALUE', 'XX', 'UK', 'EL', 'XK', 'EU'),
  ],
};

// 64 + @ + 189 = 254 characters, each label at most 63.
const domain189 = `${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(57)}.com`;

const email: Kind = {
  fitting: taking('ada@example.com', 'first.last+tag@sub.example.co.uk', 'jörg@müller.de').concat({
    what: '254 characters',
    sent: `${'l'.repeat(64)}@${domain189}`,
  }),
  offending: [
    ...otherTypes('a text'),
    ...refusing(
      'INVALID_FORMAT',
      'ada',
      'ada@',
      'a@b@example.com',
      'Ada <ada@example.com>',
      'ada@example.com\n',
    ),
    { what: 'an empty text', sent: '', code: 'TOO_SHORT' },
    { what: '255 characters', sent: `${'l'.repeat(64)}@d${domain189}`, code: 'TOO_LONG' },
    { what: 'an address with NUL', sent: 'ada\0@example.com', code: 'INVALID_VALUE' },
  ],
};

const phone: Kind = {
  fitting: taking('+493012345678', '+14155552671', '+33123456789'),
  offending: [
    ...otherTypes('a text'),
    ...refusing(
      'INVALID_FORMAT',
      '03012345678',
      '+49 30 12345678',
      '493012345678',
      '+03012345678',
      '+49',
      '',
    ),
    ...refusing('INVALID_FORMAT', `+49${'1'.repeat(14)}`, '+4930123456x8', '+493012345678\n'),
  ],
};

const BYTES_MAX = 16_384;
const nested = (depth: number, leaf: unknown): unknown =>
  depth === 0 ? leaf : depth % 2 ? { in: nested(depth - 1, leaf) } : [nested(depth - 1, leaf)];
/** A value of this many bytes as JSON, including `{"text":""}`; the last characters take three bytes each. */
const customDataOf = (bytes: number) => ({ text: 'a'.repeat(bytes - 11 - 300) + '語'.repeat(100) });

export const customData: Kind = {
  fitting: [
    { what: 'an empty object', sent: {} },
    {
      what: 'every type of JSON',
      sent: {
        text: ' a\n\u0001',
        number: 1.5,
        list: [null, true, [], {}],
        '': { toJSON: 'x', constructor: {} },
      },
    },
    { what: '16 KiB', sent: customDataOf(BYTES_MAX) },
    { what: '8 levels', sent: { in: nested(7, 'leaf') } },
    { what: '-0 inside', sent: { zero: literal('-0') }, shown: { zero: 0 } },
  ],
  offending: [
    ...otherTypes('an object'),
    { what: '16 KiB and a byte', sent: customDataOf(BYTES_MAX + 1), code: 'TOO_LONG' },
    { what: '9 levels', sent: { in: nested(8, 'leaf') }, code: 'TOO_BIG' },
    { what: '9 levels, the last one empty', sent: { in: nested(7, []) }, code: 'TOO_BIG' },
    { what: 'NUL inside', sent: { a: ['\0'] }, code: 'INVALID_VALUE', at: '.a.0' },
    { what: 'half a surrogate pair inside', sent: { a: '\ud800' }, code: 'INVALID_VALUE', at: '.a' },
    { what: '1e400 inside', sent: { a: literal('1e400') }, code: 'TOO_BIG', at: '.a' },
    {
      what: '__proto__ inside',
      sent: JSON.parse('{"__proto__":{}}'),
      code: 'INVALID_VALUE',
      at: '.__proto__',
    },
  ],
};

const unknownField: Offending = { what: 'an unknown field', sent: 'x', code: 'UNRECOGNIZED_KEYS' };

/** A postcode for the country DE: instead of any text, one in its format. Blank texts remain. */
function postcodeOf({ fitting, offending }: Kind): Kind {
  const blank = fitting.filter(({ sent }) => typeof sent === 'string' && sent.trim() === '');
  return {
    fitting: [...taking('10435', 'D-10435', 'DE 10435', ' 10435 '), ...blank],
    offending: [...offending, ...refusing('INVALID_FORMAT', '1043', '104355', '1O435', 'A-10435')],
  };
}

/** The fields of the address at `path`; the body must have all of them filled, so that no one is the last. */
function addressFields(path: string, isBusiness: boolean): Field[] {
  const at = isBusiness
    ? {
        postcode: required(postcodeOf(filledLine(16))),
        city: required(filledLine(100)),
        country: required(country),
      }
    : {
        postcode: optional(postcodeOf(looseLine(16))),
        city: optional(looseLine(100)),
        country: optional(country),
      };
  const parts = {
    street: optional(looseLine(140)),
    house: optional(looseLine(20)),
    additional: optional(looseLine(140)),
    ...at,
    state: { fitting: [], offending: [unknownField] },
  };
  return Object.entries(parts).map(([name, kind]) => ({ path: `${path}.${name}`, ...kind }));
}

export function businessAddressFields(path: string): Field[] {
  return [
    { path, ...required({ fitting: [], offending: otherTypes('an object') }) },
    ...addressFields(path, true),
  ];
}

/** An address that may be missing. An empty one counts as missing. */
export function looseAddressFields(path: string): Field[] {
  const nothing = { street: ' ', house: '', city: null };
  const fitting = [
    { what: 'an empty object', sent: {}, shown: null },
    { what: 'blank parts', sent: nothing, shown: null },
  ];
  return [
    { path, ...optional({ fitting, offending: otherTypes('an object') }) },
    ...addressFields(path, false),
  ];
}

const agencyIds = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ type: 'AGENCY1_ID', value: `${index}`, country: 'DE' }));

/** VAT numbers in the format of their country, and some that are not; kernel/vat-id.test.ts has the rest. */
const VAT_IDS: [country: string, fits: string, fitsNot: string][] = [
  ['AT', 'ATU13585627', 'AT13585627'],
  ['DE', 'DE 136 695 976', 'DE136695977'],
  ['ES', 'ESX2482300W', 'ES24823001'],
  ['FR', 'FR40303265045', 'FR4030326504'],
  ['GB', 'GB980780684', 'GB98078068'],
  ['NL', 'NL004495445B01', 'NL004495445'],
];

const vatIds: Kind = {
  fitting: VAT_IDS.map(([of, value]) => ({
    what: `a VAT number of ${of}`,
    sent: [{ type: 'VAT_ID', value, country: of }],
  })),
  offending: VAT_IDS.map(([of, , value]) => ({
    what: `what is no VAT number of ${of}`,
    sent: [{ type: 'VAT_ID', value, country: of }],
    code: 'INVALID_FORMAT',
    at: '.0.value',
  })),
};

const identifierList: Kind = {
  fitting: [
    { what: 'an empty list', sent: [] },
    { what: '100 identifiers', sent: agencyIds(100) },
    { what: 'the same identifier twice', sent: [...agencyIds(1), ...agencyIds(1)] },
    ...vatIds.fitting,
  ],
  offending: [
    ...otherTypes('a list'),
    { what: '101 identifiers', sent: agencyIds(101), code: 'TOO_LONG' },
    { what: 'a list of texts', sent: ['DE136695976'], code: 'INVALID_TYPE', at: '.0' },
    { what: 'a list with null', sent: [...agencyIds(1), null], code: 'INVALID_TYPE', at: '.1' },
    ...vatIds.offending,
  ],
};

/** The list and its first item, which must be `IDENTIFIER`. */
export function identifierFields(presence: 'required' | 'defaulted'): Field[] {
  const list = presence === 'required' ? required(identifierList) : defaulted(identifierList, []);
  const parts = {
    type: required(oneOf(BUSINESS_IDENTIFIER_TYPES)),
    value: required(filledLine(48)),
    country: required(country),
    issued_by: { fitting: [], offending: [unknownField] },
  };
  const of = Object.entries(parts).map(([name, kind]) => ({
    path: `business_identifiers.0.${name}`,
    ...kind,
  }));
  return [{ path: 'business_identifiers', ...list }, ...of];
}

/** It is valid for every type, because the format of Italian register numbers is not known. */
export const IDENTIFIER = { type: 'TAX_ID', value: 'IT00743110157', country: 'IT' };

export const ADDRESS = {
  street: 'Kastanienallee',
  house: '12 b',
  postcode: '10435',
  city: 'Berlin',
  country: 'DE',
  additional: 'c/o Café',
};

/** The common fields of a buyer and a merchant. */
export const companyFields: Field[] = [
  { path: 'legal_name', ...required(filledLine(255)) },
  { path: 'legal_form', ...required(legalForm) },
  { path: 'trading_name', ...optional(looseLine(255)) },
  ...businessAddressFields('business_address'),
  { path: 'nickname', fitting: [], offending: [unknownField] },
];

/** All fields of a contact except the ids. */
export const personFields: Field[] = [
  { path: 'assign_to_all_invoices', ...defaulted(yesOrNo, false) },
  { path: 'salutation', ...optional(oneOf(['MR', 'MS', 'OTHER'])) },
  { path: 'first_name', ...optional(looseLine(100)) },
  { path: 'last_name', ...optional(looseLine(100)) },
  { path: 'email', ...optional(email) },
  { path: 'phone', ...optional(phone) },
  ...looseAddressFields('address'),
  { path: 'nickname', fitting: [], offending: [unknownField] },
];

/** An e-mail address; empty if omitted. */
export function emailField(path: string): Field {
  return { path, ...optional(email) };
}

/** A list of at most 20 e-mail addresses; empty if omitted. */
export function emailsField(path: string): Field {
  const addresses = (count: number) => Array.from({ length: count }, (_, nth) => `mail-${nth}@example.com`);
  const inList = ({ what, sent, code, at = '' }: Offending): Offending => ({
    what: `a list with ${what}`,
    sent: ['ada@example.com', sent],
    code,
    at: `.1${at}`,
  });
  const list: Kind = {
    fitting: [
      { what: 'an empty list', sent: [] },
      { what: '20 addresses', sent: addresses(20) },
      ...email.fitting.map(({ what, sent }) => ({ what: `a list with ${what}`, sent: [sent] })),
    ],
    offending: [
      ...otherTypes('a list'),
      { what: '21 addresses', sent: addresses(21), code: 'TOO_LONG' },
      inList({ what: 'null', sent: null, code: 'INVALID_TYPE' }),
      ...email.offending.map(inList),
    ],
  };
  return { path, ...defaulted(list, []) };
}

export const externalIdField: Field = { path: 'external_id', ...required(externalId) };

/** Read-only fields of a full replacement, each with a value other than the stored one. */
export function readOnlyFields(others: Record<string, unknown>): Field[] {
  return Object.entries(others).map(([path, sent]) => ({
    path,
    fitting: [],
    offending: [{ what: 'another than the stored value', sent, code: 'INVALID_VALUE' }],
  }));
}
