import { type Static, type TObject, Type } from 'typebox';
import { BicSchema, closed, externalId, IbanSchema, line, named, oneOf, unixSeconds } from '#kernel/fields';
import { replacementOf } from '#operation/read-only';
import { FIELDS_OF_TYPE, PAYOUT_TYPES, type PayoutType } from './payout-account.rules.ts';
import { payoutInstructionLifecycle } from './payout-instruction.lifecycle.ts';

export const PayoutTypeSchema = named(
  'PayoutType',
  oneOf(PAYOUT_TYPES, 'The scheme: SEPA in euro, FPS in pounds, SWIFT for all others'),
);

const details = {
  beneficiary_name: line(70, 'The holder of the account, as the bank knows it'),
  iban: Type.Optional({ ...IbanSchema, description: 'SEPA: the IBAN, with or without spaces' }),
  bic: Type.Optional({
    ...BicSchema,
    description: 'SEPA, SWIFT: the BIC of the bank, in the country of the IBAN',
  }),
  sort_code: Type.Optional(Type.String({ pattern: '^[0-9]{6}$', description: 'FPS: six digits' })),
  account_number: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 34,
      pattern: '^[A-Za-z0-9]+$',
      description: 'FPS: eight digits. SWIFT: at most 34 letters and digits',
    }),
  ),
  bank_name: Type.Optional(line(140, 'SWIFT: the name of the bank')),
  bank_address: Type.Optional(line(140, 'SWIFT: its address')),
};

const settable = { type: PayoutTypeSchema, ...details };

/** All fields of the type are required, and fields of other types are rejected. */
const ofType = (type: PayoutType) => {
  const own: readonly string[] = FIELDS_OF_TYPE[type];
  const foreign = Object.keys(details).filter((name) => !own.includes(name));
  return {
    if: { required: ['type'], properties: { type: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema that follows `if`.
    then: {
      required: [...own],
      properties: {
        ...Object.fromEntries(foreign.map((name) => [name, false])),
        ...(type === 'FPS' && { account_number: { type: 'string', pattern: '^[0-9]{8}$' } }),
      },
    },
  };
};
function withVariants<S extends TObject>(schema: S): S {
  return { ...schema, allOf: PAYOUT_TYPES.map(ofType) };
}

export const PayoutInstructionStatusSchema = named(
  'PayoutInstructionStatus',
  oneOf(payoutInstructionLifecycle.states),
);

export const PayoutInstructionParams = closed({ external_id: externalId('The payout instruction') });

export const PayoutInstructionCreation = withVariants(
  closed(
    {
      external_id: externalId('Chosen by the platform'),
      merchant_external_id: Type.Optional(
        externalId('The merchant that is paid. Required unless the platform has a single merchant'),
      ),
      ...settable,
    },
    'PayoutInstructionCreation',
  ),
);

/** A response has only the fields of its type. */
export const PayoutInstruction = closed(
  {
    external_id: externalId('Unique identifier of the instruction'),
    merchant_external_id: externalId('The merchant that is paid'),
    ...settable,
    is_verified: Type.Boolean({
      description: 'Whether it was verified outside the API; payouts go to verified instructions only',
    }),
    status: PayoutInstructionStatusSchema,
    payable_from: unixSeconds(
      'The earliest time of payouts to it: a day after it was replaced, or added in addition to another one',
    ),
    created_at: unixSeconds('When it was created'),
    updated_at: unixSeconds('When it last changed'),
  },
  'PayoutInstruction',
);
export type PayoutInstruction = Static<typeof PayoutInstruction>;

export const PayoutInstructionReplacement = withVariants(
  replacementOf(settable, PayoutInstruction, 'PayoutInstructionReplacement'),
);
