import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { findBuyerName } from '#modules/buyers';
import { assertPlatformWide } from '#operation/caller';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { listMessageRows, toMessage } from '../message.queries.ts';
import { BuyerMessage, MessageListParams } from '../message.schemas.ts';

export const listMessages = operation({
  id: 'listMessages',
  summary: 'List the messages to a buyer, newest first',
  description: 'The mails of the last 30 days, without one-time codes. The texts are not included.',
  tag: 'Buyers',
  scope: 'read',
  effect: 'read',
  params: MessageListParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(BuyerMessage, 'BuyerMessageList'),
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async run(context, { params, query }) {
    const { db, platformId, caller, vault } = context;
    assertPlatformWide(caller);
    const [buyerName, { rows, listed }] = await Promise.all([
      findBuyerName(db, { platformId, externalId: params.external_id }),
      listMessageRows(context, params.external_id, cursorPageOf(query)),
    ]);
    if (buyerName === undefined) throw notFound();
    return { body: { items: rows.map((row) => toMessage(row, vault)), ...listed } };
  },
});
