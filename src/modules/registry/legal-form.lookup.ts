/** Looks up a legal form by its spelling or its ELF code, in one country and worldwide. */
import type { LegalForm } from '#kernel/fields';
import { compactKey, headsOf, tailsOf } from './legal-form.spelling.ts';
import { FURTHER_ELF_CODES } from './legal-forms/further-elf-codes.ts';
import { COUNTRY_FORMS, LOCAL_FORMS, type LocalForm, type TabledCountry } from './legal-forms/local-forms.ts';

/** A form, or several if countries share a spelling. */
export type Found = readonly [LocalForm, ...LocalForm[]];

/** The spellings of one country, or of all, by key. */
export interface Spellings {
  affixes: ReadonlyMap<string, Found>;
  /** The affixes that can also precede a name. */
  inFront: ReadonlyMap<string, Found>;
  readings: ReadonlyMap<string, Found>;
  /** All endings of the affixes and of the affixes in front. */
  tails: ReadonlySet<string>;
  heads: ReadonlySet<string>;
}

/** The legal form of an ELF code, and the local form if a table has one for it. */
export interface ElfForm {
  country: string;
  legalForm: LegalForm;
  localCode: string | null;
}

/** Longer spellings, such as full names, are not words of another language. */
const SURE_LENGTH = 12;

/** Abbreviations and single words that mean a legal form after any name. */
const KNOWN_BEHIND = `AG; KG; UG; SE; SA; NV; BV; AB; Oy; AS; OÜ; LP; ApS; ASA; GbR; OHG; mbH; Inc; Ltd; LLC; LLP; LLLP; PLC;
  Corp; Oyj; Abp; SAS; SRL; SpA; SNC; VOF; Kft; Zrt; Nyrt; s.r.o.; d.o.o.; UAB; SIA; Lda; SLU; SAU; Pty; P/L; JSC; PJSC; Pty Ltd;
  GmbH; gGmbH; KGaA; BVBA; CVBA; SPRL; SARL; S.à r.l.; Sagl; EURL; SASU; SRLS; Ltée; Limited; Limitada; Corporation;
  Incorporated; sp. z o.o.; sp.k.; sp.j.; spol. s r.o.; Ltd. Şti.; Co. Ltd.; Co., Inc.; EOOD; OOD; EAD; TOV; Eingetragener Verein;
  ASBL; VZW; Teoranta; Limitée; Oy Ab; ULC; PLLC; GmbH & Co. KG; GmbH & Co.; S. Coop.; Soc. coop.; j.d.o.o.; akc. spol.;
  Aktiebolag; Osakeyhtiö; Osaühing; Aktsiaselts; NPO法人; (株); (有)`;

/** Spellings that mean a legal form before any name. */
const KNOWN_IN_FRONT = `AB; UAB; SIA; OÜ; Oy; SARL; SAS; SASU; EURL; SCI; VšĮ; TOV; Aktiebolaget; Aktieselskabet; Osaühing;
  Aktsiaselts; ApS; NPO法人; (株); (有)`;

const HAS_LATIN = /[a-z]/;
const IDEOGRAPH = /\p{Script=Han}/u;

const HOME: ReadonlyMap<string, Spellings> = new Map(
  [...LOCAL_FORMS].map(([country, forms]) => {
    const { inFront } = COUNTRY_FORMS[country as TabledCountry];
    const short = new Set(inFront?.map(compactKey));
    const mayLead = (key: string) =>
      IDEOGRAPH.test(key) || (inFront !== null && (key.length > 2 || short.has(key)));
    return [country, spellings(byKey(forms, 'affixes'), byKey(forms, 'readings'), mayLead)];
  }),
);

export const WORLD: Spellings = worldwide();

/** Keys that are written to a name without a space, longest first: 株式会社サントリー. */
export const WRITTEN_TOGETHER: readonly string[] = [...WORLD.affixes.keys()]
  .filter((key) => key.length > 1 && IDEOGRAPH.test(key))
  .sort((a, b) => b.length - a.length);

/** The length of the longest spelling. */
export const KEY_LENGTH_MAX = Math.max(...[...WORLD.readings.keys()].map((key) => key.length));

/** The spellings of the country (ISO 3166-1 alpha-2); undefined for a country without a table. */
export function spellingsOf(country: string): Spellings | undefined {
  return HOME.get(country);
}

const ELF_FORMS: ReadonlyMap<string, ElfForm> = elfForms();

/**
 * The form of an ISO 20275 code in capitals. Undefined for a code of a country without a table, and for 8888 and 9999.
 */
export function elfForm(code: string): ElfForm | undefined {
  return ELF_FORMS.get(code);
}

function byKey(forms: readonly LocalForm[], list: 'affixes' | 'readings'): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const form of forms) {
    for (const key of form[list].map(compactKey)) {
      const known = found.get(key);
      if (known === undefined) found.set(key, [form]);
      // A country's first form with a spelling has it; other countries may have it too.
      else if (known.every(({ country }) => country !== form.country)) found.set(key, [...known, form]);
    }
  }
  return found;
}

function worldwide(): Spellings {
  const behind = keysOf(KNOWN_BEHIND);
  const front = keysOf(KNOWN_IN_FRONT);
  const isSure = (key: string) => key.length >= SURE_LENGTH || (!HAS_LATIN.test(key) && key.length > 1);
  const forms = [...LOCAL_FORMS.values()].flat();
  const affixes = [...byKey(forms, 'affixes')].filter(([key]) => behind.has(key) || isSure(key));
  const leads = new Set([...HOME.values()].flatMap(({ inFront }) => [...inFront.keys()]));
  const mayLead = (key: string) => front.has(key) || (leads.has(key) && isSure(key));
  return spellings(new Map(affixes), byKey(forms, 'readings'), mayLead);
}

function spellings(
  affixes: Map<string, Found>,
  readings: Map<string, Found>,
  mayLead: (key: string) => boolean,
): Spellings {
  const inFront = new Map([...affixes].filter(([key]) => mayLead(key)));
  return {
    affixes,
    inFront,
    readings,
    tails: tailsOf(affixes.keys()),
    heads: headsOf(inFront.keys()),
  };
}

function keysOf(words: string): Set<string> {
  return new Set(words.split(';').map(compactKey));
}

function elfForms(): Map<string, ElfForm> {
  const found = new Map<string, ElfForm>();
  for (const [country, forms] of LOCAL_FORMS) {
    const byCode = new Map(forms.map((form) => [form.code, form]));
    for (const { elfCode, legalForm, code } of forms) {
      if (elfCode !== null && !found.has(elfCode))
        found.set(elfCode, { country, legalForm, localCode: code });
    }
    for (const [name, codes] of Object.entries(FURTHER_ELF_CODES[country] ?? {})) {
      const form = byCode.get(name);
      const legalForm = form?.legalForm ?? (name as LegalForm);
      for (const code of codes.trim().split(/\s+/))
        found.set(code, { country, legalForm, localCode: form?.code ?? null });
    }
  }
  return found;
}
