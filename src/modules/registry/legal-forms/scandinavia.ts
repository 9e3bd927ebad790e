import type { CountryForms } from './table.ts';

export const DK: CountryForms = {
  languages: ['DA'],
  inFront: ['A/S', 'I/S', 'K/S'],
  forms: {
    LIMITED_COMPANY: [
      ['DK_APS', 'H8VP', 'Anpartsselskab; ApS; Anpartsselskabet', 'Registreret anpartsselskab'],
      ['DK_IVS', '5QS7', 'Iværksætterselskab; IVS'],
      ['DK_SMBA', 'GULL', 'Selskab med begrænset ansvar; S.M.B.A.'],
      ['DK_MIS', 'LWOD', 'Medarbejderinvesteringsselskab'],
    ],
    PUBLIC_COMPANY: [
      ['DK_AS', 'ZRPO', 'Aktieselskab; A/S; Aktieselskabet', 'Registreret aktieselskab'],
      ['DK_PS', '9KSX', 'Partnerselskab; P/S', 'Kommanditaktieselskab'],
      ['DK_SE', 'UA1O', 'Europæisk selskab; SE; SE-selskab; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['DK_IS', '7WRN', 'Interessentskab; I/S; Interessentskabet'],
      ['DK_KS', 'NUL8', 'Kommanditselskab; K/S; Kommanditselskabet'],
      ['DK_PARTREDERI', null, 'Partrederi'],
      ['DK_EOEFG', 'TB2C', 'Europæisk økonomisk firmagruppe; EØFG'],
    ],
    SOLE_TRADER: [
      ['DK_ENK', 'FUKI', 'Enkeltmandsvirksomhed', 'ENK; Enkeltmandsfirma; Personligt drevet virksomhed'],
      ['DK_PMV', null, 'Personligt ejet mindre virksomhed', 'PMV'],
    ],
    COOPERATIVE: [
      [
        'DK_AMBA',
        'PZ6Y',
        'Andelsselskab med begrænset ansvar; A.M.B.A.; Andelsselskab med begrænset ansvar',
        'Andelsforening med begrænset ansvar',
      ],
      [
        'DK_ANDELSSELSKAB',
        'PMJW',
        'Andelsselskab; Andelsselskab; Andelsselskabet',
        'Andelsselskab (-forening); Andelsforening; Brugsforening; Andelsboligforening',
      ],
      ['DK_SCE', 'FW7S', 'Europæisk andelsselskab; SCE; SCE-selskab'],
    ],
    GOVERNMENT: [
      ['DK_KOMMUNE', 'GFXN', 'Primærkommune', 'Kommune'],
      ['DK_REGION', '37UT', 'Region'],
      [
        'DK_STAT',
        null,
        'Statslig administrativ enhed',
        'Stat; Statslig virksomhed; Folkekirkelige institutioner; Særlig offentlig virksomhed',
      ],
    ],
    OTHER: [
      ['DK_FORENING', '40R4', 'Forening', 'Frivillig forening'],
      ['DK_FMBA', 'WU7R', 'Forening med begrænset ansvar; F.M.B.A.'],
      ['DK_FOND', '1MWR', 'Fond', 'Fonde og andre selvejende institutioner; Selvejende institution'],
      ['DK_ERHVERVSDRIVENDE_FOND', 'PIOI', 'Erhvervsdrivende fond', 'Erhvervsfond'],
      ['DK_SAERLIG_FINANSIEL', 'F7JY', 'Særlig finansiel virksomhed'],
      [
        'DK_FILIAL',
        null,
        'Filial af udenlandsk virksomhed; Filial af udenlandsk virksomhed; filial af udenlandsk selskab',
        'Filial; Filial af udenlandsk aktieselskab, kommanditaktieselskab eller anpartsselskab; Udenlandsk virksomhed',
      ],
    ],
  },
};

export const SE: CountryForms = {
  languages: ['SV'],
  inFront: ['AB', 'HB', 'KB'],
  forms: {
    LIMITED_COMPANY: [
      ['SE_AB', 'XJHM', 'Aktiebolag; AB; Aktiebolaget', 'Privat aktiebolag'],
      ['SE_FORSAKRINGSAB', 'OJ9I', 'Försäkringsaktiebolag; Försäkrings AB', 'FAB'],
    ],
    PUBLIC_COMPANY: [
      ['SE_AB_PUBL', null, 'Publikt aktiebolag; AB (publ); Aktiebolag (publ); (publ)', 'Publikt AB'],
      ['SE_BANKAB', 'BYQJ', 'Bankaktiebolag; Bankaktiebolag', 'BAB'],
      ['SE_SE', '54P7', 'Europabolag; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['SE_HB', 'BEAY', 'Handelsbolag; HB; Handelsbolaget'],
      ['SE_KB', 'CX05', 'Kommanditbolag; KB; Kommanditbolaget'],
      ['SE_ENKELT_BOLAG', 'UKOL', 'Enkelt bolag', 'Enkla bolag; Partrederi'],
      ['SE_EEIG', 'RLJO', 'Europeisk ekonomisk intressegruppering; EEIG'],
    ],
    SOLE_TRADER: [
      ['SE_EF', null, 'Enskild näringsverksamhet', 'Enskild firma; Enskild näringsidkare; Fysisk person; EF'],
    ],
    COOPERATIVE: [
      ['SE_EK_FOR', 'C61P', 'Ekonomisk förening; ek. för.; ekonomisk förening; ek. förening'],
      ['SE_BRF', 'SSOM', 'Bostadsrättsförening; Brf; Bostadsrättsföreningen'],
      ['SE_BOSTADSFORENING', 'WZDB', 'Bostadsförening'],
      ['SE_KHF', 'PDQ0', 'Kooperativ hyresrättsförening', 'KHF'],
      ['SE_SAMBRUKSFORENING', 'AZTO', 'Sambruksförening'],
      ['SE_MEDLEMSBANK', '381R', 'Medlemsbank'],
      ['SE_SCE', '9YIP', 'Europakooperativ; SCE', 'Societas Cooperativa Europaea'],
    ],
    GOVERNMENT: [
      [
        'SE_OFFENTLIG',
        '27AW',
        'Offentlig enhet',
        'Kommun; Region; Landsting; Statlig enhet; Statlig myndighet; Myndighet; Kommunalförbund; Primärkommun',
      ],
    ],
    OTHER: [
      ['SE_IDEELL_FORENING', '1TN0', 'Ideell förening', 'Ideell förening som bedriver näringsverksamhet'],
      ['SE_STIFTELSE', 'E9BI', 'Stiftelse', 'Stiftelser och fonder'],
      ['SE_TROSSAMFUND', '2UAX', 'Trossamfund', 'Registrerat trossamfund'],
      ['SE_SAMFALLIGHET', '44CQ', 'Samfällighetsförening', 'Samfällighet; samfallighetsförening'],
      ['SE_OFB', 'O1QI', 'Ömsesidigt försäkringsbolag; Ömsesidigt försäkringsbolag; ömsesidigt'],
      ['SE_FORSAKRINGSFORENING', 'M0Y0', 'Försäkringsförening'],
      ['SE_SPARBANK', 'G04R', 'Sparbank'],
      [
        'SE_FILIAL',
        null,
        'Filial till utländskt företag; Filial till utländskt företag; filial',
        'Utländsk filial; Utländsk juridisk person; Utländsk banks filial',
      ],
    ],
  },
};

export const NO: CountryForms = {
  languages: ['NO'],
  inFront: ['AS', 'A/S'],
  forms: {
    LIMITED_COMPANY: [
      ['NO_AS', 'YI42', 'Aksjeselskap; AS; A/S; Aksjeselskapet'],
      ['NO_BA', 'Q0Q1', 'Selskap med begrenset ansvar; BA'],
    ],
    PUBLIC_COMPANY: [
      ['NO_ASA', 'IQGE', 'Allmennaksjeselskap; ASA'],
      ['NO_SE', 'V06W', 'Europeisk selskap; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['NO_ANS', '326Y', 'Ansvarlig selskap; ANS', 'Ansvarlig selskap med solidarisk ansvar'],
      [
        'NO_DA',
        'CF5L',
        'Ansvarlig selskap med delt ansvar; DA',
        'Ansvarlig selskap, delt ansvar; Delt ansvar',
      ],
      ['NO_KS', 'M9IQ', 'Kommandittselskap; KS'],
      ['NO_PARTREDERI', 'AEV1', 'Partrederi', 'PRE'],
      ['NO_IS', null, 'Indre selskap', 'Stille selskap'],
      ['NO_EOEFG', 'DRPL', 'Europeisk økonomisk foretaksgruppe; EØFG'],
    ],
    SOLE_TRADER: [
      ['NO_ENK', 'EXD7', 'Enkeltpersonforetak; ENK', 'Enkeltmannsforetak; Enkeltpersonforetak (ENK)'],
    ],
    COOPERATIVE: [
      ['NO_SA', 'K5P8', 'Samvirkeforetak; SA'],
      ['NO_BRL', 'O0EU', 'Borettslag; BRL; Borettslaget; Borettslag'],
      ['NO_BBL', '9DI1', 'Boligbyggelag; BBL; Boligbyggelag'],
      ['NO_SCE', 'O7LB', 'Europeisk samvirkeforetak; SCE'],
    ],
    GOVERNMENT: [
      ['NO_KF', '3L58', 'Kommunalt foretak; KF'],
      ['NO_FKF', '5ZTZ', 'Fylkeskommunalt foretak; FKF'],
      ['NO_SF', '50TD', 'Statsforetak; SF'],
      ['NO_IKS', 'YTMC', 'Interkommunalt selskap; IKS'],
      ['NO_KOMMUNE', null, 'Kommune', 'KOMM; Organisasjonsledd; ORGL'],
      ['NO_FYLKESKOMMUNE', 'KX7D', 'Fylkeskommune', 'FYLK'],
      ['NO_STAT', null, 'Staten', 'STAT; Statlig forvaltningsorgan; Helseforetak'],
    ],
    OTHER: [
      ['NO_STI', '3C7U', 'Stiftelse', 'STI; Næringsdrivende stiftelse'],
      ['NO_FLI', 'FSBD', 'Forening/lag/innretning', 'Forening; FLI; Lag'],
      [
        'NO_GJENSIDIG',
        '8S9H',
        'Gjensidig forsikringsselskap; Gjensidig forsikringsselskap; gjensidig',
        'GFS',
      ],
      ['NO_SPAREBANK', 'R71C', 'Sparebank', 'SPA'],
      ['NO_PENSJONSKASSE', 'BJ65', 'Pensjonskasse', 'PK'],
      ['NO_VERDIPAPIRFOND', 'LJJW', 'Verdipapirfond', 'VPFO'],
      ['NO_SAMEIE', 'ZQ0Q', 'Eierseksjonssameie', 'ESEK; Sameie; Tingsrettslig sameie'],
      ['NO_KONKURSBO', 'PB3V', 'Konkursbo', 'KBO'],
      ['NO_NUF', null, 'Norskregistrert utenlandsk foretak; NUF', 'Utenlandsk foretak'],
    ],
  },
};
