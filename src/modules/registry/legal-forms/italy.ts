import type { CountryForms } from './table.ts';

export const IT: CountryForms = {
  languages: ['IT'],
  inFront: [],
  forms: {
    LIMITED_COMPANY: [
      [
        'IT_SRL',
        'OV32',
        'Società a responsabilità limitata; S.r.l.; S.r.l. unipersonale; S.r.l. a socio unico; S.r.l. con socio unico; Società a responsabilità limitata con unico socio; Società a responsabilità limitata unipersonale; Soc. a r.l.; a r.l.; S.r.l. società benefit; S.r.l. STP; STP S.r.l.; S.r.l. impresa sociale',
        'Società a responsabilità limitata con socio unico',
      ],
      [
        'IT_SRLS',
        '8GU1',
        'Società a responsabilità limitata semplificata; S.r.l.s.; S.r.l. semplificata',
        'Società a responsabilità limitata a capitale ridotto',
      ],
      [
        'IT_SCARL',
        'BL52',
        'Società consortile a responsabilità limitata; S.c.a r.l.; S.c.r.l.; Soc. cons. a r.l.; Consortile S.r.l.',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'IT_SPA',
        'P418',
        'Società per azioni; S.p.A.; S.p.A. unipersonale; S.p.A. con socio unico; S.p.A. a socio unico; S.p.A. società benefit',
        'Società per azioni con socio unico; Società per azioni unipersonale',
      ],
      ['IT_SAPA', 'DLS4', 'Società in accomandita per azioni; S.a.p.A.'],
      ['IT_SCPA', 'LZZD', 'Società consortile per azioni; S.c.p.A.'],
      ['IT_SE', 'VUPE', 'Società europea; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['IT_SNC', 'T2X1', 'Società in nome collettivo; S.n.c.'],
      ['IT_SAS', 'CGSO', 'Società in accomandita semplice; S.a.s.'],
      [
        'IT_SS',
        '2XXH',
        'Società semplice; S.s.; Società agricola semplice; S.s. agricola; Soc. semplice',
        'Società di fatto; Studio associato; Associazione tra professionisti',
      ],
      ['IT_STP', 'ZZOG', 'Società tra professionisti; STP'],
      ['IT_GEIE', '634M', 'Gruppo europeo di interesse economico; GEIE'],
    ],
    SOLE_TRADER: [
      [
        'IT_DI',
        'LHBB',
        'Impresa individuale',
        'Ditta individuale; Imprenditore individuale; Libero professionista; Lavoratore autonomo; Persona fisica; Impresa familiare',
      ],
    ],
    COOPERATIVE: [
      [
        'IT_SOC_COOP',
        'QRZJ',
        'Società cooperativa; Soc. coop.; Società cooperativa; Società cooperativa per azioni; Soc. coop. p.a.; Società cooperativa agricola; Soc. coop. agr.; Soc. coop. agricola',
        'Cooperativa; S.C.; Piccola società cooperativa',
      ],
      [
        'IT_SOC_COOP_RL',
        'CTNS',
        'Società cooperativa a responsabilità limitata; Soc. coop. a r.l.; Coop. a r.l.; Società cooperativa a responsabilità limitata; Società cooperativa a r.l.; Soc. coop. r.l.',
        'Piccola società cooperativa a responsabilità limitata',
      ],
      [
        'IT_COOP_SOCIALE',
        'PHMS',
        'Cooperativa sociale; Soc. coop. sociale; Società cooperativa sociale; Coop. sociale; Cooperativa sociale; Società cooperativa sociale onlus; Soc. coop. soc.; Coop. soc.; S.c.s.; Cooperativa sociale onlus; Soc. coop. sociale onlus; Società cooperativa sociale a r.l.',
      ],
      [
        'IT_COOP_CONSORTILE',
        'C1IC',
        'Società cooperativa consortile; Soc. coop. cons.; Società cooperativa consortile',
        'Società consortile cooperativa; Consorzio cooperativo',
      ],
      ['IT_SCE', '9KGS', 'Società cooperativa europea; SCE'],
    ],
    GOVERNMENT: [
      [
        'IT_PA',
        '2HC6',
        'Pubblica amministrazione',
        'Amministrazione pubblica; Comune; Provincia; Regione; Città metropolitana; Ministero; Ente locale',
      ],
      [
        'IT_ENTE_DIRITTO_PUBBLICO',
        '5ODO',
        'Ente di diritto pubblico',
        'Ente diritto pubblico; Ente pubblico; Ente pubblico non economico',
      ],
      ['IT_EPE', 'ZG6S', 'Ente pubblico economico'],
      [
        'IT_AZIENDA_SPECIALE',
        'KXZT',
        'Azienda speciale',
        'Azienda municipale; Azienda sanitaria locale; ASL',
      ],
    ],
    OTHER: [
      [
        'IT_ASSOCIAZIONE',
        '1TON',
        'Associazione',
        'Associazione riconosciuta; Associazione non riconosciuta; ASD; APS; ODV',
      ],
      ['IT_FONDAZIONE', '75WC', 'Fondazione'],
      [
        'IT_CONSORZIO',
        'HN75',
        'Consorzio',
        'Consorzio con attività esterna; Consorzio senza attività esterna; Consorzio di diritto privato',
      ],
      [
        'IT_RETE',
        'K021',
        'Contratto di rete dotato di soggettività giuridica',
        'Rete di imprese; Contratto di rete',
      ],
      ['IT_SOMS', 'VA1V', 'Società di mutuo soccorso; SOMS'],
      [
        'IT_ENTE_ECCLESIASTICO',
        'IMHA',
        'Ente ecclesiastico',
        'Ente ecclesiastico civilmente riconosciuto; Istituto religioso',
      ],
      ['IT_FONDO_PENSIONE', 'OQ8C', 'Fondo pensione'],
      [
        'IT_SEDE_SECONDARIA',
        null,
        'Sede secondaria di una società estera',
        'Società costituita in base a leggi di altro stato; Società costituita all’estero; Soggetto estero; Sede secondaria; Stabile organizzazione',
      ],
    ],
  },
};
