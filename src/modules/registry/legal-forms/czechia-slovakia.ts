import type { CountryForms } from './table.ts';

export const CZ: CountryForms = {
  languages: ['CS'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      ['CZ_SRO', '9HLU', 'Společnost s ručením omezeným; s.r.o.; spol. s r.o.; společnost s r.o.'],
    ],
    PUBLIC_COMPANY: [
      ['CZ_AS', '6CQN', 'Akciová společnost; a.s.; akc. spol.'],
      ['CZ_SE', 'ZQO8', 'Evropská společnost; SE; Societas Europaea'],
      ['CZ_KSA', '747U', 'Společnost komanditní na akcie'],
    ],
    PARTNERSHIP: [
      ['CZ_VOS', '5KU5', 'Veřejná obchodní společnost; v.o.s.; veř. obch. spol.'],
      ['CZ_KS', 'CD28', 'Komanditní společnost; k.s.; kom. spol.', 'Společnost komanditní'],
      ['CZ_EHZS', 'RBGQ', 'Evropské hospodářské zájmové sdružení; EHZS'],
    ],
    SOLE_TRADER: [
      [
        'CZ_OSVC',
        '95G8',
        'Podnikající fyzická osoba; OSVČ',
        'Podnikající fyzická osoba tuzemská; Fyzická osoba podnikající dle živnostenského zákona; Fyzická osoba podnikající dle živnostenského zákona nezapsaná v obchodním rejstříku; Fyzická osoba podnikající dle jiných zákonů než živnostenského a zákona o zemědělství; Zahraniční fyzická osoba; Živnostník; Fyzická osoba; Osoba samostatně výdělečně činná; Zemědělský podnikatel - fyzická osoba',
      ],
    ],
    COOPERATIVE: [
      [
        'CZ_DRUZSTVO',
        '9RVC',
        'Družstvo; družstvo',
        'Jiné družstvo; Výrobní družstvo; Spotřební družstvo; Zemědělské družstvo',
      ],
      ['CZ_BD', 'T3Q1', 'Bytové družstvo'],
      ['CZ_SCE', 'T1FT', 'Evropská družstevní společnost; SCE'],
    ],
    GOVERNMENT: [
      ['CZ_OSS', 'LJL0', 'Organizační složka státu', 'Ministerstvo'],
      [
        'CZ_OBEC',
        'J8PB',
        'Obec',
        'Obec nebo městská část hlavního města Prahy; Město; Městská část, městský obvod; Statutární město',
      ],
      ['CZ_KRAJ', 'QIEL', 'Kraj'],
      [
        'CZ_PO',
        'MBUU',
        'Příspěvková organizace; p.o.; příspěvková organizace',
        'Příspěvková organizace zřízená územním samosprávným celkem; Státní příspěvková organizace',
      ],
      ['CZ_SP', '6FAI', 'Státní podnik; s.p.; státní podnik', 'Státní organizace'],
      ['CZ_NP', 'UFDA', 'Národní podnik; n.p.'],
      ['CZ_VVI', 'CIO8', 'Veřejná výzkumná instituce; v.v.i.'],
      ['CZ_VYSOKA_SKOLA', 'OVKW', 'Vysoká škola (veřejná, státní)', 'Veřejná vysoká škola; Vysoká škola'],
    ],
    OTHER: [
      ['CZ_ZS', 'CATU', 'Spolek; z.s.', 'Zapsaný spolek; Občanské sdružení; Pobočný spolek'],
      ['CZ_OPS', 'BL4B', 'Obecně prospěšná společnost; o.p.s.'],
      ['CZ_ZU', 'QJ0F', 'Ústav; z.ú.', 'Zapsaný ústav'],
      ['CZ_NADACE', '3G3D', 'Nadace'],
      ['CZ_NF', 'QS6A', 'Nadační fond'],
      ['CZ_SVJ', 'IQ9O', 'Společenství vlastníků jednotek', 'SVJ; Společenství vlastníků'],
      [
        'CZ_CIRKEV',
        'FY1B',
        'Církev nebo náboženská společnost',
        'Církve a náboženské společnosti; Církevní organizace; Evidované církevní právnické osoby',
      ],
      [
        'CZ_ODSTEPNY_ZAVOD',
        'WUFK',
        'Odštěpný závod; odštěpný závod; o.z.; organizační složka',
        'Odštěpný závod zahraniční právnické osoby; Zahraniční osoba; Organizační složka zahraniční právnické osoby',
      ],
    ],
  },
};

export const SK: CountryForms = {
  languages: ['SK'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'SK_SRO',
        'VSZS',
        'Spoločnosť s ručením obmedzeným; s.r.o.; spol. s r.o.; spoločnosť s r.o.; spol. s ručením obmedzeným',
      ],
      ['SK_JSA', 'D18J', 'Jednoduchá spoločnosť na akcie; j.s.a.', 'Jednoduchá spol. na akcie'],
    ],
    PUBLIC_COMPANY: [
      ['SK_AS', '2EEG', 'Akciová spoločnosť; a.s.; akc. spol.'],
      ['SK_SE', 'BUMI', 'Európska spoločnosť; SE; Societas Europaea'],
      ['SK_KSA', 'QCJ9', 'Spoločnosť komanditná na akcie', 'Spol. kom. na akcie'],
    ],
    PARTNERSHIP: [
      ['SK_VOS', '5J5Y', 'Verejná obchodná spoločnosť; v.o.s.; ver. obch. spol.'],
      ['SK_KS', 'KB52', 'Komanditná spoločnosť; k.s.; kom. spol.'],
      ['SK_EZHZ', 'YVE8', 'Európske zoskupenie hospodárskych záujmov; EZHZ'],
    ],
    SOLE_TRADER: [
      [
        'SK_ZIVNOSTNIK',
        'C4PZ',
        'Podnikateľ – fyzická osoba nezapísaná v obchodnom registri',
        'Živnostník; Podnikateľ-fyzická osoba-nezapísaný v obchodnom registri; Fyzická osoba; SZČO; Samostatne zárobkovo činná osoba; Samostatne podnikajúca fyzická osoba; Slobodné povolanie; Slobodné povolanie-fyzická osoba podnikajúca na základe iného ako živnostenského zákona',
      ],
      [
        'SK_ZIVNOSTNIK_OR',
        'SPIE',
        'Podnikateľ – fyzická osoba zapísaná v obchodnom registri',
        'Podnikateľ-fyzická osoba-zapísaný v obchodnom registri; Živnostník v OR',
      ],
      [
        'SK_SHR',
        '6R72',
        'Samostatne hospodáriaci roľník; SHR',
        'Samostatne hospodáriaci roľník nezapísaný v obchodnom registri; Samostatne hospodáriaci roľník zapísaný v obchodnom registri',
      ],
    ],
    COOPERATIVE: [
      ['SK_DRUZSTVO', 'I7AS', 'Družstvo; družstvo', 'Iné družstvo; Výrobné družstvo; Spotrebné družstvo'],
      ['SK_PD', '9L9V', 'Poľnohospodárske družstvo'],
      ['SK_BD', 'E4CI', 'Bytové družstvo'],
      ['SK_SCE', '7O89', 'Európske družstvo; SCE'],
    ],
    GOVERNMENT: [
      ['SK_RO', '1HEP', 'Rozpočtová organizácia', 'Rozpočtové a príspevkové organizácie'],
      ['SK_PO', '43MZ', 'Príspevková organizácia; príspevková organizácia'],
      ['SK_SP', 'Y1X5', 'Štátny podnik; š.p.; štátny podnik'],
      [
        'SK_OBEC',
        'L9WT',
        'Obec, mesto',
        'Obec (obecný úrad), mesto (mestský úrad); Obec; Mesto; Obecný úrad',
      ],
      [
        'SK_VUC',
        '73MQ',
        'Samosprávny kraj',
        'Samosprávny kraj (úrad samosprávneho kraja); VÚC; Krajský úrad',
      ],
      ['SK_VPI', 'YF99', 'Verejnoprávna inštitúcia'],
      ['SK_VYSOKA_SKOLA', 'HZG7', 'Vysoká škola'],
    ],
    OTHER: [
      [
        'SK_OZ',
        'RF3D',
        'Občianske združenie; o.z.',
        'Združenie (zväz, spolok, spoločnosť, klub ai.); Združenie; Spolok; Klub',
      ],
      [
        'SK_NO',
        'VRJP',
        'Nezisková organizácia poskytujúca všeobecne prospešné služby; n.o.',
        'Nezisková organizácia',
      ],
      ['SK_NADACIA', 'U7QK', 'Nadácia'],
      ['SK_NF', '9NSV', 'Neinvestičný fond; n.f.'],
      ['SK_ZZPO', 'SIRY', 'Záujmové združenie právnických osôb; z.z.p.o.'],
      [
        'SK_VLASTNICI',
        'ZG2I',
        'Spoločenstvo vlastníkov',
        'Spoločenstvá vlastníkov pozemkov, bytov a pod.; Spoločenstvo vlastníkov bytov a nebytových priestorov; Pozemkové spoločenstvo',
      ],
      ['SK_CIRKEV', 'GY5R', 'Cirkevná organizácia'],
      [
        'SK_ORG_ZLOZKA',
        'J8DW',
        'Organizačná zložka podniku zahraničnej osoby; Organizačná zložka podniku zahraničnej osoby; organizačná zložka; organizačná zložka zahraničnej osoby',
        'Podnik zahraničnej osoby (organizačná zložka podniku zahraničnej osoby); Organizačná zložka podniku; Zahraničná osoba; Odštepný závod',
      ],
    ],
  },
};
