import type { LegalForm } from '#kernel/fields';
import type { Language } from '#kernel/language';

/**
 * The full name in one language, then, each after `; `, what companies write for it at their own name. The first of those
 * is shown beside the full name, as in Gesellschaft mit beschränkter Haftung (GmbH), unless it is the full name again.
 */
export type Wording = string;

/**
 * One form of one country.
 *
 * The local code is ours and stable: the country, an underscore, and the customary abbreviation or a short word in plain
 * capitals (DE_GMBH). It is never given to another form, and a form that is abolished keeps it, because companies keep
 * such forms for decades.
 *
 * The ELF code is the one of ISO 20275 for exactly this form; null where the list has none, has it inactive, or splits the
 * form (by state in the US, by board in France). The codes of such parts stand in the tables of further ELF codes. Two
 * forms share a code where the list does not tell them apart, as DE_KG and DE_GMBH_CO_KG; the first one is its answer.
 *
 * A country with several languages has a wording for each. The readings, again each after `; `, are what registries write
 * besides: other names, plurals, codes; never anything that a company would have at its own name.
 */
export type FormRow = readonly [
  code: string,
  elfCode: string | null,
  wording: Wording | Readonly<Partial<Record<Language, Wording>>>,
  readings?: string,
];

export interface CountryForms {
  /** The languages of the wordings, the country's first one first. */
  languages: readonly [Language, ...Language[]];
  /**
   * Null where companies write the form behind the name only. Elsewhere they write it in front as well (UAB Šaltinis, AB
   * Volvo), and these are the abbreviations of two letters that may stand there; of the longer ones all may.
   */
  inFront: readonly string[] | null;
  /**
   * Which of the seven values a form is. PUBLIC_COMPANY is the share company that the law makes for the public, listed or
   * not: for the Union those of Directive (EU) 2017/1132, Annex I. Where the law has one share company for all (US, CA)
   * or a closed kind beside the public one (Zrt., ПрАТ, AB, Oy, AS), the general or closed one is a LIMITED_COMPANY. A
   * partnership limited by shares is a PUBLIC_COMPANY; civil companies, groupings of economic interest and a GmbH & Co. KG
   * are PARTNERSHIPs; companies without limit of liability, associations, foundations, mutual insurers, funds, trusts and
   * branches are OTHER; enterprises and institutions that the state has founded by its own law are GOVERNMENT.
   */
  forms: Readonly<Record<LegalForm, readonly FormRow[]>>;
}

/** Country → local code, or one of the seven values where the table has no such form → codes between white space. */
export type FurtherElfCodes = Readonly<Record<string, Readonly<Record<string, string>>>>;
