import { getCountryCallingCode } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { isPhone } from './phone.ts';

describe('isPhone', () => {
  it.each([
    ['Berlin', '+493012345678'],
    ['a short German extension', '+4969800'],
    ['a German mobile', '+4915123456789'],
    ['Milan, whose 0 belongs to the number', '+390236618'],
    ['London', '+442079460958'],
    ['Guernsey, under +44', '+441481256789'],
    ['New York', '+12125551234'],
    ['Buenos Aires mobile', '+5491123456789'],
    ['San Marino without its area code', '+378886377'],
    ['international freephone', '+80012345678'],
    ['satellite', '+881612345678'],
  ])('accepts %s: %s', (_, text) => expect(isPhone(text)).toBe(true));

  it.each([
    ['nothing', ''],
    ['a plus alone', '+'],
    ['a national number', '03012345678'],
    ['no plus', '493012345678'],
    ['00 for the plus', '00493012345678'],
    ['spaces', '+49 30 12345678'],
    ['a hyphen', '+49-3012345678'],
    ['a line break', '+493012345678\n'],
    ['an extension', '+493012345678;ext=3'],
    ['letters', '+1800FLOWERS'],
    ['digits of another script', '+49301234567٨'],
    ['a full-width plus', '＋493012345678'],
    ['a trunk prefix', '+4402079460958'],
    ['a German trunk prefix', '+490301234567'],
    ['an unassigned calling code', '+999123456789'],
    ['too short', '+49301'],
    ['too short for New York', '+1212555123'],
    ['too long for France', '+331234567890'],
    ['more than 15 digits', '+4930123456789012'],
  ])('refuses %s: %s', (_, text) => expect(isPhone(text)).toBe(false));

  it.each(Object.entries(examples))("accepts the library's example of a mobile in %s", (country, national) =>
    expect(isPhone(`+${getCountryCallingCode(country as keyof typeof examples)}${national}`)).toBe(true),
  );
});
