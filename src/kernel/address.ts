import { type Static, type TProperties, Type } from 'typebox';
import { CountrySchema, closed, line, looseLine, nullable, optional } from './fields.ts';
import { blankToNull } from './text.ts';

const parts = {
  street: optional(looseLine(140, 'Address line')),
  house: optional(looseLine(20, 'House number or denominator')),
  additional: optional(looseLine(140, 'Extra information such as PO box or care-of')),
};

/** An address in a request that requires none of its fields. */
export const AddressInput = addressInput('AddressInput', {
  ...parts,
  postcode: optional(looseLine(16)),
  city: optional(looseLine(100)),
  country: optional(CountrySchema),
});

/** A buyer's or merchant's business address: postcode, city and country are required. */
export const BusinessAddressInput = addressInput('BusinessAddressInput', {
  ...parts,
  postcode: line(16),
  city: line(100),
  country: CountrySchema,
});

function addressInput<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, {
    additionalProperties: false,
    title,
    'x-postcode-format': true,
    description: 'The postcode must have the format of the country, if every address there has one.',
  });
}

/** An address in a response: all six fields, null if empty. */
export const Address = closed(
  {
    street: nullable(Type.String()),
    house: nullable(Type.String()),
    postcode: nullable(Type.String()),
    city: nullable(Type.String()),
    country: nullable(CountrySchema),
    additional: nullable(Type.String()),
  },
  'Address',
);
export type Address = Static<typeof Address>;

/** A required address with every field present; blank fields are null. */
export function readBusinessAddress(
  input: Static<typeof AddressInput> | Static<typeof BusinessAddressInput>,
): Address {
  return {
    street: blankToNull(input.street),
    house: blankToNull(input.house),
    postcode: blankToNull(input.postcode),
    city: blankToNull(input.city),
    country: blankToNull(input.country),
    additional: blankToNull(input.additional),
  };
}

/** An address with every field present; blank fields are null. Null for no address, or one without a filled field. */
export function readAddress(
  input: Static<typeof AddressInput> | Static<typeof BusinessAddressInput> | null | undefined,
): Address | null {
  if (!input) return null;
  const address = readBusinessAddress(input);
  return Object.values(address).some((part) => part !== null) ? address : null;
}
