/** Mails to buyers about their credit limit. The code that decides about limits does not know these mails. */
import type { FollowedEvent } from '#infra/database/event-followers.queries';
import type { Currency } from '#kernel/currency';
import { DAY_SECONDS } from '#kernel/day';
import type { EventType } from '#kernel/event';
import type { MailKind } from '#kernel/mail-kind';
import { translatorOf } from '#messages';
import { RENEWAL_LEAD_DAYS } from '#modules/facilities';
import {
  type FacilityForMail,
  findAddressees,
  mailsTo,
  type Notified,
  type Notifier,
  type NotifierContext,
  type Premise,
  wasNotified,
} from '#modules/notifications';
import { type BuyerReasonCode, textOfReason } from '#modules/underwriting';
import { tolerant } from './tolerant.ts';

const MAILED: readonly EventType[] = [
  'FACILITY.CREATION.ACCEPTED',
  'FACILITY.CREATION.REJECTED',
  'FACILITY.EXPIRED',
  'FACILITY.FROZEN',
  'FACILITY.INCREASE.ACCEPTED',
  'FACILITY.INCREASE.REJECTED',
  'FACILITY.LIMIT.CHANGED',
  'FACILITY.RENEWAL.ACCEPTED',
  'FACILITY.RENEWAL.IN_REVIEW',
  'FACILITY.RENEWAL.REJECTED',
  'FACILITY.UNFROZEN',
];

export const facilityNotifier: Notifier = {
  follower: 'facility_mails',
  types: MAILED,
  notify: tolerant(notifyOfFacility),
};

type MailToAddressee = ReturnType<Parameters<typeof mailsTo>[1]>;

type FacilityKind = MailKind & `facility_${string}`;

/** The fields of an event of a facility that mails use. */
interface FacilityFacts {
  sequence: number;
  status: string;
  currency: Currency;
  total_amount: number;
  previous_total_amount?: number;
  expires_at: number | null;
  reasons?: BuyerReasonCode[];
}

/** Mails that describe the state of the facility. They are wrong as soon as that changes. */
const STANDING: readonly FacilityKind[] = ['facility_expiring', 'facility_expired', 'facility_frozen'];
const REFUSALS: readonly FacilityKind[] = ['facility_refused', 'facility_lowered', 'facility_expiring'];

async function notifyOfFacility(
  context: NotifierContext,
  { type, data, resource_external_id: buyerExternalId, occurred_at, event_id }: FollowedEvent,
): Promise<Notified> {
  const { reads, platform } = context;
  const facts = data as unknown as FacilityFacts;
  const changed: Premise = { kind: 'facility', key: buyerExternalId, version: facts.sequence };
  const silent = { mails: [], changed };
  const kind = kindOf(type, facts, occurred_at);
  if (kind === null) return silent;
  const addressees = await findAddressees(context, { buyerExternalId });
  const company = addressees?.buyer.legal_name ?? null;
  if (!addressees || company === null) return silent;
  // The checkout has sent the refusal if the buyer applied there.
  if (
    kind === 'facility_refused' &&
    (await wasNotified(reads, platform.platform_id, { buyerExternalId, at: occurred_at }))
  )
    return silent;
  const translator = translatorOf(addressees.language, addressees.formality);
  // A frozen limit also expires.
  const isRunning = facts.status === 'ACTIVE' || kind === 'facility_expiring';
  const content: Omit<FacilityForMail, 'recipient'> & { isUnderReview: boolean } = {
    company,
    currency: facts.currency,
    limitMinor: facts.status === 'ACTIVE' ? facts.total_amount : null,
    expiresAt: isRunning ? facts.expires_at : null,
    isUnderReview: type === 'FACILITY.RENEWAL.IN_REVIEW',
    reasons: REFUSALS.includes(kind)
      ? (facts.reasons ?? []).map((code) => textOfReason(code, translator))
      : [],
  };
  const mails = mailsTo(
    addressees,
    ({ name: recipient }) =>
      ({
        cause: `facility/${buyerExternalId}/${event_id}`,
        kind,
        premises: STANDING.includes(kind) ? [changed] : [],
        content: { ...content, recipient },
      }) as MailToAddressee,
  );
  return { mails, changed };
}

/** Null if there is nothing to report. `now` in unix seconds. */
function kindOf(type: string, facts: FacilityFacts, now: number): FacilityKind | null {
  const { total_amount, previous_total_amount, status, expires_at: expiresAt } = facts;
  const change = previous_total_amount === undefined ? 0 : total_amount - previous_total_amount;
  switch (type) {
    case 'FACILITY.CREATION.ACCEPTED':
    case 'FACILITY.INCREASE.ACCEPTED':
      return 'facility_granted';
    case 'FACILITY.CREATION.REJECTED':
    case 'FACILITY.INCREASE.REJECTED':
      return 'facility_refused';
    case 'FACILITY.RENEWAL.ACCEPTED':
      return change < 0 ? 'facility_lowered' : 'facility_renewed';
    case 'FACILITY.RENEWAL.IN_REVIEW':
      // An early renewal under review is no reason to worry.
      return isPast(status) || (expiresAt ?? 0) - now > RENEWAL_LEAD_DAYS * DAY_SECONDS
        ? null
        : 'facility_expiring';
    case 'FACILITY.RENEWAL.REJECTED':
      return isPast(status) ? 'facility_refused' : 'facility_expiring';
    case 'FACILITY.LIMIT.CHANGED':
      return change < 0 ? 'facility_lowered' : change > 0 ? 'facility_granted' : null;
    case 'FACILITY.EXPIRED':
      return 'facility_expired';
    case 'FACILITY.FROZEN':
      return 'facility_frozen';
    default:
      return null;
  }
}

const isPast = (status: string) => status === 'EXPIRED';
