// The smallest metadata contains the calling codes and lengths, which is all that `isPossible` reads. The larger sets add the digit ranges
// in use. Phone operators open new ranges faster than a self-hosted service is upgraded, so such a check would refuse real numbers.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** ITU-T E.164: a plus and at most 15 digits, the first of them not 0. */
const E164 = /^\+[1-9]\d{1,14}$/;

/** An E.164 number without spacing, with a known calling code and a length that exists there. */
export function isPhone(text: string): boolean {
  if (!E164.test(text)) return false;
  const phone = parsePhoneNumberFromString(text);
  // Parsing drops a trunk prefix, such as the 0 in +4402079460958, which is not part of E.164. A longer result is valid: San Marino's short
  // numbers are completed with their area code.
  return phone?.isPossible() === true && phone.number.length >= text.length;
}
