// The smallest metadata holds the calling codes and lengths, all that `isPossible` reads. The larger ones add the digit
// ranges in use, which operators open faster than a self-hosted service is upgraded: they would refuse real numbers.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** ITU-T E.164: a plus and at most 15 digits, the first of them not 0. */
const E164 = /^\+[1-9]\d{1,14}$/;

/** An E.164 number without any spacing, of a known calling code and a length that exists there. */
export function isPhone(text: string): boolean {
  if (!E164.test(text)) return false;
  const phone = parsePhoneNumberFromString(text);
  // Reading drops a trunk prefix, as the 0 in +4402079460958, which no exchange would dial: it is not part of E.164.
  // A longer reading is no fault: San Marino's short numbers are completed with their area code.
  return phone?.isPossible() === true && phone.number.length >= text.length;
}
