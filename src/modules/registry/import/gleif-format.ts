/**
 * The golden copy of GLEIF as CSV: LEI-CDF 3.1 with one column for each place in the XML (338). A record is read like a
 * response of the API, so that both sources give the same entry.
 */
import { isCountry } from '#kernel/country';
import { LEI_FORM, readLeiRecord } from '../sources/gleif-record.ts';
import { type FieldReader, RecordRefused, type RegistryFormat } from './registry-format.ts';

const NAMES = [1, 2, 3, 4, 5].map((nth) => `Entity.OtherEntityNames.OtherEntityName.${nth}`);
const NAME_TYPES = NAMES.map((name) => `${name}.type`);
const TRANSLITERATED = [1, 2, 3, 4, 5].map(
  (nth) => `Entity.TransliteratedOtherEntityNames.TransliteratedOtherEntityName.${nth}`,
);
const ADDRESS = 'Entity.LegalAddress';
const ADDRESS_LINES = [
  'FirstAddressLine',
  'AdditionalAddressLine.1',
  'AdditionalAddressLine.2',
  'AdditionalAddressLine.3',
].map((part) => `${ADDRESS}.${part}`);

export const gleifFormat: RegistryFormat = {
  title: 'a golden copy of GLEIF',
  tellingColumn: 'LEI',
  requiredColumns: ['LEI', 'Entity.LegalName', `${ADDRESS}.Country`, 'Entity.EntityStatus'],
  optionalColumns: [
    ...NAMES,
    ...NAME_TYPES,
    ...TRANSLITERATED,
    ...ADDRESS_LINES,
    ...['AddressNumber', 'AddressNumberWithinBuilding', 'MailRouting', 'City', 'PostalCode'].map(
      (part) => `${ADDRESS}.${part}`,
    ),
    'Entity.RegistrationAuthority.RegistrationAuthorityEntityID',
    'Entity.LegalJurisdiction',
    'Entity.LegalForm.EntityLegalFormCode',
    'Entity.LegalForm.OtherLegalForm',
    'Entity.EntityCreationDate',
    'Registration.RegistrationStatus',
  ],
  knowsAllColumns: false,
  readEntry(field) {
    const lei = field('LEI').trim();
    if (!LEI_FORM.test(lei))
      throw new RecordRefused('LEI must be 18 letters or digits, followed by two digits.', lei);
    const country = field(`${ADDRESS}.Country`).trim();
    if (!isCountry(country))
      throw new RecordRefused(`${ADDRESS}.Country is not an ISO 3166-1 country code.`, country);
    const entry = readLeiRecord({ id: lei, attributes: readAttributes(lei, country, field) });
    if (!entry)
      throw new RecordRefused('Entity.LegalName must have a letter or digit, and at most 500 characters.');
    return entry;
  },
};

function readAttributes(lei: string, country: string, field: FieldReader) {
  return {
    lei,
    entity: {
      legalName: { name: field('Entity.LegalName') },
      otherNames: NAMES.map((name, nth) => ({
        name: field(name),
        type: field(NAME_TYPES[nth] ?? ''),
      })).filter(({ name }) => name !== ''),
      transliteratedOtherNames: TRANSLITERATED.map((name) => ({ name: field(name) })),
      legalAddress: {
        addressLines: ADDRESS_LINES.map(field),
        addressNumber: field(`${ADDRESS}.AddressNumber`),
        addressNumberWithinBuilding: field(`${ADDRESS}.AddressNumberWithinBuilding`),
        mailRouting: field(`${ADDRESS}.MailRouting`),
        city: field(`${ADDRESS}.City`),
        country,
        postalCode: field(`${ADDRESS}.PostalCode`),
      },
      registeredAs: field('Entity.RegistrationAuthority.RegistrationAuthorityEntityID'),
      jurisdiction: field('Entity.LegalJurisdiction'),
      legalForm: {
        id: field('Entity.LegalForm.EntityLegalFormCode'),
        other: field('Entity.LegalForm.OtherLegalForm'),
      },
      status: field('Entity.EntityStatus'),
      creationDate: field('Entity.EntityCreationDate'),
    },
    registration: { status: field('Registration.RegistrationStatus') },
  };
}
