/** The text formats that a request can contain. */
import { isCountry } from '#kernel/country';
import { isEmail } from '#kernel/email';
import { MINOR_UNITS_MAX, UNIX_SECONDS_MAX } from '#kernel/fields';
import { isHttpUrl } from '#kernel/http-url';
import { readBic, readIban } from '#kernel/iban';
import { isPhone } from '#kernel/phone';
import type { IssueCode } from '#kernel/problem-codes';
import { isPlainLine, isPlainText } from '#kernel/text';

/** The check of each format, with the issue's code and message. */
export const FORMATS: Record<string, { check: (text: string) => boolean; code: IssueCode; message: string }> =
  {
    'plain-line': {
      check: isPlainLine,
      code: 'INVALID_VALUE',
      message: 'must be one line without control characters, bidirectional ones included',
    },
    'plain-text': {
      check: isPlainText,
      code: 'INVALID_VALUE',
      message: 'must have no control characters except line breaks',
    },
    country: {
      check: isCountry,
      code: 'INVALID_VALUE',
      message: 'must be an assigned ISO 3166-1 alpha-2 code',
    },
    email: { check: isEmail, code: 'INVALID_FORMAT', message: 'must be one e-mail address' },
    e164: {
      check: isPhone,
      code: 'INVALID_FORMAT',
      message: 'must be a phone number in E.164 form, such as +493012345678',
    },
    iban: {
      check: (text) => readIban(text) !== null,
      code: 'INVALID_FORMAT',
      message: 'must be an IBAN with the length of its country and valid check digits',
    },
    bic: {
      check: (text) => readBic(text) !== null,
      code: 'INVALID_FORMAT',
      message: 'must be a BIC of 8 or 11 characters, such as COBADEFFXXX',
    },
    uri: { check: isHttpUrl, code: 'INVALID_FORMAT', message: 'must be an absolute http(s) URL' },
    'seconds-range': {
      check: isRange(UNIX_SECONDS_MAX),
      code: 'INVALID_FORMAT',
      message: 'must be unix seconds, or a range such as 1700000000..1800000000 with either end open',
    },
    'days-range': {
      check: isRange(UNIX_SECONDS_MAX),
      code: 'INVALID_FORMAT',
      message: 'must be days, or a range such as 1..30 with either end open',
    },
    'amount-range': {
      check: isRange(MINOR_UNITS_MAX),
      code: 'INVALID_FORMAT',
      message: 'must be minor units, or a range such as 1000..5000 with either end open',
    },
  };

/** One integer, or a range `a..b` with one end optional. Bounds are integers from 0 to the maximum. */
function isRange(maximum: number): (text: string) => boolean {
  const isBound = (text: string) => /^\d{1,13}$/.test(text) && Number(text) <= maximum;
  return (text) => {
    const [low = '', high = low, ...rest] = text.split('..');
    const bounds = [low, high].filter((bound) => bound !== '');
    return rest.length === 0 && bounds.length > 0 && bounds.every(isBound);
  };
}
