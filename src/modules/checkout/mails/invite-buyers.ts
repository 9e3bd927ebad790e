/** Mails buyers the link to the checkout of a new draft, on platforms that have switched this on. */
import { inTransaction } from '#infra/database/transaction';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { findBuyerOnFile, localeOfBuyer } from '#modules/buyers';
import { composeMail, insertMails, type NewMailRow, type NotifierDeps } from '#modules/notifications';
import {
  findOrder,
  findOrdersToInvite,
  type OrderKey,
  type OrderRow,
  openOrderEmail,
  takeInvitation,
} from '#modules/orders';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { createLink, linkUrl } from '../links/link.ts';
import { orderPremise, readOrderForMail } from './outcome-mails.ts';

export interface InvitationDeps extends NotifierDeps {
  clocks: PlatformClocks;
}

/** Processes at most `ordersMax` due invitations. Returns the number processed; none of them stays due. */
export async function inviteBuyers(deps: InvitationDeps, ordersMax: number): Promise<number> {
  const { db, log } = deps;
  // Without the address of the service there is no link to mail.
  if (deps.baseUrl() === '') return 0;
  const keys = await findOrdersToInvite(db, ordersMax);
  for (const key of keys) {
    const { platformId: platform_id, externalId: order_external_id } = key;
    const outcome = await inTransaction(db, (transaction) => invite({ ...deps, db: transaction }, key));
    if (outcome !== null)
      log.error({ err: outcome, platform_id, order_external_id }, 'invitation not mailed');
  }
  return keys.length;
}

/** Writes the link, the mail and the end of the request in one transaction. Returns the error of a mail that cannot be composed. */
async function invite(deps: InvitationDeps, key: OrderKey): Promise<Error | null> {
  const { db, vault, clocks, baseUrl } = deps;
  if (!(await takeInvitation(db, key))) return null;
  const order = (await findOrder(db, key)) as OrderRow;
  if (order.status !== 'DRAFT') return null;
  const platform = (await findPlatform(db, key.platformId)) as PlatformRow;
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  const buyer = await findBuyerOnFile(
    db,
    platformVault,
    { platformId: key.platformId, externalId: order.buyer_external_id },
    {
      email: openOrderEmail(platformVault, order),
      givenAt: order.created_at,
      isFromMerchant: order.is_email_from_merchant,
    },
  );
  // Without an e-mail address, the platform has to pass on the link.
  if (!buyer || buyer.email === null) return null;
  clocks.learn(key.platformId, platform.clock_ahead_seconds);
  const now = clocks.now(key.platformId);
  const orderForMail = await readOrderForMail(db, platformVault, order, buyer.email);
  const { token, expiresAt } = await createLink(db, {
    platformId: key.platformId,
    orderExternalId: order.external_id,
    now,
  });
  let mails: NewMailRow[];
  try {
    mails = await composeMail(vault, platform, {
      cause: `order/${order.external_id}/invitation`,
      kind: 'checkout_invitation',
      buyer: order.buyer_external_id,
      premises: [orderPremise(order.external_id, order.version)],
      to: buyer.email,
      ...localeOfBuyer(buyer, platform),
      content: { ...orderForMail, url: linkUrl(baseUrl(), token), expiresAt },
      now,
      baseUrl: baseUrl(),
    });
  } catch (error) {
    return error as Error;
  }
  await insertMails(db, mails);
  return null;
}
