/** The one-time code that a browser has to enter next. */
import type { CheckoutOutcome, CodePurpose } from '../state/checkout.view.ts';
import type { Access } from './access.rules.ts';

export interface RequestedCode {
  purpose: CodePurpose;
  /** The address that receives the code. */
  email: string;
}

/**
 * The code for the data on file comes first. The code for the application comes after the company and the details, which contain the
 * address.
 * @param isCompanyKnown The company is on file, or was entered in full.
 * @param isProofDue A credit decision waits for the person to confirm the address.
 */
export function requestedCodeOf(
  outcome: CheckoutOutcome | null,
  { isCodeNeeded, emailOnFile, mine }: Access,
  { isCompanyKnown, isProofDue }: { isCompanyKnown: boolean; isProofDue: boolean },
): RequestedCode | null {
  if (isCodeNeeded && emailOnFile !== null) return { purpose: 'FILE', email: emailOnFile };
  if (outcome !== null || !isProofDue || !isCompanyKnown || !mine?.person || !mine.delivery) return null;
  return { purpose: 'APPLICATION', email: mine.person.email };
}
