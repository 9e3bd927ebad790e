import type { CountryForms } from './table.ts';

export const ES: CountryForms = {
  languages: ['ES'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'ES_SL',
        'DP3Q',
        'Sociedad de Responsabilidad Limitada; S.L.; S.R.L.; Sociedad Limitada',
        'Sociedad limitada (S.L.)',
      ],
      [
        'ES_SLU',
        'R6UT',
        'Sociedad Limitada Unipersonal; S.L.U.; S.L. Unipersonal; S.L. Sociedad Unipersonal; S.R.L.U.; Sociedad de Responsabilidad Limitada Unipersonal; S.L. (Unipersonal)',
      ],
      [
        'ES_SLL',
        '1G29',
        'Sociedad Limitada Laboral; S.L.L.; S.R.L.L.; Sociedad de Responsabilidad Limitada Laboral',
        'Sociedad Limitada Laboral (o Sociedad de Responsabilidad Limitada laboral)',
      ],
      [
        'ES_SLP',
        'JB2M',
        'Sociedad Limitada Profesional; S.L.P.; S.R.L.P.; S.L.P.U.; Sociedad de Responsabilidad Limitada Profesional',
      ],
      ['ES_SLNE', '956I', 'Sociedad Limitada Nueva Empresa; S.L.N.E.', 'Sociedad Limitada de nueva empresa'],
    ],
    PUBLIC_COMPANY: [
      ['ES_SA', '5RDO', 'Sociedad Anónima; S.A.; S.A.D.; S.M.E. S.A.', 'Sociedad Anónima Deportiva'],
      [
        'ES_SAU',
        null,
        'Sociedad Anónima Unipersonal; S.A.U.; S.A. Unipersonal; S.A. Sociedad Unipersonal; S.A. (Unipersonal)',
      ],
      ['ES_SAL', 'R2L8', 'Sociedad Anónima Laboral; S.A.L.'],
      ['ES_SAP', 'AJ9U', 'Sociedad Anónima Profesional; S.A.P.'],
      ['ES_SE', '9FPZ', 'Sociedad Anónima Europea; S.E.; Societas Europaea', 'Sociedad Europea'],
      ['ES_SCOMPA', 'GJL1', 'Sociedad Comanditaria por Acciones; S.Com.p.A.'],
    ],
    PARTNERSHIP: [
      [
        'ES_SC',
        'S6X7',
        'Sociedad Colectiva; S.C.; S.R.C.; Sociedad Regular Colectiva',
        'Sociedad colectiva regular',
      ],
      [
        'ES_SCOM',
        'TDD5',
        'Sociedad Comanditaria Simple; S. en C.; S.Com.; Sociedad en Comandita',
        'Sociedad comanditaria',
      ],
      [
        'ES_SCIVIL',
        null,
        'Sociedad Civil; S.Civ.; Soc. Civil',
        'Sociedad civil particular; Sociedad civil, con o sin personalidad jurídica',
      ],
      ['ES_SCP', 'ARDP', 'Sociedad Civil Profesional'],
      ['ES_CB', null, 'Comunidad de Bienes; C.B.', 'Comunidad de bienes y herencias yacentes'],
      ['ES_SAT', '4SJR', 'Sociedad Agraria de Transformación; S.A.T.', 'Sociedad Agraria de Trasformación'],
      ['ES_UTE', null, 'Unión Temporal de Empresas; U.T.E.', 'Uniones temporales de empresas'],
      ['ES_AIE', 'I2WU', 'Agrupación de Interés Económico; A.I.E.'],
      ['ES_AEIE', 'BI3B', 'Agrupación Europea de Interés Económico; A.E.I.E.'],
    ],
    SOLE_TRADER: [
      [
        'ES_AUTONOMO',
        '1SL4',
        'Empresario Individual',
        'Autónomo; Trabajador autónomo; Persona física; Profesional autónomo; Empresaria individual',
      ],
      ['ES_ERL', 'IT6N', 'Emprendedor de Responsabilidad Limitada; E.R.L.'],
    ],
    COOPERATIVE: [
      [
        'ES_SCOOP',
        '1QU8',
        'Sociedad Cooperativa; S.Coop.; Sociedad Cooperativa; Soc. Coop.; S.Coop.Ltda.; S.Coop.And.; S.Coop.Mad.; S.Coop.V.; S.Coop.Galega; S.Coop.Pequeña; S.C.C.L.; S.C.A.; Coop. V.; Sociedad Cooperativa Andaluza; Sociedad Cooperativa Limitada; S.Coop.C.L.',
        'Cooperativa; Sociedades cooperativas',
      ],
      ['ES_SCOOPP', 'B0V5', 'Sociedad Cooperativa Profesional; S.Coop.P.'],
      ['ES_COOP_CREDITO', 'SS0L', 'Cooperativa de Crédito', 'Sociedad Cooperativa de Crédito; Caja rural'],
      ['ES_SCE', 'HRQA', 'Sociedad Cooperativa Europea; S.Coop.E.; SCE'],
    ],
    GOVERNMENT: [
      [
        'ES_ADMINISTRACION',
        null,
        'Administración pública',
        'Ayuntamiento; Corporación local; Corporaciones locales; Organismo público; Organismo autónomo; Diputación; Comunidad autónoma; Órgano de la administración',
      ],
      ['ES_CDP', 'TUHS', 'Corporación de Derecho Público'],
      ['ES_EPE', null, 'Entidad Pública Empresarial; E.P.E.'],
    ],
    OTHER: [
      ['ES_ASOCIACION', 'A0J6', 'Asociación', 'Asociaciones'],
      ['ES_FUNDACION', 'MDOL', 'Fundación'],
      ['ES_MUTUA', 'CUIH', 'Mutua'],
      ['ES_MPS', 'A97B', 'Mutualidad de Previsión Social; M.P.S.'],
      ['ES_CAJA', '4S57', 'Caja de Ahorros'],
      ['ES_SGR', 'IAS6', 'Sociedad de Garantía Recíproca; S.G.R.'],
      ['ES_SICAV', '8EHB', 'Sociedad de Inversión de Capital Variable; SICAV'],
      ['ES_FI', 'S0Z5', 'Fondo de Inversión; F.I.'],
      ['ES_FP', 'FH4R', 'Fondo de Pensiones; F.P.'],
      ['ES_JUNTA_COMPENSACION', 'TLCJ', 'Junta de Compensación'],
      [
        'ES_COMUNIDAD_PROPIETARIOS',
        null,
        'Comunidad de Propietarios',
        'Comunidad de propietarios en régimen de propiedad horizontal',
      ],
      ['ES_CONGREGACION', 'S6MS', 'Congregación', 'Congregación o institución religiosa'],
      [
        'ES_SUCURSAL',
        null,
        'Sucursal de una sociedad extranjera; Sucursal de una sociedad extranjera; Sucursal en España',
        'Sucursal; Entidad extranjera; Establecimiento permanente',
      ],
    ],
  },
};

export const PT: CountryForms = {
  languages: ['PT'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'PT_LDA',
        'USOG',
        'Sociedade por Quotas; Lda.; Limitada; Sociedade Limitada; L.da',
        'Sociedade por quotas de responsabilidade limitada',
      ],
      [
        'PT_UNIPESSOAL',
        'VF4C',
        'Sociedade Unipessoal por Quotas; Unipessoal Lda.; Sociedade Unipessoal Lda.; Unipessoal Limitada; Sociedade Unipessoal Limitada; Soc. Unipessoal Lda.',
      ],
    ],
    PUBLIC_COMPANY: [
      ['PT_SA', 'DFE5', 'Sociedade Anónima; S.A.; SGPS S.A.', 'Sociedade Anônima'],
      ['PT_SE', 'MFHR', 'Sociedade Anónima Europeia; SE; Societas Europaea', 'Sociedade Europeia'],
      ['PT_SAD', 'W9W3', 'Sociedade Anónima Desportiva; SAD', 'Sociedade desportiva'],
    ],
    PARTNERSHIP: [
      ['PT_SNC', 'N66B', 'Sociedade em Nome Coletivo; S.N.C.', 'Sociedade em nome colectivo'],
      [
        'PT_COMANDITA',
        'OXUC',
        'Sociedade em Comandita; Sociedade em Comandita; em Comandita',
        'Sociedade em comandita simples; Sociedade em comandita por ações',
      ],
      [
        'PT_SOCIEDADE_CIVIL',
        null,
        'Sociedade Civil',
        'Sociedade civil sob forma comercial; Sociedade de advogados; Sociedade irregular',
      ],
      ['PT_ACE', 'YMLD', 'Agrupamento Complementar de Empresas; A.C.E.'],
      ['PT_AEIE', '99JD', 'Agrupamento Europeu de Interesse Económico; A.E.I.E.'],
    ],
    SOLE_TRADER: [
      [
        'PT_ENI',
        'VALH',
        'Empresário em Nome Individual; E.N.I.',
        'Empresário individual; Trabalhador independente; Comerciante em nome individual; Pessoa singular',
      ],
      ['PT_EIRL', 'ZILA', 'Estabelecimento Individual de Responsabilidade Limitada; E.I.R.L.'],
    ],
    COOPERATIVE: [
      [
        'PT_COOPERATIVA',
        '1HGD',
        'Cooperativa; C.R.L.; Cooperativa de Responsabilidade Limitada; CIPRL',
        'Cooperativa de 2º Grau',
      ],
      ['PT_SCE', 'V6YL', 'Sociedade Cooperativa Europeia; SCE; Societas Cooperativa Europaea'],
    ],
    GOVERNMENT: [
      [
        'PT_AP',
        'KUUV',
        'Organismo da Administração Pública',
        'Administração pública; Câmara municipal; Município; Junta de freguesia; Instituto público; Autarquia local',
      ],
      ['PT_PCDP', 'P5S3', 'Pessoa Coletiva de Direito Público', 'Pessoa colectiva de direito público'],
      ['PT_EPE', 'A8CT', 'Entidade Pública Empresarial; E.P.E.'],
      [
        'PT_EM',
        'PIDC',
        'Empresa Municipal; E.M.; E.M. S.A.',
        'Entidade empresarial municipal; Empresa intermunicipal; Empresa local',
      ],
      ['PT_ER', 'ZSWE', 'Empresa Regional'],
    ],
    OTHER: [
      ['PT_ASSOCIACAO', 'ALPT', 'Associação', 'IPSS; Associação de direito privado'],
      ['PT_FUNDACAO', 'Z0NE', 'Fundação'],
      ['PT_FUNDO', '6L6P', 'Fundo', 'Fundo de investimento; Fundo de pensões'],
      ['PT_PCI', 'QFXD', 'Pessoa Coletiva Internacional'],
      [
        'PT_REPRESENTACAO',
        null,
        'Representação permanente de uma entidade estrangeira; Representação permanente de uma entidade estrangeira; Sucursal em Portugal',
        'Representação permanente; Sucursal; Entidade estrangeira; Sociedade estrangeira',
      ],
    ],
  },
};
