import type { CountryForms } from './table.ts';

export const DE: CountryForms = {
  languages: ['DE'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'DE_GMBH',
        '2HBR',
        'Gesellschaft mit beschränkter Haftung; GmbH; mbH; Gesellschaft mbH; Ges. mbH; mit beschränkter Haftung',
      ],
      [
        'DE_UG',
        '63KS',
        'Unternehmergesellschaft; UG (haftungsbeschränkt); UG; Unternehmergesellschaft (haftungsbeschränkt); GmbH UG; gUG (haftungsbeschränkt); gUG; UG haftungsbeschr.; UG mbH',
      ],
      [
        'DE_GGMBH',
        'SCE1',
        'Gemeinnützige Gesellschaft mit beschränkter Haftung; gGmbH; gemeinnützige GmbH; gemeinnützige Gesellschaft mbH',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'DE_AG',
        '6QQB',
        'Aktiengesellschaft; AG; gAG; REIT-AG; InvAG',
        'REIT-Aktiengesellschaft; Gemeinnützige Aktiengesellschaft; Investmentaktiengesellschaft',
      ],
      ['DE_KGAA', 'T0YJ', 'Kommanditgesellschaft auf Aktien; KGaA'],
      ['DE_SE', 'SGST', 'Europäische Aktiengesellschaft; SE; Societas Europaea', 'Europäische Gesellschaft'],
    ],
    PARTNERSHIP: [
      ['DE_KG', '8Z6G', 'Kommanditgesellschaft; KG'],
      [
        'DE_GMBH_CO_KG',
        '8Z6G',
        'GmbH & Co. Kommanditgesellschaft; GmbH & Co. KG; GmbH & Cie. KG; GmbH und Co. KG; GmbH & Co.; mbH & Co. KG',
      ],
      ['DE_OHG', '40DB', 'Offene Handelsgesellschaft; OHG; OHG mbH', 'GmbH & Co. OHG; AG & Co. OHG'],
      [
        'DE_GBR',
        'FR3V',
        'Gesellschaft bürgerlichen Rechts; GbR; eGbR; GbR mbH',
        'BGB-Gesellschaft; eingetragene Gesellschaft bürgerlichen Rechts',
      ],
      ['DE_PARTG', '8CM0', 'Partnerschaftsgesellschaft; PartG; Part. Ges.', 'Partnerschaft'],
      [
        'DE_PARTG_MBB',
        '2YZO',
        'Partnerschaftsgesellschaft mit beschränkter Berufshaftung; PartG mbB; Partnerschaftsgesellschaft mbB; Partnerschaft mbB; Part mbB; mbB',
      ],
      ['DE_EWIV', 'JNDX', 'Europäische wirtschaftliche Interessenvereinigung; EWIV'],
    ],
    SOLE_TRADER: [
      [
        'DE_EK',
        'OL20',
        'Eingetragener Kaufmann, eingetragene Kauffrau; e.K.; e.Kfm.; e.Kfr.; e.Kffr.; eingetragener Kaufmann; eingetragene Kauffrau',
        'Einzelkaufmann; Einzelkauffrau',
      ],
      [
        'DE_EINZELUNTERNEHMEN',
        'OL20',
        'Einzelunternehmen',
        'Einzelunternehmer; Einzelunternehmerin; Einzelfirma; Gewerbetreibender; Kleingewerbe; Kleinunternehmer',
      ],
      [
        'DE_FREIBERUFLER',
        null,
        'Freiberuflerin, Freiberufler',
        'Freiberufler; Freiberuflerin; Freier Beruf; Selbständiger; Selbstständiger',
      ],
    ],
    COOPERATIVE: [
      [
        'DE_EG',
        'AZFE',
        'Eingetragene Genossenschaft; eG; eingetragene Genossenschaft; eGmbH; eGmuH',
        'Genossenschaft; nicht eingetragene Genossenschaft',
      ],
      ['DE_SCE', 'SUA1', 'Europäische Genossenschaft; SCE; Societas Cooperativa Europaea'],
    ],
    GOVERNMENT: [
      [
        'DE_KDOER',
        'SQKS',
        'Körperschaft des öffentlichen Rechts; KdöR; K.d.ö.R.; Körperschaft des öffentlichen Rechts',
        'Körperschaft öffentlichen Rechts; Öffentlich-rechtliche Körperschaft',
      ],
      [
        'DE_AOER',
        'XLWA',
        'Anstalt des öffentlichen Rechts; AöR; gAöR; gKU; Anstalt des öffentlichen Rechts',
        'Anstalt öffentlichen Rechts; Kommunalunternehmen; Öffentlich-rechtliche Anstalt',
      ],
      [
        'DE_SDOER',
        'FEBD',
        'Stiftung des öffentlichen Rechts; SdöR',
        'Stiftung öffentlichen Rechts; Kirchliche Stiftung des öffentlichen Rechts',
      ],
      [
        'DE_GEBIETSKOERPERSCHAFT',
        null,
        'Gebietskörperschaft',
        'Gemeinde; Stadt; Landkreis; Bundesland; Bund; Behörde; Zweckverband',
      ],
      ['DE_EIGENBETRIEB', null, 'Eigenbetrieb', 'Regiebetrieb; Sondervermögen'],
    ],
    OTHER: [
      ['DE_EV', 'QZ3L', 'Eingetragener Verein; e.V.; eingetragener Verein', 'Verein'],
      ['DE_VEREIN', '79H0', 'Nicht eingetragener Verein', 'Nicht rechtsfähiger Verein; Verein alten Rechts'],
      ['DE_WVEREIN', '7J3S', 'Wirtschaftlicher Verein; w.V.'],
      [
        'DE_STIFTUNG',
        'V2YH',
        'Stiftung des privaten Rechts',
        'Stiftung; Stiftung bürgerlichen Rechts; rechtsfähige Stiftung; Stiftung des bürgerlichen Rechts',
      ],
      [
        'DE_VVAG',
        '13AV',
        'Versicherungsverein auf Gegenseitigkeit; VVaG; Versicherungsverein auf Gegenseitigkeit; Versicherungsverein a.G.; Versicherung a.G.',
      ],
      [
        'DE_ZWEIGNIEDERLASSUNG',
        null,
        'Zweigniederlassung eines ausländischen Unternehmens',
        'Zweigniederlassung; Niederlassung; Betriebsstätte; Ausländische Rechtsform; Rechtsform ausländischen Rechts',
      ],
    ],
  },
};

export const AT: CountryForms = {
  languages: ['DE'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'AT_GMBH',
        'AXSB',
        'Gesellschaft mit beschränkter Haftung; GmbH; Ges.m.b.H.; mbH; Gesellschaft mbH; mit beschränkter Haftung; gGmbH; gemeinnützige GmbH',
      ],
      ['AT_FLEXKAPG', null, 'Flexible Kapitalgesellschaft; FlexKapG; FlexCo; Flexible Company'],
    ],
    PUBLIC_COMPANY: [
      ['AT_AG', 'EQOV', 'Aktiengesellschaft; AG'],
      ['AT_SE', 'O65B', 'Europäische Gesellschaft; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['AT_KG', 'ONF1', 'Kommanditgesellschaft; KG; KEG', 'Kommandit-Erwerbsgesellschaft'],
      [
        'AT_GMBH_CO_KG',
        'ONF1',
        'GmbH & Co. Kommanditgesellschaft; GmbH & Co KG; GmbH und Co KG; Ges.m.b.H. & Co KG; Gesellschaft m.b.H. & Co. KG; GmbH & Co; mbH & Co KG',
      ],
      [
        'AT_OG',
        'JTAV',
        'Offene Gesellschaft; OG; OHG; OEG; Offene Handelsgesellschaft',
        'Offene Erwerbsgesellschaft',
      ],
      [
        'AT_GESBR',
        'UI81',
        'Gesellschaft bürgerlichen Rechts; GesbR; Gesellschaft nach bürgerlichem Recht',
        'Gesellschaft des bürgerlichen Rechts',
      ],
      ['AT_STG', 'NNLI', 'Stille Gesellschaft', 'stG'],
      ['AT_EWIV', 'DM88', 'Europäische wirtschaftliche Interessenvereinigung; EWIV'],
    ],
    SOLE_TRADER: [
      [
        'AT_EU',
        'ECWU',
        'Eingetragene Einzelunternehmerin, eingetragener Einzelunternehmer; e.U.',
        'Einzelunternehmen; Einzelunternehmer; Einzelunternehmerin; Einzelkaufmann; nicht eingetragenes Einzelunternehmen',
      ],
      [
        'AT_FREIBERUFLER',
        null,
        'Freiberuflerin, Freiberufler',
        'Freiberufler; Freier Beruf; Neue Selbständige; Neuer Selbständiger',
      ],
    ],
    COOPERATIVE: [
      [
        'AT_GEN',
        '8XDW',
        'Genossenschaft; eGen; reg.Gen.m.b.H.; registrierte Genossenschaft mit beschränkter Haftung; Genossenschaft m.b.H.; gen.m.b.H.',
        'Erwerbs- und Wirtschaftsgenossenschaft; eingetragene Genossenschaft',
      ],
      ['AT_SCE', '69H1', 'Europäische Genossenschaft; SCE; Societas Cooperativa Europaea'],
    ],
    GOVERNMENT: [
      [
        'AT_KOER',
        'JJYT',
        'Körperschaft öffentlichen Rechts; KöR; KdöR',
        'Körperschaft des öffentlichen Rechts; Gebietskörperschaft; Gemeinde; Stadtgemeinde; Marktgemeinde; Land; Bund',
      ],
      [
        'AT_AOER',
        null,
        'Anstalt öffentlichen Rechts; AöR',
        'Anstalt des öffentlichen Rechts; Fonds des öffentlichen Rechts',
      ],
    ],
    OTHER: [
      ['AT_VEREIN', 'DX6Z', 'Verein', 'ZVR-Verein; eingetragener Verein'],
      ['AT_PRIVATSTIFTUNG', '5WWO', 'Privatstiftung'],
      ['AT_STIFTUNG', 'E9OX', 'Gemeinnützige Stiftung', 'Stiftung; Bundesstiftung; Landesstiftung'],
      ['AT_SPARKASSE', 'JQOI', 'Sparkasse'],
      [
        'AT_VVAG',
        'CAQ1',
        'Versicherungsverein auf Gegenseitigkeit; VVaG; Versicherungsverein auf Gegenseitigkeit',
      ],
      [
        'AT_ZWEIGNIEDERLASSUNG',
        null,
        'Zweigniederlassung eines ausländischen Rechtsträgers',
        'Zweigniederlassung; Niederlassung; Ausländischer Rechtsträger',
      ],
      ['AT_SONSTIGER', '1NOX', 'Sonstiger Rechtsträger'],
    ],
  },
};
