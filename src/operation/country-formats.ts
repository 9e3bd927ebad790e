/** Texts whose format depends on the country in the same object, by the schema keyword of that object. */
import { isPostcode, postcodeExample } from '#kernel/postcode';
import { isRegisterId, registerIdExample } from '#kernel/register-id';
import { isVatId } from '#kernel/vat-id';

export interface CountryFormat {
  /** The name of the text in the object. */
  field: string;
  /** If set, only objects of this `type` are checked. */
  type?: string;
  check(text: string, country: string): boolean;
  message(country: string): string;
}

export const COUNTRY_FORMATS: ReadonlyMap<string, CountryFormat> = new Map<string, CountryFormat>([
  [
    'x-postcode-format',
    {
      field: 'postcode',
      check: isPostcode,
      message: (country) => `must be a postcode of ${country}, such as ${postcodeExample(country)}`,
    },
  ],
  [
    'x-vat-id-format',
    {
      field: 'value',
      type: 'VAT_ID',
      check: isVatId,
      message: (country) => `must be a VAT number of ${country} with a valid check digit`,
    },
  ],
  [
    'x-register-id-format',
    {
      field: 'value',
      type: 'REGISTER_ID',
      check: isRegisterId,
      message: (country) => `must be a register number of ${country}, such as ${registerIdExample(country)}`,
    },
  ],
]);
