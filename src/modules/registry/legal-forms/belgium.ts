import type { CountryForms } from './table.ts';

export const BE: CountryForms = {
  languages: ['NL', 'FR', 'DE'],
  inFront: ['BV', 'NV', 'CV', 'SA', 'SC'],
  forms: {
    LIMITED_COMPANY: [
      [
        'BE_BV',
        '3W7E',
        {
          NL: 'Besloten vennootschap; BV',
          FR: 'Société à responsabilité limitée; SRL',
          DE: 'Gesellschaft mit beschränkter Haftung; GmbH',
        },
      ],
      [
        'BE_BVBA',
        'N5NT',
        {
          NL: 'Besloten vennootschap met beperkte aansprakelijkheid; BVBA',
          FR: 'Société privée à responsabilité limitée; SPRL',
          DE: 'Privatgesellschaft mit beschränkter Haftung; PGmbH',
        },
      ],
      [
        'BE_EBVBA',
        'C609',
        {
          NL: 'Eenpersoons besloten vennootschap met beperkte aansprakelijkheid; EBVBA',
          FR: 'Société privée à responsabilité limitée unipersonnelle; SPRLU',
          DE: 'Privatgesellschaft mit beschränkter Haftung mit einem Alleingesellschafter; PGmbHmA',
        },
        'SPRL unipersonnelle; Starters BVBA; SPRL Starter',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'BE_NV',
        'R85P',
        { NL: 'Naamloze vennootschap; NV', FR: 'Société anonyme; SA', DE: 'Aktiengesellschaft; AG' },
      ],
      [
        'BE_COMMVA',
        'U2PN',
        {
          NL: 'Commanditaire vennootschap op aandelen; Comm. VA; CVA',
          FR: 'Société en commandite par actions; SCA',
          DE: 'Kommanditgesellschaft auf Aktien; KGaA',
        },
      ],
      [
        'BE_SE',
        '36KV',
        { NL: 'Europese vennootschap; SE', FR: 'Société européenne; SE', DE: 'Europäische Gesellschaft; SE' },
      ],
    ],
    PARTNERSHIP: [
      [
        'BE_VOF',
        'UW1Y',
        {
          NL: 'Vennootschap onder firma; VOF',
          FR: 'Société en nom collectif; SNC',
          DE: 'Offene Handelsgesellschaft; OHG',
        },
      ],
      [
        'BE_COMMV',
        'MQH3',
        {
          NL: 'Commanditaire vennootschap; CommV',
          FR: 'Société en commandite; SComm',
          DE: 'Kommanditgesellschaft; KommG; KG',
        },
      ],
      [
        'BE_GCV',
        'LWV6',
        {
          NL: 'Gewone commanditaire vennootschap; Gewone Comm. V; GCV',
          FR: 'Société en commandite simple; SCS',
          DE: 'Einfache Kommanditgesellschaft; EKG',
        },
      ],
      [
        'BE_MAATSCHAP',
        'KM6O',
        { NL: 'Maatschap', FR: 'Société simple', DE: 'Einfache Gesellschaft' },
        'Société de droit commun; Gesellschaft des allgemeinen Rechts',
      ],
      [
        'BE_LV',
        'ZOK2',
        {
          NL: 'Landbouwvennootschap; LV',
          FR: 'Société agricole; S. Agr.',
          DE: 'Landwirtschaftliche Gesellschaft; LG',
        },
      ],
      [
        'BE_ESV',
        'J5OU',
        {
          NL: 'Economisch samenwerkingsverband; ESV',
          FR: "Groupement d'intérêt économique; GIE",
          DE: 'Wirtschaftliche Interessenvereinigung; WIV',
        },
      ],
      [
        'BE_EESV',
        '7SJP',
        {
          NL: 'Europees economisch samenwerkingsverband; EESV',
          FR: "Groupement européen d'intérêt économique; GEIE",
          DE: 'Europäische wirtschaftliche Interessenvereinigung; EWIV',
        },
      ],
    ],
    SOLE_TRADER: [
      [
        'BE_NATUURLIJK_PERSOON',
        '3N94',
        {
          NL: 'Onderneming-natuurlijk persoon',
          FR: 'Entreprise personne physique',
          DE: 'Unternehmen natürliche Person',
        },
        'Eenmanszaak; Entreprise individuelle; Einzelunternehmen; Natuurlijk persoon; Personne physique; Natürliche Person; Zelfstandige; Indépendant',
      ],
    ],
    COOPERATIVE: [
      [
        'BE_CV',
        '28FE',
        {
          NL: 'Coöperatieve vennootschap; CV; Coöperatieve vennootschap',
          FR: 'Société coopérative; SC; Société coopérative',
          DE: 'Genossenschaft; Gen.',
        },
        'Coöperatieve vennootschap (oud statuut); Société coopérative (ancien statut)',
      ],
      [
        'BE_CVBA',
        '8E2A',
        {
          NL: 'Coöperatieve vennootschap met beperkte aansprakelijkheid; CVBA',
          FR: 'Société coopérative à responsabilité limitée; SCRL',
          DE: 'Genossenschaft mit beschränkter Haftung; Gen.mbH',
        },
      ],
      [
        'BE_CVOA',
        'LWHF',
        {
          NL: 'Coöperatieve vennootschap met onbeperkte aansprakelijkheid; CVOA',
          FR: 'Société coopérative à responsabilité illimitée; SCRI',
          DE: 'Genossenschaft mit unbeschränkter Haftung; Gen.mubH',
        },
      ],
      [
        'BE_SCE',
        'YBHM',
        {
          NL: 'Europese coöperatieve vennootschap; SCE',
          FR: 'Société coopérative européenne; SCE',
          DE: 'Europäische Genossenschaft; SCE',
        },
      ],
    ],
    GOVERNMENT: [
      [
        'BE_OPENBARE_INSTELLING',
        'QZIS',
        { NL: 'Openbare instelling', FR: 'Établissement public', DE: 'Öffentliche Einrichtung' },
        'Organisme public; Gemeente; Commune; Gemeinde; Stad; Ville; Provincie; Province; OCMW; CPAS',
      ],
      [
        'BE_INTERCOMMUNALE',
        null,
        { NL: 'Intercommunale', FR: 'Intercommunale', DE: 'Interkommunale' },
        'Dienstverlenende vereniging; Opdrachthoudende vereniging; Projectvereniging; Association de projet; Association chargée de mission; Association prestataire de services',
      ],
    ],
    OTHER: [
      [
        'BE_VZW',
        'W3WH',
        {
          NL: 'Vereniging zonder winstoogmerk; VZW; Vereniging zonder winstoogmerk',
          FR: 'Association sans but lucratif; ASBL; Association sans but lucratif',
          DE: 'Vereinigung ohne Gewinnerzielungsabsicht; VoG',
        },
      ],
      [
        'BE_IVZW',
        'V03J',
        {
          NL: 'Internationale vereniging zonder winstoogmerk; IVZW',
          FR: 'Association internationale sans but lucratif; AISBL',
          DE: 'Internationale Vereinigung ohne Gewinnerzielungsabsicht; IVoG',
        },
      ],
      [
        'BE_PRIVATE_STICHTING',
        'Y1Q4',
        { NL: 'Private stichting', FR: 'Fondation privée', DE: 'Privatstiftung' },
      ],
      [
        'BE_STICHTING_OPENBAAR_NUT',
        'ZUHK',
        {
          NL: 'Stichting van openbaar nut',
          FR: "Fondation d'utilité publique",
          DE: 'Gemeinnützige Stiftung',
        },
      ],
      [
        'BE_IZW',
        '8YLB',
        {
          NL: 'Instelling zonder winstoogmerk',
          FR: 'Institution sans but lucratif',
          DE: 'Einrichtung ohne Gewinnerzielungsabsicht',
        },
      ],
      [
        'BE_ZONDER_RECHTSPERSOON',
        'CFH5',
        {
          NL: 'Vennootschap of vereniging zonder rechtspersoonlijkheid',
          FR: 'Société ou association sans personnalité juridique',
          DE: 'Gesellschaft oder Vereinigung ohne Rechtspersönlichkeit',
        },
        'Feitelijke vereniging; Association de fait; Gesellschaften oder Vereinigungen ohne Rechtspersönlichkeit',
      ],
      [
        'BE_BIJKANTOOR',
        null,
        {
          NL: 'Bijkantoor van een buitenlandse onderneming',
          FR: "Succursale d'une entreprise étrangère",
          DE: 'Zweigniederlassung eines ausländischen Unternehmens',
        },
        'Buitenlandse onderneming; Entreprise étrangère; Ausländische Gesellschaft; Buitenlandse entiteit; Entité étrangère; Bijkantoor; Succursale',
      ],
    ],
  },
};
