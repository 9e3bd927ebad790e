/** Mails to merchants about their enrolment, payouts and bank details, and to support about failures. */
import type { FollowedEvent } from '#infra/database/event-followers.queries';
import type { EventType } from '#kernel/event';
import { emailsOfMerchant, findMerchant, type MerchantRow } from '#modules/merchants';
import type {
  EventMail,
  MerchantForMail,
  Notified,
  Notifier,
  NotifierContext,
  PayoutForMail,
} from '#modules/notifications';
import { findPayouts, showPayoutDetail } from '#modules/payouts';
import { platformLanguage } from '#modules/platforms';
import { tolerant } from './tolerant.ts';

const MAILED: readonly EventType[] = [
  'MERCHANT.ENROLLED',
  'PAYOUT.FAILED',
  'PAYOUT.PAID',
  'PAYOUT_INSTRUCTION.UNVERIFIED',
  'PAYOUT_INSTRUCTION.VERIFIED',
];

export const merchantNotifier: Notifier = {
  follower: 'merchant_mails',
  types: MAILED,
  notify: tolerant(notifyOfMerchant),
};

type WithoutReader<Mail> = Mail extends EventMail
  ? Omit<Mail, 'to' | 'language' | 'formality' | 'cause'>
  : never;
type MerchantMail = WithoutReader<EventMail>;

async function notifyOfMerchant(context: NotifierContext, event: FollowedEvent): Promise<Notified> {
  const { reads, platform, vault } = context;
  const { type, data, resource_external_id: resource, event_id, occurred_at: at } = event;
  const merchantId = (data.merchant_external_id as string | undefined) ?? resource;
  const merchant = await findMerchant(reads, { platformId: platform.platform_id, externalId: merchantId });
  if (!merchant) return { mails: [] };
  const mail = await mailOf(context, event, merchant);
  if (mail === null) return { mails: [] };
  const isAboutAccount = type === 'PAYOUT_INSTRUCTION.UNVERIFIED' || type === 'PAYOUT_INSTRUCTION.VERIFIED';
  const { now, former } = emailsOfMerchant(vault, merchant, at);
  const cause = `merchant/${merchantId}/${event_id}`;
  const mails = toEach(context, cause, isAboutAccount ? [...new Set([...now, ...former])] : now, mail);
  if (type !== 'PAYOUT.FAILED') return { mails };
  const reason = (await readPayout(context, resource))?.failure_reason ?? '';
  const content = { items: [[resource, reason] satisfies [string, string]], count: 1 };
  const toSupport = toEach(context, `${cause}/support`, platform.support_emails, {
    ...{ kind: 'support_payout_failed', content },
  });
  return { mails: [...mails, ...toSupport] };
}

/** The mail to each address, in the language of the platform. */
function toEach(
  { platform }: NotifierContext,
  cause: string,
  addresses: readonly string[],
  mail: MerchantMail,
): EventMail[] {
  const language = platformLanguage(platform);
  const { formality } = platform;
  return addresses.map(
    (to, nth) => ({ ...mail, to, language, formality, cause: `${cause}/${nth}` }) as EventMail,
  );
}

/** Null if there is nothing to report. */
async function mailOf(
  context: NotifierContext,
  { type, data, resource_external_id: resource }: FollowedEvent,
  { legal_name: company }: MerchantRow,
): Promise<MerchantMail | null> {
  const content: MerchantForMail = { company };
  switch (type) {
    case 'MERCHANT.ENROLLED':
      return { kind: 'merchant_enrolled', content };
    case 'PAYOUT_INSTRUCTION.VERIFIED':
      return { kind: 'merchant_account_changed', content };
    case 'PAYOUT_INSTRUCTION.UNVERIFIED':
      // A rejected change leaves the account as it was.
      return data.status === 'UNVERIFIED' ? { kind: 'merchant_account_changed', content } : null;
    default: {
      const payout = await readPayout(context, resource);
      if (!payout) return null;
      const ofPayout: PayoutForMail = {
        company,
        number: payout.external_id,
        amountMinor: payout.amount,
        currency: payout.currency,
        lines: [...payout.advances, ...payout.collections].map(({ invoice_external_id, amount }) => ({
          invoice: invoice_external_id,
          amountMinor: amount,
        })),
        deductedMinor: payout.set_off_amount,
      };
      const kind = type === 'PAYOUT.PAID' ? 'merchant_payout_paid' : 'merchant_payout_failed';
      return { kind, content: ofPayout };
    }
  }
}

async function readPayout({ reads, platform }: NotifierContext, externalId: string) {
  const { platform_id: platformId } = platform;
  const [payout] = await findPayouts(reads, platformId, [externalId]);
  return payout && showPayoutDetail({ db: reads, platformId }, payout);
}
