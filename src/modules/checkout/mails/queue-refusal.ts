/** Mails the applicant why credit was refused, and how to request a review. */
import type { Db } from '#infra/database/database';
import { translatorOf } from '#messages';
import { queueMail } from '#modules/notifications';
import { type BuyerReasonCode, textOfReason } from '#modules/underwriting';
import type { CheckoutDeps } from '../deps.ts';
import { createLink, linkUrl } from '../links/link.ts';
import { localeFor } from '../state/build-view.ts';
import type { Snapshot } from '../state/snapshot.ts';
import { contentOf } from './outcome-mails.ts';

export interface RefusalToMail {
  /** The facility's version: each refusal is mailed once. */
  version: number;
  to: string;
  /** The name of the person. */
  recipient: string;
  company: string;
  reasons: readonly BuyerReasonCode[];
}

/** Queues the mail in the transaction of the refusal, with its own link to the page that has the button. */
export async function queueRefusal(
  { vault, baseUrl }: Pick<CheckoutDeps, 'vault' | 'baseUrl'>,
  db: Db,
  snapshot: Snapshot,
  { version, to, recipient, company, reasons }: RefusalToMail,
): Promise<void> {
  const { key, now, order, merchantName } = snapshot;
  const { language, formality } = localeFor(snapshot);
  const translator = translatorOf(language, formality);
  const base = baseUrl();
  const { token } = await createLink(db, { ...key, now });
  await queueMail(db, vault, snapshot.platform, {
    cause: `checkout/${key.orderExternalId}/refused/${version}`,
    kind: 'credit_refused',
    to,
    buyer: order.buyer_external_id,
    language,
    formality,
    content: {
      ...contentOf(order),
      merchant: merchantName,
      company,
      recipient,
      reasons: reasons.map((code) => textOfReason(code, translator)),
      url: base === null ? null : linkUrl(base, token),
    },
    now,
    baseUrl: base,
  });
}
