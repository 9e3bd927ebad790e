/** Text around a legal form that is not part of the company's name either. */
import type { Dictionary } from './legal-form.runs.ts';
import { compactKey, tailsOf } from './legal-form.spelling.ts';

/** Written after the form of a company that is being founded, wound up or insolvent. */
const IN_LIQUIDATION = `in Liquidation; i.L.; i.Liq.; in Liqu.; in Abwicklung; in Insolvenz; i.I.; in Gründung; i.G.; i.Gr.;
  en liquidation; en liquidation judiciaire; en redressement judiciaire; en formation; in liquidatie; in vereffening; in oprichting;
  i.o.; in liquidazione; in liq.; in fallimento; in concordato preventivo; in amministrazione straordinaria; en liquidación;
  en concurso; en constitución; em liquidação; em insolvência; in administration; in receivership; under administration;
  w likwidacji; w upadłości; w upadłości likwidacyjnej; w organizacji; w restrukturyzacji; v likvidaci; v konkursu; v likvidácii;
  v konkurze; felszámolás alatt; végelszámolás alatt; kényszertörlés alatt; f.a.; v.a.; în lichidare; în insolvență; în faliment;
  в ликвидация; в несъстоятелност; u likvidaciji; u stečaju; v likvidaciji; v stečaju; likviduojama; bankrutuojanti; bankrutavusi;
  likvidējamā; likvideerimisel; pankrotis; i likvidation; i konkurs; under konkurs; under tvangsopløsning; under avvikling;
  under frivillig likvidation; selvitystilassa; konkurssissa; υπό εκκαθάριση; υπό πτώχευση; tasfiye halinde; в стані припинення`;

/** Written before a name whose form follows it, and meaning only "company": S.C. Foo S.R.L. */
const MERE_COMPANY: Readonly<Record<string, string>> = {
  RO: 'S.C.; Societatea; Societatea Comercială; Societate Comercială',
  TR: 'Tasfiye Halinde; T.H.',
  UA: 'Фірма',
};

const inLiquidation = keysOf(IN_LIQUIDATION);
const liquidationTails = tailsOf(inLiquidation);

/** Read from the end of a name. */
export const LIQUIDATION: Dictionary<true> = {
  meaningOf: (key) => inLiquidation.has(key) || undefined,
  mayGrow: (key) => liquidationTails.has(key),
};

const mereCompanies = new Map(
  Object.entries(MERE_COMPANY).map(([country, words]) => [country, keysOf(words)]),
);

/** Read from the beginning of a name, in this country. */
export function mereCompany(country: string): Dictionary<true> {
  const keys = mereCompanies.get(country);
  return {
    meaningOf: (key) => keys?.has(key) || undefined,
    mayGrow: () => keys !== undefined,
  };
}

function keysOf(words: string): ReadonlySet<string> {
  return new Set(words.split(';').map(compactKey));
}
