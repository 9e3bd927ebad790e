import type { CountryForms } from './table.ts';

export const PL: CountryForms = {
  languages: ['PL'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'PL_SPZOO',
        'O7XB',
        'Spółka z ograniczoną odpowiedzialnością; sp. z o.o.; spółka z o.o.; S. z o.o.; spółka z ogr. odp.; sp. z ograniczoną odpowiedzialnością',
      ],
      ['PL_PSA', 'B21W', 'Prosta spółka akcyjna; P.S.A.'],
    ],
    PUBLIC_COMPANY: [
      ['PL_SA', 'FJ0E', 'Spółka akcyjna; S.A.', 'Sp. akc.'],
      ['PL_SKA', 'OMX0', 'Spółka komandytowo-akcyjna; S.K.A.'],
      ['PL_SE', 'J3A3', 'Spółka europejska; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['PL_SPK', 'BSJT', 'Spółka komandytowa; sp.k.; sp. kom.'],
      ['PL_SPJ', '629I', 'Spółka jawna; sp.j.; s.j.'],
      ['PL_SPP', '3BJG', 'Spółka partnerska; sp.p.'],
      ['PL_SC', 'YLZL', 'Spółka cywilna; s.c.'],
      ['PL_EZIG', '85PM', 'Europejskie zgrupowanie interesów gospodarczych; EZIG'],
    ],
    SOLE_TRADER: [
      [
        'PL_JDG',
        'ZVVM',
        'Osoba fizyczna prowadząca działalność gospodarczą',
        'JDG; Jednoosobowa działalność gospodarcza; Indywidualna działalność gospodarcza; Osoby fizyczne prowadzące działalność gospodarczą; Działalność gospodarcza osoby fizycznej; Przedsiębiorca; Osoba fizyczna',
      ],
    ],
    COOPERATIVE: [
      [
        'PL_SPOLDZIELNIA',
        '8TOF',
        'Spółdzielnia',
        'Spółdzielnie; Spółdzielnia europejska; Spółdzielnia mieszkaniowa; Bank spółdzielczy',
      ],
      ['PL_SKOK', 'H7OD', 'Spółdzielcza kasa oszczędnościowo-kredytowa; SKOK'],
    ],
    GOVERNMENT: [
      ['PL_SKARB_PANSTWA', 'F21U', 'Skarb Państwa'],
      [
        'PL_JST',
        'T7PB',
        'Wspólnota samorządowa',
        'Wspólnoty samorządowe; Jednostka samorządu terytorialnego; Gmina; Powiat; Województwo; Miasto na prawach powiatu',
      ],
      ['PL_PP', 'SMIS', 'Przedsiębiorstwo państwowe; P.P.', 'Przedsiębiorstwa państwowe'],
      [
        'PL_PJO',
        'JCKO',
        'Państwowa jednostka organizacyjna',
        'Państwowe jednostki organizacyjne; Jednostka budżetowa',
      ],
      [
        'PL_SJO',
        'AL9T',
        'Samorządowa jednostka organizacyjna',
        'Samorządowe jednostki organizacyjne; Gminna samorządowa jednostka organizacyjna',
      ],
      [
        'PL_SPZOZ',
        '13ZV',
        'Samodzielny publiczny zakład opieki zdrowotnej; SP ZOZ',
        'Samodzielne publiczne zakłady opieki zdrowotnej',
      ],
      ['PL_UCZELNIA', 'WUJ2', 'Uczelnia', 'Uczelnie'],
      ['PL_INSTYTUT', 'KM66', 'Instytut badawczy', 'Instytuty badawcze'],
    ],
    OTHER: [
      ['PL_FUNDACJA', '96XK', 'Fundacja', 'Fundacje; Fundacja rodzinna'],
      [
        'PL_STOWARZYSZENIE',
        'ZZKE',
        'Stowarzyszenie',
        'Stowarzyszenia; Stowarzyszenie i związki stowarzyszeń; Stowarzyszenia i związki stowarzyszeń; Stowarzyszenie zwykłe',
      ],
      ['PL_ZWIAZEK_ZAWODOWY', 'LT9U', 'Związek zawodowy', 'Związki zawodowe'],
      ['PL_TUW', 'WNX1', 'Towarzystwo ubezpieczeń wzajemnych; TUW'],
      ['PL_FI', 'RBHP', 'Fundusz inwestycyjny', 'Fundusze inwestycyjne; FIZ; FIO; SFIO'],
      ['PL_OFE', 'QUX1', 'Otwarty fundusz emerytalny; OFE'],
      ['PL_WSPOLNOTA', 'GZE5', 'Wspólnota mieszkaniowa', 'Wspólnoty mieszkaniowe'],
      [
        'PL_KOSCIOL',
        'SP4S',
        'Kościół lub związek wyznaniowy',
        'Kościół i związki wyznaniowe; Kościoły i związki wyznaniowe; Kościół katolicki',
      ],
      [
        'PL_ODDZIAL',
        null,
        'Oddział przedsiębiorcy zagranicznego; Oddział przedsiębiorcy zagranicznego; oddział w Polsce',
        'Oddział zagranicznego przedsiębiorcy; Oddział; Oddziały zagranicznych przedsiębiorców; Przedstawicielstwo',
      ],
    ],
  },
};

export const HU: CountryForms = {
  languages: ['HU'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'HU_KFT',
        'P9F2',
        'Korlátolt felelősségű társaság; Kft.; Nonprofit Kft.; Közhasznú Nonprofit Kft.; Nonprofit korlátolt felelősségű társaság',
        'Nonprofit korlátolt felelősségű társaság',
      ],
      ['HU_ZRT', 'BKUX', 'Zártkörűen működő részvénytársaság; Zrt.; Nonprofit Zrt.'],
    ],
    PUBLIC_COMPANY: [
      ['HU_NYRT', '8UEG', 'Nyilvánosan működő részvénytársaság; Nyrt.'],
      ['HU_RT', 'EO9F', 'Részvénytársaság; Rt.'],
      ['HU_SE', 'XW5U', 'Európai részvénytársaság; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['HU_BT', 'S3DA', 'Betéti társaság; Bt.'],
      ['HU_KKT', 'J6MO', 'Közkereseti társaság; Kkt.'],
      ['HU_EGYESULES', null, 'Egyesülés', 'Gazdasági egyesülés'],
      ['HU_EGE', '8UMK', 'Európai gazdasági egyesülés; EGE'],
      ['HU_PJT', null, 'Polgári jogi társaság; PJT'],
    ],
    SOLE_TRADER: [
      ['HU_EV', 'BJ8Q', 'Egyéni vállalkozó; e.v.', 'Egyéni vállalkozás; Egyéni ügyvéd; Természetes személy'],
      ['HU_EC', '2A44', 'Egyéni cég; e.c.', 'Bejegyzett cég'],
    ],
    COOPERATIVE: [
      [
        'HU_SZOVETKEZET',
        'DPY1',
        'Szövetkezet; Szövetkezet',
        'Egyéb szövetkezet; Szöv.; Takarékszövetkezet; Iskolaszövetkezet; Európai szövetkezet',
      ],
    ],
    GOVERNMENT: [
      ['HU_KOLTSEGVETESI', 'QYV5', 'Költségvetési szerv', 'Központi költségvetési szerv; Minisztérium'],
      ['HU_ONKORMANYZAT', '4QRE', 'Önkormányzat', 'Helyi önkormányzat; Települési önkormányzat'],
      ['HU_KOZTESTULET', '4WV7', 'Köztestület', 'Egyéb köztestület'],
    ],
    OTHER: [
      ['HU_EGYESULET', '876R', 'Egyesület', 'Egyéb egyesület; Sportegyesület'],
      ['HU_ALAPITVANY', 'BMYJ', 'Alapítvány', 'Egyéb alapítvány; Közalapítvány'],
      ['HU_KHT', 'HTJD', 'Közhasznú társaság; Kht.'],
      ['HU_UGYVEDI_IRODA', '4C5L', 'Ügyvédi iroda', 'Közjegyzői iroda; Szabadalmi ügyvivői iroda'],
      ['HU_TARSASHAZ', 'ESTU', 'Társasház'],
      ['HU_KBE', 'DN6F', 'Kölcsönös biztosító egyesület; KBE'],
      ['HU_EGYHAZ', 'LNY0', 'Egyházi szervezet', 'Egyházi szervezetek; Egyházi jogi személy; Egyház'],
      ['HU_BEFEKTETESI_ALAP', '8VH3', 'Befektetési alap'],
      [
        'HU_FIOKTELEP',
        null,
        'Külföldi székhelyű vállalkozás magyarországi fióktelepe; Külföldi székhelyű vállalkozás magyarországi fióktelepe; Magyarországi Fióktelepe; Magyarországi Fióktelep',
        'Külföldi székhelyű vállalkozás fióktelepe; Külföldi vállalkozás magyarországi fióktelepe; Fióktelep; Kereskedelmi képviselet',
      ],
    ],
  },
};
