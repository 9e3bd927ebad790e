/** A statement of the demo's bank: camt.053.001.08, with the fields that Tradeline reads. */
import { plainAmount } from '#kernel/currency';

/** The example account of the IBAN registry, which the demo's platform uses. */
export const EXAMPLE_IBAN = 'DE89370400440532013000';

/** A booked entry in euro cents, below zero for money that went out. */
export interface DemoEntry {
  minor: number;
  reference: string;
  /** The sub-family of its ISO code: ESCT is a transfer, CHRG a charge. */
  code: 'ESCT' | 'CHRG';
  endToEndId?: string;
  creditorReference?: string;
  text?: string;
}

export interface DemoStatement {
  /** Days such as 2026-01-31: entries are booked on the last one. */
  fromOn: string;
  bookedOn: string;
  openingMinor: number;
  entries: readonly DemoEntry[];
}

export function demoStatement({ fromOn, bookedOn, openingMinor, entries }: DemoStatement): string {
  const closingMinor = entries.reduce((sum, { minor }) => sum + minor, openingMinor);
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>DEMO</MsgId><CreDtTm>${bookedOn}T20:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>DEMO</Id><FrToDt><FrDtTm>${fromOn}T00:00:00Z</FrDtTm><ToDtTm>${bookedOn}T23:59:59Z</ToDtTm></FrToDt>
<Acct><Id><IBAN>${EXAMPLE_IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>
${balanceXml('OPBD', openingMinor, fromOn)}
${balanceXml('CLBD', closingMinor, bookedOn)}
${entries.map((entry) => entryXml(entry, bookedOn)).join('\n')}
</Stmt></BkToCstmrStmt></Document>
`;
}

const amountXml = (minor: number) =>
  `<Amt Ccy="EUR">${plainAmount(Math.abs(minor), 'EUR')}</Amt><CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;

function balanceXml(code: 'OPBD' | 'CLBD', minor: number, day: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amountXml(minor)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
}

function entryXml({ minor, reference, code, ...detail }: DemoEntry, bookedOn: string): string {
  const family = minor < 0 ? 'ICDT' : 'RCDT';
  const { endToEndId, creditorReference, text } = detail;
  const refs = endToEndId === undefined ? '' : `<Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>`;
  const structured =
    creditorReference === undefined
      ? ''
      : `<Strd><CdtrRefInf><Ref>${creditorReference}</Ref></CdtrRefInf></Strd>`;
  const remittance = (text === undefined ? '' : `<Ustrd>${text}</Ustrd>`) + structured;
  const details = refs + amountXml(minor) + (remittance === '' ? '' : `<RmtInf>${remittance}</RmtInf>`);
  return `<Ntry>${amountXml(minor)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${bookedOn}</Dt></BookgDt>
<AcctSvcrRef>${reference}</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${code}</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls>${details}</TxDtls></NtryDtls></Ntry>`;
}
