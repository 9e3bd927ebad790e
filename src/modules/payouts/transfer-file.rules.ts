/** Files that instruct a bank: pain.001.001.09 for SEPA, and CSV for FPS and SWIFT. */
import Builder from 'fast-xml-builder';
import type { Address } from '#kernel/address';
import { csvTable } from '#kernel/csv';
import { type Currency, plainAmount } from '#kernel/currency';
import type { PayoutDetails, PayoutType } from '#modules/payees';
import type { Debtor } from './debtor.ts';
import { transferReference, transferText } from './transfer-text.rules.ts';

/** One payout as a transfer. */
export interface Transfer {
  endToEndId: string;
  amountMinor: number;
  details: PayoutDetails;
  /** The address of the merchant. */
  address: Address;
  /** The payout's external_id, which the merchant sees. */
  reference: string;
}

export interface TransferFile {
  /** At most 35 characters. */
  fileId: string;
  scheme: PayoutType;
  currency: Currency;
  /** The business day of the transfers. */
  executionOn: string;
  /** Unix seconds. */
  createdAt: number;
  debtor: Debtor;
  transfers: readonly Transfer[];
}

/** The largest amount of a SEPA transfer: 999,999,999.99 EUR. */
export const SEPA_AMOUNT_MAX = 99_999_999_999;

const NAME_LENGTH_MAX = 70;
const TOWN_LENGTH_MAX = 35;
const POSTCODE_LENGTH_MAX = 16;
const REMITTANCE_LENGTH_MAX = 140;

export function printTransferFile(file: TransferFile): string {
  return file.scheme === 'SEPA' ? printPain001(file) : csvTable(COLUMNS[file.scheme], csvRowsOf(file));
}

const builder = new Builder({ ignoreAttributes: false, format: true, suppressEmptyNode: true });

/** ISO 20022 pain.001.001.09 by the guideline EPC132-08 of 2023. Contains one payment information block: one account, one day. */
function printPain001(file: TransferFile): string {
  const { fileId, executionOn, createdAt, debtor, transfers } = file;
  const sums = { NbOfTxs: `${transfers.length}`, CtrlSum: sumOf(file) };
  const payer = transferText(debtor.holder, NAME_LENGTH_MAX);
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    Document: {
      '@_xmlns': 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
      CstmrCdtTrfInitn: {
        GrpHdr: {
          MsgId: fileId,
          CreDtTm: new Date(createdAt * 1_000).toISOString().replace('.000Z', 'Z'),
          ...sums,
          InitgPty: { Nm: payer },
        },
        PmtInf: {
          PmtInfId: fileId,
          PmtMtd: 'TRF',
          BtchBookg: 'false',
          ...sums,
          PmtTpInf: { SvcLvl: { Cd: 'SEPA' } },
          ReqdExctnDt: { Dt: executionOn },
          Dbtr: { Nm: payer, ...structuredAddress({ city: debtor.town, country: debtor.country }) },
          DbtrAcct: { Id: { IBAN: debtor.iban } },
          DbtrAgt: {
            FinInstnId: debtor.bic === null ? { Othr: { Id: 'NOTPROVIDED' } } : { BICFI: debtor.bic },
          },
          ChrgBr: 'SLEV',
          CdtTrfTxInf: transfers.map((transfer) => creditTransfer(transfer, file.currency)),
        },
      },
    },
  });
}

function creditTransfer(
  { endToEndId, amountMinor, details, address, reference }: Transfer,
  currency: Currency,
) {
  return {
    PmtId: { InstrId: endToEndId, EndToEndId: endToEndId },
    Amt: { InstdAmt: { '@_Ccy': currency, '#text': plainAmount(amountMinor, currency) } },
    CdtrAgt: { FinInstnId: { BICFI: details.bic } },
    Cdtr: {
      Nm: transferText(details.beneficiary_name as string, NAME_LENGTH_MAX),
      ...structuredAddress(address),
    },
    CdtrAcct: { Id: { IBAN: details.iban } },
    RmtInf: { Ustrd: transferReference(remittanceOf(reference), REMITTANCE_LENGTH_MAX) },
  };
}

/**
 * Town and country with the other known parts, in separate fields: unstructured addresses end in November 2026. Omitted if there is no
 * town that can be written, because a country alone is not an address.
 */
function structuredAddress({
  street,
  house,
  postcode,
  city,
  country,
}: Partial<Address> & Pick<Address, 'city' | 'country'>): object {
  const town = transferText(city ?? '', TOWN_LENGTH_MAX);
  if (town === '' || country === null) return {};
  const written = {
    StrtNm: transferText(street ?? '', NAME_LENGTH_MAX),
    BldgNb: transferText(house ?? '', POSTCODE_LENGTH_MAX),
    PstCd: transferText(postcode ?? '', POSTCODE_LENGTH_MAX),
    TwnNm: town,
    Ctry: country,
  };
  return { PstlAdr: Object.fromEntries(Object.entries(written).filter(([, text]) => text !== '')) };
}

const remittanceOf = (reference: string) => `Payout ${reference}`;

/** Summed in minor units, so the sum is exact. */
function sumOf({ transfers, currency }: TransferFile): string {
  return plainAmount(
    transfers.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n),
    currency,
  );
}

const COMMON = ['end_to_end_id', 'execution_on', 'currency', 'amount', 'beneficiary_name'] as const;
const COLUMNS = {
  FPS: [...COMMON, 'sort_code', 'account_number', 'reference'],
  SWIFT: [
    ...COMMON,
    'account_number',
    'bic',
    'bank_name',
    'bank_address',
    ...(['beneficiary_street', 'beneficiary_house', 'beneficiary_postcode'] as const),
    ...(['beneficiary_town', 'beneficiary_country', 'reference'] as const),
  ],
} as const;

/** The reference of a Faster Payment has at most 18 characters, and the remittance of a SWIFT transfer at most 140. */
const REFERENCE_LENGTH_MAX = { FPS: 18, SWIFT: REMITTANCE_LENGTH_MAX } as const;

function csvRowsOf({ scheme, currency, executionOn, transfers }: TransferFile) {
  const kind = scheme === 'FPS' ? 'FPS' : 'SWIFT';
  return transfers.map(({ endToEndId, amountMinor, details, address, reference }) => ({
    end_to_end_id: endToEndId,
    execution_on: executionOn,
    currency,
    amount: plainAmount(amountMinor, currency),
    beneficiary_name: transferText(details.beneficiary_name as string, NAME_LENGTH_MAX),
    sort_code: details.sort_code ?? null,
    account_number: details.account_number ?? null,
    bic: details.bic ?? null,
    bank_name: transferText(details.bank_name ?? '', NAME_LENGTH_MAX * 2),
    bank_address: transferText(details.bank_address ?? '', NAME_LENGTH_MAX * 2),
    beneficiary_street: transferText(address.street ?? '', NAME_LENGTH_MAX),
    beneficiary_house: transferText(address.house ?? '', POSTCODE_LENGTH_MAX),
    beneficiary_postcode: transferText(address.postcode ?? '', POSTCODE_LENGTH_MAX),
    beneficiary_town: transferText(address.city ?? '', TOWN_LENGTH_MAX),
    beneficiary_country: address.country,
    reference: transferReference(
      kind === 'FPS' ? reference : remittanceOf(reference),
      REFERENCE_LENGTH_MAX[kind],
    ),
  }));
}
