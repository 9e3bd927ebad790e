/** The proof that the person behind this browser speaks for the company that applies for credit. */
import type { ShownProof } from '#modules/underwriting';
import type { PersonEntry } from '../state/checkout.view.ts';
import type { Snapshot } from '../state/snapshot.ts';
import { isSameMac, macOfEmail } from './code.rules.ts';

/**
 * The proof; null while the person has to confirm the address. It holds for the confirmed address and the company that has it on
 * file: another person, or a company that the buyer named itself, needs its own proof. The platform vouches for a company
 * that it named, not for one that a stranger chooses.
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
