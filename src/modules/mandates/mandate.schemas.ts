import { type Static, Type } from 'typebox';
import {
  closed,
  externalId,
  IbanSchema,
  looseLine,
  named,
  nullable,
  oneOf,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { mandateLifecycle } from './mandate.lifecycle.ts';

/** EPC AT-01: RestrictedIdentificationSEPA2. It neither begins nor ends with a slash and has no two slashes in a row. */
export const MANDATE_REFERENCE_PATTERN = "^[A-Za-z0-9+?:().,'-]+(/[A-Za-z0-9+?:().,'-]+)*$";

const ReferenceSchema = Type.String({ minLength: 1, maxLength: 35, pattern: MANDATE_REFERENCE_PATTERN });

const reference = (description: string) => ({ ...ReferenceSchema, description });

export const MandateListParams = closed({ external_id: externalId('The buyer') });

export const MandateParams = closed({
  external_id: externalId('The buyer'),
  reference: reference('The mandate'),
});

export const MandateCreation = closed(
  {
    iban: { ...IbanSchema, description: 'The account to collect from: an IBAN, with or without spaces' },
    account_holder: optional(looseLine(140, "Default: the buyer's legal name")),
    reference: Type.Optional(
      reference(
        'The unique mandate reference that the buyer signed, in SEPA characters, case-insensitive. Default: a generated one',
      ),
    ),
    signed_at: Type.Optional(unixSeconds('When the buyer signed, not in the future. Default: now')),
  },
  'MandateCreation',
);

export const Mandate = closed(
  {
    reference: Type.String({ description: 'The unique mandate reference' }),
    buyer_external_id: externalId('The buyer who signed it'),
    status: named('MandateStatus', oneOf(mandateLifecycle.states)),
    account_holder: Type.String(),
    iban_last_four: Type.String({ description: 'The last four characters of the IBAN, which is not shown' }),
    signed_at: unixSeconds('When the buyer signed'),
    revoked_at: nullable(unixSeconds('When it was revoked')),
    created_at: unixSeconds('When it was registered'),
    updated_at: unixSeconds('When it last changed'),
  },
  'Mandate',
);
export type Mandate = Static<typeof Mandate>;
