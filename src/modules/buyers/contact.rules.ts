import type { Static } from 'typebox';
import { readAddress } from '#kernel/address';
import { blankToNull } from '#kernel/text';
import type { ContactReplacement, Person } from './contact.schemas.ts';

/** The person that a request describes, with every field present and blank ones null. */
export function readContactPerson(
  body: Omit<Static<typeof ContactReplacement>, 'buyer_external_id'>,
): Person {
  return {
    salutation: body.salutation ?? null,
    first_name: blankToNull(body.first_name),
    last_name: blankToNull(body.last_name),
    email: body.email ?? null,
    phone: body.phone ?? null,
    address: readAddress(body.address),
  };
}
