/**
 * The marketplace's bank for euros, written without code of the program. It executes pain.001 files, keeps the balance, and reports it in
 * statements and answers.
 */
import { camt053, OUR_IBAN, pain002, type WrittenEntry } from './bank-files.ts';
import { dateOf } from './marketplace-days.ts';
import type { BankTransfer } from './marketplace-second-half.ts';

export interface Instruction {
  /** The id of the file. */
  messageId: string;
  endToEndId: string;
  minor: number;
}

/** The instructions of a pain.001 file, and the sums that its headers claim. */
export function readTransfers(xml: string): { instructions: Instruction[]; claimed: string[] } {
  const messageId = /<MsgId>([^<]+)</.exec(xml)?.[1] as string;
  const instructions = [...xml.matchAll(/<CdtTrfTxInf>([\s\S]*?)<\/CdtTrfTxInf>/g)].map(([, of = '']) => ({
    messageId,
    endToEndId: /<EndToEndId>([^<]+)</.exec(of)?.[1] as string,
    minor: Number(/<InstdAmt Ccy="EUR">(\d+)\.(\d\d)</.exec(of)?.slice(1).join('')),
  }));
  const claimed = [...xml.matchAll(/<(NbOfTxs|CtrlSum)>([^<]+)</g)].map(
    ([, name, value]) => `${name} ${value}`,
  );
  return { instructions, claimed };
}

/** The sums that the headers of a file must claim: both of the group and both of its batch. */
export function claimsOf(instructions: readonly Instruction[]): string[] {
  const cents = instructions.reduce((sum, { minor }) => sum + minor, 0);
  const sum = `${Math.floor(cents / 100)}.${`${cents % 100}`.padStart(2, '0')}`;
  const claims = [`NbOfTxs ${instructions.length}`, `CtrlSum ${sum}`];
  return [...claims, ...claims];
}

export class StoryBank {
  #balance: number;
  #entries: WrittenEntry[] = [];
  #statements = 0;

  constructor(balance: number) {
    this.#balance = balance;
  }

  /** Minor units, as of the last statement. */
  get balance(): number {
    return this.#balance;
  }

  /** Money that others send or collect. `references` are those of the invoices. */
  transfer({ minor, references = [], ...how }: BankTransfer, referenceOf: (invoice: string) => string): void {
    const [reference] = references;
    this.#entries.push({
      amount: minor,
      ...(reference !== undefined && { creditorReference: referenceOf(reference) }),
      ...(how.text !== undefined && { text: how.text }),
      ...(how.endToEndId !== undefined && { endToEndId: how.endToEndId }),
      ...(how.isReversal && { isReversal: true }),
      ...(how.isCharge && { code: ['ACMT', 'MDOP', 'CHRG'], details: null }),
    });
  }

  execute({ endToEndId, minor }: Instruction): void {
    this.#entries.push({ amount: -minor, endToEndId, code: ['PMNT', 'ICDT', 'ESCT'] });
  }

  /** Returns a transfer because the receiver's account is closed: AC04. */
  sendBack({ endToEndId, minor }: Instruction): void {
    this.#entries.push({ amount: minor, endToEndId, returnReason: 'AC04' });
  }

  /** The statement of a day, in alternating versions; null for a day without entries. */
  statementOf(day: number): string | null {
    if (this.#entries.length === 0) return null;
    this.#statements += 1;
    const entries = this.#entries.map((entry, index) => ({ ...entry, reference: `${dateOf(day)}/${index}` }));
    const statement = camt053(
      {
        ...{ iban: OUR_IBAN, id: `STATEMENT-${this.#statements}`, day: dateOf(day) },
        ...{ opening: this.#balance, entries },
      },
      this.#statements % 2 === 0 ? '02' : '08',
    );
    this.#balance += entries.reduce((sum, { amount }) => sum + amount, 0);
    this.#entries = [];
    return statement;
  }
}

/** The answer to a file in which the bank rejects one transfer. */
export const rejectionOf = ({ messageId, endToEndId }: Instruction): string =>
  pain002([{ endToEndId, status: 'RJCT', reason: 'AC04' }], { messageId });
