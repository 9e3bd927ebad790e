/** A message to a buyer as the API shows it. */
import { type Static, Type } from 'typebox';
import { closed, externalId, LanguageSchema, named, nullable, oneOf, unixSeconds } from '#kernel/fields';
import { CODE_KINDS, MAIL_KIND_NAMES, traitsOf } from '#kernel/mail-kind';
import { mailLifecycle } from './mail.lifecycle.ts';

export const MessageListParams = closed({ external_id: externalId('The buyer') });

const LISTED_KINDS = MAIL_KIND_NAMES.filter(
  (kind) => traitsOf(kind).audience === 'BUYER' && !CODE_KINDS.includes(kind),
);

export const BuyerMessage = closed(
  {
    id: Type.String({ format: 'uuid' }),
    kind: named('MessageKind', oneOf(LISTED_KINDS, 'More kinds can be added')),
    subject: Type.String(),
    language: LanguageSchema,
    status: named(
      'MessageStatus',
      oneOf(mailLifecycle.states, 'WITHDRAWN: its content was no longer true before it left'),
    ),
    created_at: unixSeconds('When it was written'),
    sent_at: nullable(unixSeconds('When the mail server accepted it')),
  },
  'BuyerMessage',
);
export type BuyerMessage = Static<typeof BuyerMessage>;
