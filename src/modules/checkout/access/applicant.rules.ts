/** Who speaks for the company that applies for credit: what the checkout knows of the person behind this browser. */
import type { ShownProof } from '#modules/underwriting';
import type { PersonEntry } from '../state/checkout.view.ts';
import type { Snapshot } from '../state/snapshot.ts';
import { isSameMac, macOfEmail } from './code.rules.ts';

/**
 * Null while the person has to confirm the address. A proof holds for the address that was confirmed and the company that
 * it is on file for: another person, or a company that the buyer named itself, needs another one. The platform vouches for a company that it
 * named, not for the one that a stranger chooses.
 */
export function applicantProofOf(
  { order, session, filed, vault }: Pick<Snapshot, 'order' | 'session' | 'filed' | 'vault'>,
  person: PersonEntry | null,
): ShownProof | null {
  if (order.vouched_by !== null && filed.isCompanyFromPlatform) return 'VOUCHED';
  const confirmed = session?.confirmed_email_mac ?? null;
  if (confirmed === null) return null;
  const isConfirmed = (email: string) => isSameMac(macOfEmail(vault, email), confirmed);
  if (filed.companyEmails.some(isConfirmed)) return 'ADDRESS_ON_FILE';
  return person !== null && isConfirmed(person.email) ? 'CONFIRMED_ADDRESS' : null;
}
