import type { CountryForms } from './table.ts';

export const NL: CountryForms = {
  languages: ['NL'],
  inFront: ['B.V.', 'N.V.', 'C.V.'],
  forms: {
    LIMITED_COMPANY: [
      [
        'NL_BV',
        '54M6',
        'Besloten vennootschap met beperkte aansprakelijkheid; B.V.; Besloten vennootschap',
        'Flex-BV; BV i.o.',
      ],
    ],
    PUBLIC_COMPANY: [
      ['NL_NV', 'B5PM', 'Naamloze vennootschap; N.V.'],
      ['NL_SE', 'BBEB', 'Europese naamloze vennootschap; SE; Societas Europaea', 'Europese vennootschap'],
    ],
    PARTNERSHIP: [
      ['NL_VOF', '62Y3', 'Vennootschap onder firma; V.O.F.'],
      ['NL_CV', 'CODH', 'Commanditaire vennootschap; C.V.'],
      ['NL_MAATSCHAP', '9AAK', 'Maatschap'],
      ['NL_REDERIJ', 'UNJ2', 'Partenrederij', 'Rederij'],
      ['NL_EESV', '5WU6', 'Europees economisch samenwerkingsverband; EESV'],
    ],
    SOLE_TRADER: [
      ['NL_EENMANSZAAK', '4QXM', 'Eenmanszaak', 'ZZP; Zelfstandige zonder personeel; Natuurlijk persoon'],
    ],
    COOPERATIVE: [
      [
        'NL_COOP',
        'NFFH',
        'Coöperatie; Coöp.; Coöperatie; U.A.; B.A.; W.A.; Coöperatie U.A.; Coöperatieve U.A.',
        'Coöperatieve vereniging; Coöperatie met uitgesloten aansprakelijkheid; Coöperatie met beperkte aansprakelijkheid; Coöperatie met wettelijke aansprakelijkheid',
      ],
      ['NL_SCE', 'Y3ZB', 'Europese coöperatieve vennootschap; SCE; Societas Cooperativa Europaea'],
    ],
    GOVERNMENT: [
      [
        'NL_PUBLIEKRECHTELIJK',
        'A0W7',
        'Publiekrechtelijke rechtspersoon',
        'Gemeente; Provincie; Waterschap; Gemeenschappelijke regeling; Zelfstandig bestuursorgaan; De Staat',
      ],
    ],
    OTHER: [
      ['NL_STICHTING', 'V44D', 'Stichting', 'Stichting administratiekantoor; STAK'],
      ['NL_VERENIGING', '33MN', 'Vereniging met volledige rechtsbevoegdheid', 'Vereniging'],
      ['NL_VERENIGING_BEPERKT', '8VFX', 'Vereniging met beperkte rechtsbevoegdheid'],
      ['NL_VVE', 'GNXT', 'Vereniging van eigenaars; VvE'],
      ['NL_OWM', 'DEO1', 'Onderlinge waarborgmaatschappij; O.W.M.; Onderlinge waarborgmaatschappij'],
      ['NL_KERKGENOOTSCHAP', 'L7HX', 'Kerkgenootschap'],
      ['NL_FGR', 'JHK5', 'Fonds voor gemene rekening; FGR'],
      ['NL_OVERIGE', 'M1IZ', 'Overige privaatrechtelijke rechtspersoon'],
      [
        'NL_NEVENVESTIGING',
        null,
        'Nevenvestiging van een buitenlandse onderneming',
        'Buitenlandse onderneming; Buitenlandse rechtsvorm; Nevenvestiging; Buitenlandse vennootschap',
      ],
    ],
  },
};

export const LU: CountryForms = {
  languages: ['FR'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'LU_SARL',
        'DVXS',
        'Société à responsabilité limitée; S.à r.l.',
        'Gesellschaft mit beschränkter Haftung',
      ],
      [
        'LU_SARLS',
        'EUT4',
        'Société à responsabilité limitée simplifiée; S.à r.l.-S',
        'Vereinfachte Gesellschaft mit beschränkter Haftung',
      ],
      ['LU_SAS', 'HHR4', 'Société par actions simplifiée; S.A.S.'],
    ],
    PUBLIC_COMPANY: [
      ['LU_SA', '5GGB', 'Société anonyme; S.A.', 'Aktiengesellschaft'],
      [
        'LU_SCA',
        '81G5',
        'Société en commandite par actions; S.C.A.',
        'SECA; Kommanditgesellschaft auf Aktien',
      ],
      ['LU_SE', 'WCEP', 'Société européenne; S.E.; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['LU_SCS', '63P9', 'Société en commandite simple; S.C.S.', 'SECS; Kommanditgesellschaft'],
      ['LU_SCSP', 'U8KA', 'Société en commandite spéciale; SCSp', 'SECSP'],
      ['LU_SENC', 'ATQY', 'Société en nom collectif; S.e.n.c.; S.N.C.'],
      ['LU_SC', 'SQ1A', 'Société civile', 'SCI; Société civile immobilière'],
      ['LU_GIE', 'LCR0', "Groupement d'intérêt économique; G.I.E."],
      ['LU_GEIE', 'V7QY', "Groupement européen d'intérêt économique; G.E.I.E."],
    ],
    SOLE_TRADER: [
      [
        'LU_EI',
        '2IGL',
        'Entreprise individuelle',
        'EI; Commerçant personne physique; Personne physique; Einzelunternehmen',
      ],
    ],
    COOPERATIVE: [
      ['LU_SCOP', 'V5OS', 'Société coopérative; S.C.; S. Coop.; Société coopérative'],
      ['LU_SCOSA', 'STBC', 'Société coopérative organisée sous forme de société anonyme; SCoSA'],
      ['LU_SCE', 'FG84', 'Société coopérative européenne; S.C.E.; Societas Cooperativa Europaea'],
      ['LU_AA', '68J6', 'Association agricole'],
    ],
    GOVERNMENT: [
      [
        'LU_EP',
        'ZFFA',
        'Établissement public',
        'État; Commune; Administration communale; Administration publique; Syndicat de communes',
      ],
    ],
    OTHER: [
      ['LU_ASBL', '2JEI', 'Association sans but lucratif; A.S.B.L.'],
      ['LU_FONDATION', 'V19Y', 'Fondation', 'FON'],
      ['LU_SICAV', 'UDY2', "Société d'investissement à capital variable; SICAV"],
      ['LU_SICAF', 'BEAN', "Société d'investissement à capital fixe; SICAF"],
      ['LU_FCP', 'AIR5', 'Fonds commun de placement; FCP', 'Fond commun de placement'],
      ['LU_AAM', 'BKAB', "Association d'assurances mutuelles", 'AAM'],
      ['LU_MUTUELLE', '7SIZ', 'Mutuelle'],
      ['LU_SEPCAV', '9C91', "Société d'épargne-pension à capital variable; SEPCAV"],
      ['LU_ASSEP', '2S2U', "Association d'épargne-pension; ASSEP"],
      [
        'LU_SUCCURSALE',
        null,
        "Succursale d'une société étrangère",
        'Succursale; Société de droit étranger; Zweigniederlassung',
      ],
    ],
  },
};
