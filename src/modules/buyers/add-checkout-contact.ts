/** The person who orders in a checkout becomes a contact of the buyer. */
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import { invalidRequest, notFound } from '#kernel/problem';
import type { Context } from '#operation/operation';
import { compileValidator } from '#operation/validation';
import { lockBuyer } from './buyer.queries.ts';
import { isSameEmail } from './buyer-on-file.ts';
import { findContactsOfBuyer, insertContact, sealPerson, toContact } from './contact.queries.ts';
import { readContactPerson } from './contact.rules.ts';
import { type Contact, ContactReplacement } from './contact.schemas.ts';

/** The person who orders, identified by the e-mail address. */
export type CheckoutPerson = Omit<
  Static<typeof ContactReplacement>,
  'buyer_external_id' | 'assign_to_all_invoices'
> & { email: string };

const ID_BYTES = 8;

const issuesOf = compileValidator(ContactReplacement, 'body');

/**
 * Returns the buyer's contact with this address, or creates one that is assigned to all invoices. Throws NOT_FOUND for an
 * unknown buyer, and a 400 with the paths of a contact's PUT.
 */
export async function addCheckoutContact(
  { db, platformId, vault, now }: Pick<Context, 'db' | 'platformId' | 'vault' | 'now'>,
  buyerExternalId: string,
  person: CheckoutPerson,
): Promise<Contact> {
  const issues = issuesOf(person);
  if (issues.length > 0) throw invalidRequest(issues);
  // Under the buyer's lock, so that two checkouts do not add the same person.
  if (!(await lockBuyer(db, platformId, buyerExternalId))) throw notFound();
  const contacts = await findContactsOfBuyer(db, { platformId, buyerExternalId });
  const known = contacts
    .map((row) => toContact(row, vault))
    .find(({ email }) => isSameEmail(email, person.email));
  if (known) return known;
  const externalId = `checkout-${randomBytes(ID_BYTES).toString('hex')}`;
  const row = await insertContact(db, {
    platform_id: platformId,
    external_id: externalId,
    buyer_external_id: buyerExternalId,
    assign_to_all_invoices: true,
    created_at: now,
    updated_at: now,
    is_from_checkout: true,
    person_sealed: sealPerson(vault, externalId, readContactPerson(person)),
  });
  if (!row) throw new Error(`The contact ${externalId} exists already.`);
  return toContact(row, vault);
}
