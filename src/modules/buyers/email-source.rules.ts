/** Who set an address: one that a merchant's key set proves nobody to the platform. */
import { type Caller, isOfMerchant } from '#operation/caller';

interface ReplacedEmail {
  isChanged: boolean;
  /** The request names the address, whether it is another one or not. */
  isNamed: boolean;
}

/** Whether the address of a row comes from a merchant's key after a PUT. A key of the platform makes a named one its own. */
export function isEmailFromMerchant(
  caller: Pick<Caller, 'merchantExternalId'>,
  row: { is_email_from_merchant: boolean },
  { isChanged, isNamed }: ReplacedEmail,
): boolean {
  if (isOfMerchant(caller)) return isChanged || row.is_email_from_merchant;
  return row.is_email_from_merchant && !isNamed;
}
