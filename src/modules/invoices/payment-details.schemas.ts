import { type Static, Type } from 'typebox';
import {
  CurrencySchema,
  closed,
  externalId,
  LanguageSchema,
  minorUnits,
  nullable,
  PaymentMethodSchema,
  unixSeconds,
} from '#kernel/fields';

const day = (description: string) => Type.String({ description: `${description}, such as 2026-01-31` });

const epcQr = (of: string) =>
  nullable(
    Type.String({
      description:
        `The text of a QR code that fills in the transfer of ${of} (EPC069-12, version 002). Null if there is nothing to ` +
        'pay or no account, if the currency is not EUR, if no SEPA transfer reaches the account, and if the invoice is ' +
        'collected by direct debit',
    }),
  );

const Beneficiary = closed(
  {
    name: Type.String({ description: 'The holder of the account' }),
    iban: Type.String(),
    bic: nullable(Type.String()),
  },
  'PaymentBeneficiary',
);

const OpenInstalment = closed(
  {
    number: Type.Integer({ description: 'As in the invoice' }),
    due_at: unixSeconds('When it is due'),
    due_on: day("Its day in the platform's time zone"),
    amount: minorUnits('The part that is still owed, with the fee'),
    epc_qr: epcQr('this instalment'),
  },
  'OpenInstallment',
);

const AssignmentNotice = closed(
  {
    language: LanguageSchema,
    text: Type.String({ description: 'Print it on the invoice unchanged; lines are separated by \\n' }),
  },
  'AssignmentNotice',
);

export const PaymentDetails = closed(
  {
    invoice_external_id: externalId('The invoice'),
    beneficiary: nullable({
      ...Beneficiary,
      description:
        "The platform's bank account. Null while the platform has none; the buyer then pays the merchant, unless the claim " +
        'has moved',
    }),
    amount: minorUnits('The outstanding amount of the invoice, with its fee'),
    due_amount: minorUnits(
      'The amount to pay next: the next unpaid instalment and those whose day has come, without what open disputes hold back',
    ),
    currency: CurrencySchema,
    due_at: unixSeconds('When the next unpaid instalment is due; the last one, when all are paid'),
    due_on: day("Its day in the platform's time zone"),
    payment_method: PaymentMethodSchema,
    payment_reference: Type.String({
      description: 'The ISO 11649 creditor reference that the buyer writes on the transfer',
    }),
    epc_qr: epcQr('the whole amount'),
    installments: Type.Array(OpenInstalment, { description: 'The unpaid instalments, in order' }),
    notice_of_assignment: nullable({
      ...AssignmentNotice,
      description:
        "The notice, in the buyer's language, that the claim has moved. The merchant must print it on the invoice. Null while the claim " +
        'belongs to the merchant',
    }),
  },
  'PaymentDetails',
);
export type PaymentDetails = Static<typeof PaymentDetails>;
