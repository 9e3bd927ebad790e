/** What stands around a legal form at a company's name, and is no part of the name either. */
import type { Dictionary } from './legal-form.runs.ts';
import { compactKey, tailsOf } from './legal-form.spelling.ts';

/** Written behind the form of a company that is being founded, wound up or insolvent. */
const IN_LIQUIDATION = `in Liquidation; i.L.; i.Liq.; in Liqu.; in Abwicklung; in Insolvenz; i.I.; in Gründung; i.G.; i.Gr.;
  en liquidation; en liquidation judiciaire; en redressement judiciaire; en formation; in liquidatie; in vereffening; in oprichting;
  i.o.; in liquidazione; in liq.; in fallimento; in concordato preventivo; in amministrazione straordinaria; en liquidación;
  en concurso; en constitución; em liquidação; em insolvência; in administration; in receivership; under administration;
  w likwidacji; w upadłości; w upadłości likwidacyjnej; w organizacji; w restrukturyzacji; v likvidaci; v konkursu; v likvidácii;
  v konkurze; felszámolás alatt; végelszámolás alatt; kényszertörlés alatt; f.a.; v.a.; în lichidare; în insolvență; în faliment;
  в ликвидация; в несъстоятелност; u likvidaciji; u stečaju; v likvidaciji; v stečaju; likviduojama; bankrutuojanti; bankrutavusi;
  likvidējamā; likvideerimisel; pankrotis; i likvidation; i konkurs; under konkurs; under tvangsopløsning; under avvikling;
  under frivillig likvidation; selvitystilassa; konkurssissa; υπό εκκαθάριση; υπό πτώχευση; tasfiye halinde; в стані припинення`;

/** Written before a name whose form stands behind it, and saying no more than company: S.C. Foo S.R.L. */
const MERE_COMPANY: Readonly<Record<string, string>> = {
  RO: 'S.C.; Societatea; Societatea Comercială; Societate Comercială',
  TR: 'Tasfiye Halinde; T.H.',
  UA: 'Фірма',
};

const inLiquidation = keysOf(IN_LIQUIDATION);
const liquidationTails = tailsOf(inLiquidation);

/** Read from behind. */
export const LIQUIDATION: Dictionary<true> = {
  meaningOf: (key) => inLiquidation.has(key) || undefined,
  mayGrow: (key) => liquidationTails.has(key),
};

const mereCompanies = new Map(
  Object.entries(MERE_COMPANY).map(([country, words]) => [country, keysOf(words)]),
);

/** Read from the front, in this country. */
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
