/** What a buyer must have. */
import type { MissingEntity } from '#kernel/missing-entity';
import { refusal } from '#kernel/problem';
import type { BuyerRow, KnownBuyer } from './buyer.queries.ts';
import { REQUIRED_FIELDS } from './buyer.schemas.ts';
import type { BuyerInput } from './company.conversions.ts';

/** Whether the buyer's company is known. False for an invited buyer, which has none of the three required fields. */
export function isKnown(buyer: BuyerRow): buyer is KnownBuyer {
  return buyer.legal_name !== null;
}

export function buyerIncomplete() {
  return refusal('BUYER_INCOMPLETE', 'The buyer is only invited: its company is not known yet');
}

/** The finding for a buyer that a request names and the platform does not have. */
export function missingBuyer(field: string, externalId: string): MissingEntity {
  return {
    field,
    value: externalId,
    remedy: 'No buyer has this external_id: register it first with POST /v1/buyers.',
  };
}

export function missingFields(body: BuyerInput): (typeof REQUIRED_FIELDS)[number][] {
  return REQUIRED_FIELDS.filter((field) => body[field] === undefined);
}

/** Whether the request has an e-mail address and none of the required fields. A request with only some of these is not an invitation. */
export function isInvitation(body: BuyerInput): boolean {
  return (body.contact_email ?? null) !== null && missingFields(body).length === REQUIRED_FIELDS.length;
}
