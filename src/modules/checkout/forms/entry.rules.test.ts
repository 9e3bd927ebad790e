import { describe, expect, it } from 'vitest';
import { COMPANY, NO_DELIVERY_ADDRESS, PERSON } from '#test/checkout';
import type { TypedCompany } from '../state/company-entry.ts';
import { readCompanyEntry, readDeliveryEntry, readPersonEntry } from './entry.rules.ts';

type Wrong = [what: string, change: object, field: string, error: string, values?: object];

const LONG: [field: string, max: number][] = [
  ['legalName', 255],
  ['tradingName', 255],
  ['street', 140],
  ['house', 20],
  ['additional', 140],
  ['postcode', 16],
  ['city', 100],
  ['registerId', 48],
];

describe('reading a company', () => {
  it('trims values, and takes blank ones as empty', () => {
    const typed = { ...COMPANY, legalName: '  Café Morgenrot eG ', tradingName: '\u00a0 ', house: '\u200b' };
    expect(readCompanyEntry(typed)).toEqual({
      entry: { ...COMPANY, legalName: 'Café Morgenrot eG', tradingName: '', house: '' },
      errors: [],
    });
  });

  const wrong: Wrong[] = [
    ['no name', { legalName: ' ' }, 'legalName', 'error.required'],
    ['a name of invisible characters', { legalName: '\u200b\u2060' }, 'legalName', 'error.required'],
    ['a line break', { legalName: 'Morgenrot\neG' }, 'legalName', 'error.characters'],
    ['a NUL', { city: 'Ber\u0000lin' }, 'city', 'error.characters'],
    ['half of a surrogate pair', { street: 'Allee \ud83d' }, 'street', 'error.characters'],
    ['no legal form', { legalForm: '' }, 'legalForm', 'error.choose'],
    ['an unknown legal form', { legalForm: 'GMBH' }, 'legalForm', 'error.choose'],
    ['no country', { country: '' }, 'country', 'error.country'],
    ['a country in lower case', { country: 'de' }, 'country', 'error.country'],
    ['an unknown country', { country: 'XX' }, 'country', 'error.country'],
    ['no postcode', { postcode: ' ' }, 'postcode', 'error.required'],
    ['no town', { city: '' }, 'city', 'error.required'],
    ['neither a street nor an additional line', { street: '' }, 'street', 'error.required'],
    ['a VAT ID of another country', { vatId: 'FR40303265045' }, 'vatId', 'error.vat_id'],
    ['a malformed VAT ID', { vatId: 'DE12' }, 'vatId', 'error.vat_id'],
    ['a VAT ID with another check digit', { vatId: 'DE811907981' }, 'vatId', 'error.vat_id'],
    [
      'a postcode of another country',
      { postcode: '1010' },
      'postcode',
      'error.postcode',
      { example: '10115' },
    ],
    [
      'a register number without its section',
      { registerId: '12345' },
      'registerId',
      'error.register_id',
      { example: 'HRB 12345' },
    ],
    ...LONG.map(
      ([field, max]): Wrong => [
        `${field} of more than ${max}`,
        { [field]: 'x'.repeat(max + 1) },
        field,
        'error.too_long',
        { max },
      ],
    ),
  ];
  it.each(wrong)('refuses %s', (_, change, field, error, values) => {
    const { errors } = readCompanyEntry({ ...COMPANY, ...change } as TypedCompany);
    expect(errors).toEqual([{ field, error, ...(values && { values }) }]);
  });

  it.each(LONG.filter(([field]) => !['postcode', 'registerId'].includes(field)))(
    'accepts %s of exactly %i code points',
    (field, max) => {
      expect(readCompanyEntry({ ...COMPANY, [field]: '😀'.repeat(max) }).errors).toEqual([]);
    },
  );

  it('returns all errors at once, one for each field', () => {
    const nothing = Object.fromEntries(Object.keys(COMPANY).map((field) => [field, ''])) as TypedCompany;
    expect(readCompanyEntry(nothing).errors.map(({ field }) => field)).toEqual([
      'legalName',
      'legalForm',
      'country',
      'postcode',
      'city',
      'street',
    ]);
  });

  it('accepts what a registry has, in whatever format', () => {
    const registered = { ...COMPANY, postcode: 'D 1', vatId: 'DE1', registerId: '12345' };
    expect(readCompanyEntry(registered, registered)).toEqual({ entry: registered, errors: [] });
    const changed = { ...registered, country: 'FR' };
    expect(readCompanyEntry(changed, registered).errors.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['postcode', 'vatId', 'registerId']),
    );
  });

  it('accepts a post-office box instead of a street', () => {
    expect(readCompanyEntry({ ...COMPANY, street: '', house: '', additional: 'Postfach 12' }).errors).toEqual(
      [],
    );
  });

  it.each(['811907980', 'DE 811.907 980', 'de811907980'])('keeps the VAT ID as written: %s', (vatId) => {
    expect(readCompanyEntry({ ...COMPANY, vatId })).toMatchObject({ entry: { vatId }, errors: [] });
  });
});

describe('reading a person', () => {
  const phones: [typed: string, country: string | null, stored: string][] = [
    ['+49 30 1234567', 'DE', '+49301234567'],
    ['030 1234567', 'DE', '+49301234567'],
    ['(030) 123-45 67', 'DE', '+49301234567'],
    ['+44 20 7946 0958', 'DE', '+442079460958'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['+44 (0)20 7946 0958', 'DE', '+442079460958'],
    ['０３-１２３４-５６７８', 'JP', '+81312345678'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['+49301234567', null, '+49301234567'],
  ];
  it.each(phones)('reads the phone number %s in %s as %s', (phone, country, stored) => {
    expect(readPersonEntry({ ...PERSON, phone }, country)).toEqual({
      entry: { ...PERSON, phone: stored },
      errors: [],
    });
  });

  it('needs neither phone nor salutation', () => {
    const { entry, errors } = readPersonEntry({ ...PERSON, phone: ' ', salutation: '' }, 'DE');
    expect(errors).toEqual([]);
    expect(entry).toMatchObject({ phone: '', salutation: '' });
  });

  const wrong: Wrong[] = [
    ['no first name', { firstName: '' }, 'firstName', 'error.required'],
    ['no last name', { lastName: ' ' }, 'lastName', 'error.required'],
    ['no e-mail', { email: '' }, 'email', 'error.required'],
    ['no e-mail address', { email: 'amina' }, 'email', 'error.email'],
    ['an e-mail address with a name', { email: 'Amina <amina@morgenrot.example>' }, 'email', 'error.email'],
    ['two e-mail addresses', { email: 'a@morgenrot.example, b@morgenrot.example' }, 'email', 'error.email'],
    ['text as a phone number', { phone: 'at noon' }, 'phone', 'error.phone'],
    ['too few digits', { phone: '+49 1' }, 'phone', 'error.phone'],
    ['a number with an extension', { phone: '+49 30 1234567 ext. 12' }, 'phone', 'error.phone'],
    ['a line break in a name', { lastName: 'Yil\r\nmaz' }, 'lastName', 'error.characters'],
    ['a long name', { firstName: 'a'.repeat(101) }, 'firstName', 'error.too_long', { max: 100 }],
  ];
  it.each(wrong)('refuses %s', (_, change, field, error, values) => {
    const { errors } = readPersonEntry({ ...PERSON, ...change }, 'DE');
    expect(errors).toEqual([{ field, error, ...(values && { values }) }]);
  });

  it('refuses a national number without a country', () => {
    expect(readPersonEntry({ ...PERSON, phone: '030 1234567' }, null).errors).toEqual([
      { field: 'phone', error: 'error.phone' },
    ]);
  });

  it('ignores an unknown salutation', () => {
    expect(readPersonEntry({ ...PERSON, salutation: 'DR' as never }, 'DE').entry.salutation).toBe('');
  });
});

describe('reading a delivery address', () => {
  const OTHER = {
    ...NO_DELIVERY_ADDRESS,
    street: 'Am Hafen',
    house: '1',
    postcode: '20457',
    city: 'Hamburg',
  };

  it.each(['COMPANY', 'NOWHERE'])('needs no address for %s', (to) => {
    expect(readDeliveryEntry({ to, address: NO_DELIVERY_ADDRESS })).toEqual({
      entry: { to, address: null },
      errors: [],
    });
  });

  it('accepts another address, with empty parts as null', () => {
    expect(readDeliveryEntry({ to: 'OTHER', address: { ...OTHER, country: 'DE' } })).toEqual({
      entry: { to: 'OTHER', address: { ...OTHER, country: 'DE', additional: null } },
      errors: [],
    });
  });

  const wrong: Wrong[] = [
    ['no choice', { to: '' }, 'delivery.to', 'error.choose'],
    ['an unknown choice', { to: 'MOON' }, 'delivery.to', 'error.choose'],
    [
      'another address without its country',
      { to: 'OTHER', address: OTHER },
      'delivery.country',
      'error.country',
    ],
    [
      'another address without a postcode',
      { to: 'OTHER', address: { ...OTHER, country: 'DE', postcode: ' ' } },
      'delivery.postcode',
      'error.required',
    ],
    [
      'another address with a postcode of another country',
      { to: 'OTHER', address: { ...OTHER, country: 'NL', postcode: '20457' } },
      'delivery.postcode',
      'error.postcode',
      { example: '1012 AB' },
    ],
    [
      'another address with a long street',
      { to: 'OTHER', address: { ...OTHER, country: 'DE', street: 'x'.repeat(141) } },
      'delivery.street',
      'error.too_long',
      { max: 140 },
    ],
  ];
  it.each(wrong)('refuses %s', (_, change, field, error, values) => {
    const { errors } = readDeliveryEntry({ to: 'COMPANY', address: NO_DELIVERY_ADDRESS, ...change });
    expect(errors).toEqual([{ field, error, ...(values && { values }) }]);
  });
});
