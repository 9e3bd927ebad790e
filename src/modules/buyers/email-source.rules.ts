/** Who set an e-mail address. One that a merchant's key set proves nobody's identity to the platform. */
import { type Caller, isOfMerchant } from '#operation/caller';

interface ReplacedEmail {
  isChanged: boolean;
  /** The request contains the address, changed or not. */
  isNamed: boolean;
}

/** Whether the address of a row comes from a merchant's key after a PUT. It does not once a key of the platform sends it. */
export function isEmailFromMerchant(
  caller: Pick<Caller, 'merchantExternalId'>,
  row: { is_email_from_merchant: boolean },
  { isChanged, isNamed }: ReplacedEmail,
): boolean {
  if (isOfMerchant(caller)) return isChanged || row.is_email_from_merchant;
  return row.is_email_from_merchant && !isNamed;
}
