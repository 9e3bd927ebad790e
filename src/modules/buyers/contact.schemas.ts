import { type Static, Type } from 'typebox';
import { Address, AddressInput } from '#kernel/address';
import {
  closed,
  EmailSchema,
  externalId,
  looseLine,
  named,
  nullable,
  oneOf,
  optional,
  PhoneSchema,
  unixSeconds,
} from '#kernel/fields';
import { replacementOf } from '#operation/read-only';

export const SALUTATIONS = ['MR', 'MS', 'OTHER'] as const;
const Salutation = named('Salutation', oneOf(SALUTATIONS));

const settable = {
  assign_to_all_invoices: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Assigned to every new invoice of the buyer',
    }),
  ),
  salutation: optional(Salutation),
  first_name: optional(looseLine(100)),
  last_name: optional(looseLine(100)),
  email: optional(EmailSchema),
  phone: optional(PhoneSchema),
  address: optional(AddressInput),
};

export const ContactParams = closed({ external_id: externalId('The contact') });

export const ContactCreation = closed(
  {
    external_id: externalId('Chosen by the platform'),
    buyer_external_id: externalId('The buyer it belongs to'),
    ...settable,
  },
  'ContactCreation',
);

export const Contact = closed(
  {
    external_id: externalId('Unique contact identifier'),
    buyer_external_id: externalId('The buyer it belongs to'),
    assign_to_all_invoices: Type.Boolean(),
    created_at: unixSeconds('When the contact was registered'),
    updated_at: unixSeconds('When the contact last changed'),
    salutation: nullable(Salutation),
    first_name: nullable(Type.String()),
    last_name: nullable(Type.String()),
    email: nullable(Type.String()),
    phone: nullable(Type.String()),
    address: nullable(Address),
  },
  'Contact',
);
export type Contact = Static<typeof Contact>;

export const ContactReplacement = replacementOf(
  {
    buyer_external_id: Type.Optional(externalId('Cannot change: if sent, it must be the stored one')),
    ...settable,
  },
  Contact,
  'ContactReplacement',
);

/** The personal data of a contact, sealed as one piece. */
export type Person = Pick<Contact, 'salutation' | 'first_name' | 'last_name' | 'email' | 'phone' | 'address'>;
