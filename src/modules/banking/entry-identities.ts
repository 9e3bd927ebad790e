/** The identities of entries, regardless of how often and in which documents the bank reports them. */

import { type AlikeEntry, paymentTextOf, takeAlike } from './alike-entries.rules.ts';
import type { BankAccountRow } from './bank-account.queries.ts';
import { findAlikeEntries, insertAlikeEntries } from './bank-entry.queries.ts';
import type { BankingContext } from './banking-context.ts';
import type { BankEntryRecord, StatementBegin } from './formats/bank-document.ts';

/** The number of entries looked up first for each name, and the factor for each further lookup. */
const ALIKE_AT_FIRST = 4;
const ALIKE_FACTOR = 4;

export interface EntryIdentity {
  mac: Buffer;
  /** A keyed hash of the payment text to store for an entry without reference; null if there is none to store. */
  paymentMac: Buffer | null;
}

/** The identities of the entries of one document. */
export class EntryIdentities {
  readonly #context: BankingContext;
  readonly #account: BankAccountRow;
  readonly #type: StatementBegin['type'];
  /** The number of known entries with the same name: of this document, and, without a reference, of all documents. */
  readonly #counts = new Map<string, number>();
  /** Known entries without a reference that the document has not named yet. */
  readonly #alike = new Map<string, AlikeEntry[]>();

  constructor(context: BankingContext, account: BankAccountRow, type: StatementBegin['type']) {
    this.#context = context;
    this.#account = account;
    this.#type = type;
  }

  /** Returns the identities in the order of the records. */
  async identify(records: readonly BankEntryRecord[]): Promise<EntryIdentity[]> {
    const identities = new Map<BankEntryRecord, EntryIdentity>();
    const alike = records.filter(({ bankReference }) => bankReference === '');
    await this.#load([...new Set(alike.map(nameOf))].filter((name) => !this.#counts.has(name)));
    for (const [name, group] of Map.groupBy(alike, nameOf))
      for (const [record, identity] of this.#identifyAlike(name, group)) identities.set(record, identity);
    return records.map(
      (record) => identities.get(record) ?? { mac: this.#nextMac(nameOf(record)), paymentMac: null },
    );
  }

  /** Stores the payment texts of the document for entries that are written. */
  async keep(identities: readonly EntryIdentity[]): Promise<void> {
    const { db, platformId } = this.#context;
    const said = identities.flatMap(({ mac, paymentMac }) =>
      paymentMac === null ? [] : [{ identityMac: mac, paymentMac }],
    );
    if (said.length === 0) return;
    await insertAlikeEntries(db, platformId, { account: this.#account.external_id, type: this.#type }, said);
  }

  #identifyAlike(name: string, records: readonly BankEntryRecord[]): [BankEntryRecord, EntryIdentity][] {
    const payments = records.map((record) => this.#paymentMac(record));
    const known = this.#alike.get(name) ?? [];
    const taken = takeAlike(
      payments.map((payment) => payment?.toString('hex') ?? null),
      known,
      this.#type,
    );
    if (known.length > 0)
      this.#alike.set(
        name,
        known.filter((entry) => !taken.includes(entry)),
      );
    return records.map((record, index) => {
      const entry = taken[index];
      const isSaid = entry && (this.#type === 'STATEMENT' ? entry.stated : entry.notified) !== null;
      const paymentMac = isSaid ? null : (payments[index] ?? null);
      return [record, { mac: entry?.identityMac ?? this.#nextMac(name), paymentMac }];
    });
  }

  #paymentMac(record: BankEntryRecord): Buffer | null {
    const text = paymentTextOf(record);
    return text === null ? null : this.#context.vault.mac('bank_alike_entries/payment', text);
  }

  #nextMac(name: string): Buffer {
    const occurrence = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, occurrence);
    return this.#macOf(name, occurrence);
  }

  /** Occurrences of a name are numbered without gaps, in the order in which they became known. */
  async #load(names: readonly string[], after = 0, count = ALIKE_AT_FIRST): Promise<void> {
    if (names.length === 0) return;
    const { db, platformId } = this.#context;
    const numbers = Array.from({ length: count }, (_, index) => after + index + 1);
    const macs = names.map((name) => numbers.map((number) => this.#macOf(name, number)));
    const found = await findAlikeEntries(db, platformId, this.#account.external_id, macs.flat());
    const byMac = new Map(found.map((entry) => [entry.identityMac.toString('hex'), entry]));
    const more = names.filter((name, index) => {
      const entries = (macs[index] ?? []).flatMap((mac) => byMac.get(mac.toString('hex')) ?? []);
      this.#counts.set(name, after + entries.length);
      if (entries.length > 0) this.#alike.set(name, [...(this.#alike.get(name) ?? []), ...entries]);
      return entries.length === count;
    });
    await this.#load(more, after + count, count * ALIKE_FACTOR);
  }

  #macOf(name: string, occurrence: number): Buffer {
    return this.#context.vault.mac('bank_entries/identity', `${name} ${occurrence}`);
  }
}

/** Bank reference, amount, day, and whether it reverses another. Two alike entries in one document are two, so identities are numbered. */
const nameOf = ({ bankReference, amountMinor, bookedOn, isReversal }: BankEntryRecord): string =>
  JSON.stringify([bankReference, amountMinor, bookedOn, isReversal]);
