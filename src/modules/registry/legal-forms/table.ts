import type { LegalForm } from '#kernel/fields';
import type { Language } from '#kernel/language';

/**
 * The full name in one language and then, each after `; `, the spellings that companies use in their names. The first
 * spelling is shown beside the full name, as in Gesellschaft mit beschränkter Haftung (GmbH), unless both are the same.
 */
export type Wording = string;

/**
 * One form of one country.
 *
 * The local code is ours and stable: the country, an underscore, and the customary abbreviation or a short word in
 * plain capitals (DE_GMBH). It is never reused, and an abolished form keeps it, because companies keep such forms for
 * decades.
 *
 * The ELF code is that of ISO 20275 for exactly this form. It is null if the list has none, has it inactive, or splits
 * the form (by state in the US, by board in France); the tables of further ELF codes have those parts. Two forms share
 * a code if the list does not distinguish them, as DE_KG and DE_GMBH_CO_KG; the code then means the first one.
 *
 * A country with several languages has a wording for each. The readings, each after `; `, are what registries write in
 * addition: other names, plurals, codes. They never contain anything that a company has in its name.
 */
export type FormRow = readonly [
  code: string,
  elfCode: string | null,
  wording: Wording | Readonly<Partial<Record<Language, Wording>>>,
  readings?: string,
];

export interface CountryForms {
  /** The languages of the wordings, the main one first. */
  languages: readonly [Language, ...Language[]];
  /**
   * Null if companies write the form only after the name. Otherwise they also write it before the name (UAB Šaltinis,
   * AB Volvo): then these are the abbreviations of two letters that can precede a name; all longer ones can.
   */
  inFront: readonly string[] | null;
  /**
   * The value of each form. PUBLIC_COMPANY is the share company that the law makes for the public, listed or not: in
   * the European Union those of Directive (EU) 2017/1132, Annex I. If the law has one share company for all (US, CA),
   * or a closed kind and a public one (Zrt., ПрАТ, AB, Oy, AS), the general or closed one is a LIMITED_COMPANY. A
   * partnership limited by shares is a PUBLIC_COMPANY. Civil companies, economic interest groupings and a GmbH & Co. KG
   * are PARTNERSHIPs. Unlimited companies, associations, foundations, mutual insurers, funds, trusts and branches are
   * OTHER. Enterprises and institutions that the state founded by law are GOVERNMENT.
   */
  forms: Readonly<Record<LegalForm, readonly FormRow[]>>;
}

/** Country → local code, or one of the seven values if the table has no such form → codes separated by white space. */
export type FurtherElfCodes = Readonly<Record<string, Readonly<Record<string, string>>>>;
