/** Whoever ordered in a checkout, as a contact of the buyer. */
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import { invalidRequest, notFound } from '#kernel/problem';
import type { Context } from '#operation/operation';
import { compileValidator } from '#operation/validation';
import { lockBuyer } from './buyer.queries.ts';
import { isSameEmail } from './buyer-on-file.ts';
import { findContactsOfBuyers, insertContact, sealPerson, toContact } from './contact.queries.ts';
import { readContactPerson } from './contact.rules.ts';
import { type Contact, ContactReplacement } from './contact.schemas.ts';

/** An e-mail address is what the person is known by. */
export type CheckoutPerson = Omit<
  Static<typeof ContactReplacement>,
  'buyer_external_id' | 'assign_to_all_invoices'
> & { email: string };

const ID_BYTES = 8;

const issuesOf = compileValidator(ContactReplacement, 'body');

/**
 * The contact of the buyer with this address as it is, else a new one, who is written to with every invoice. Throws
 * NOT_FOUND for an unknown buyer, and a 400 by the paths of a contact's PUT.
 */
export async function addCheckoutContact(
  { db, platformId, vault, now }: Pick<Context, 'db' | 'platformId' | 'vault' | 'now'>,
  buyerExternalId: string,
  person: CheckoutPerson,
): Promise<Contact> {
  const issues = issuesOf(person);
  if (issues.length > 0) throw invalidRequest(issues);
  // One checkout after the other, so that none of two adds what the other one has added.
  if (!(await lockBuyer(db, platformId, buyerExternalId))) throw notFound();
  const contacts = await findContactsOfBuyers(db, platformId, [buyerExternalId]);
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
    person_sealed: sealPerson(vault, externalId, readContactPerson(person)),
  });
  if (!row) throw new Error(`The contact ${externalId} exists already.`);
  return toContact(row, vault);
}
