import type { CountryForms } from './table.ts';

export const GB: CountryForms = {
  languages: ['EN'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'GB_LTD',
        'H0PO',
        'Private limited company; Ltd; Limited; Co. Ltd; Company Limited; Company Ltd; Co. Limited; Cyfyngedig; Cyf',
        "Private company limited by shares; Private limited by shares; Company limited by shares; PRIV LTD SECT. 30 (Private limited company, section 30 of the Companies Act); Private Limited Company, use of 'Limited' exemption; Private limited shares section 30 exemption; Private limited by shares (Section 30 Exemption); Limited company; Private limited; Single member private limited company; Northern Ireland company",
      ],
      [
        'GB_CLG',
        'G12F',
        'Private company limited by guarantee without share capital',
        "Private limited by guarantee/no share capital; Private limited by guarantee; PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital); PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption); Private Limited Company by guarantee without share capital, use of 'Limited' exemption; Private limited company by guarantee; Private limited company by guarantee without share capital; Private limited by guarantee without share capital; Private limited guarant nsc; Private limited guarant nsc limited exemption; Company limited by guarantee; Private company limited by guarantee; Private, limited by guarantee, no share capital",
      ],
      ['GB_CIC', '17R0', 'Community interest company; CIC; C.I.C.; Cwmni Buddiannau Cymunedol'],
    ],
    PUBLIC_COMPANY: [
      [
        'GB_PLC',
        'B6ES',
        'Public limited company; PLC; CCC; Cwmni Cyfyngedig Cyhoeddus',
        'Old public company; Community interest public limited company; Public company limited by shares',
      ],
      [
        'GB_UKS',
        '468Q',
        'United Kingdom Societas; UK Societas; SE',
        'UKS; European public limited liability company (SE); European Public Limited-Liability Company (Societas Europaea); European Public Limited-Liability Company',
      ],
    ],
    PARTNERSHIP: [
      ['GB_LLP', 'Z0EY', 'Limited liability partnership; LLP; Partneriaeth Atebolrwydd Cyfyngedig; PAC'],
      [
        'GB_LP',
        'ID30',
        'Limited partnership; LP; Partneriaeth Cyfyngedig',
        'Private fund limited partnership',
      ],
      [
        'GB_PARTNERSHIP',
        null,
        'General partnership',
        'Partnership; Ordinary partnership; Firm; Business partnership',
      ],
      [
        'GB_SCOTTISH_PARTNERSHIP',
        'NBTW',
        'Scottish partnership',
        'Scottish general partnership; Scottish qualifying partnership',
      ],
      [
        'GB_UKEIG',
        'VYF8',
        'United Kingdom economic interest grouping; UKEIG; EEIG',
        'UK economic interest grouping; European economic interest grouping; European economic interest grouping establishment',
      ],
    ],
    SOLE_TRADER: [
      [
        'GB_SOLE_TRADER',
        null,
        'Sole trader',
        'Sole proprietor; Sole proprietorship; Self-employed; Individual',
      ],
    ],
    COOPERATIVE: [
      [
        'GB_COOP',
        'ZZGG',
        'Co-operative society',
        'Co-operative; Cooperative; Co-op; Co-operative society (Northern Ireland)',
      ],
      [
        'GB_BENCOM',
        'IYXU',
        'Community benefit society',
        'BenCom; Community benefit society (Northern Ireland)',
      ],
      [
        'GB_REGISTERED_SOCIETY',
        'XLZV',
        'Registered society',
        'Industrial and provident society; IPS; Registered society non jurisdictional',
      ],
      ['GB_CREDIT_UNION', 'WBQU', 'Credit union', 'Credit union (Northern Ireland); Northern Ireland other'],
      ['GB_BUILDING_SOCIETY', 'E12O', 'Building society'],
    ],
    GOVERNMENT: [
      [
        'GB_GOVERNMENT',
        'AVYY',
        'Government entity',
        'Local authority; Government department; Public body; Public corporation; NHS trust; Council; Further Education and Sixth Form College Corps; Further education or sixth form college corporation',
      ],
    ],
    OTHER: [
      [
        'GB_UNLIMITED',
        '57V7',
        'Private unlimited company; Unlimited; Unltd',
        'Private unlimited; Unlimited company',
      ],
      [
        'GB_UNLIMITED_NSC',
        '60IF',
        'Private unlimited company without share capital',
        'Private Unlimited/No Share Capital; Private unlimited nsc',
      ],
      ['GB_CIO', '7T8N', 'Charitable incorporated organisation; CIO'],
      ['GB_SCIO', 'STX7', 'Scottish charitable incorporated organisation; SCIO'],
      ['GB_ROYAL_CHARTER', '9B78', 'Royal charter company', 'Royal charter'],
      [
        'GB_ICVC',
        'VV0W',
        'Investment company with variable capital; ICVC; OEIC',
        'Investment Company with Variable Capital (Securities); Investment Company with Variable Capital (Umbrella); Investment Company with Variable Capital (Warrant); ICVC securities; ICVC warrant; ICVC umbrella; Open-ended investment company',
      ],
      ['GB_PCC', 'TT2H', 'Protected cell company'],
      ['GB_ASSURANCE', '8CF0', 'Assurance company'],
      ['GB_FRIENDLY_SOCIETY', 'BX6Y', 'Friendly society'],
      ['GB_UNREGISTERED', 'Q0M5', 'Unregistered company'],
      [
        'GB_TRUST',
        null,
        'Trust',
        'Charitable trust; Unit trust; Charity; Unincorporated association; Club or association',
      ],
      [
        'GB_UK_ESTABLISHMENT',
        null,
        'UK establishment of an overseas company',
        'UK establishment; Overseas company; Oversea company; Overseas entity; Registered overseas entity; Branch',
      ],
    ],
  },
};

export const IE: CountryForms = {
  languages: ['EN', 'GA'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'IE_LTD',
        'MNQ7',
        {
          EN: 'Private company limited by shares; Ltd; Limited; Co. Ltd; Company Limited; Company Ltd',
          GA: 'Cuideachta phríobháideach faoi theorainn scaireanna; Teo; Teoranta',
        },
        'LTD - Private Company Limited by Shares; Private limited company; Limited company; Private limited by shares; Company limited by shares',
      ],
      [
        'IE_DAC',
        'LGWG',
        { EN: 'Designated activity company; DAC', GA: 'Cuideachta ghníomhaíochta ainmnithe; CGA' },
        'DAC - Designated Activity Company (limited by shares); Designated Activity Company (limited by shares)',
      ],
      [
        'IE_DAC_GUARANTEE',
        '5AX8',
        {
          EN: 'Designated activity company limited by guarantee',
          GA: 'Cuideachta ghníomhaíochta ainmnithe faoi theorainn ráthaíochta',
        },
        'DAC - Designated Activity Company (limited by guarantee); Designated Activity Company (limited by guarantee)',
      ],
      [
        'IE_CLG',
        'C58S',
        { EN: 'Company limited by guarantee; CLG', GA: 'Cuideachta faoi theorainn ráthaíochta; CTR' },
        'CLG - Company Limited by Guarantee; Guarantee company; Company limited by guarantee not having a share capital',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'IE_PLC',
        'VYAX',
        { EN: 'Public limited company; p.l.c.', GA: 'Cuideachta phoiblí theoranta; CPT' },
        'PLC - Public Limited Company',
      ],
      [
        'IE_SE',
        'JXDX',
        { EN: 'Societas Europaea; SE', GA: 'Societas Europaea; SE' },
        'European public limited liability company; European company',
      ],
    ],
    PARTNERSHIP: [
      ['IE_PARTNERSHIP', 'DWS3', { EN: 'General partnership', GA: 'Comhpháirtíocht' }, 'Partnership'],
      ['IE_LP', 'HNJK', { EN: 'Limited partnership; LP', GA: 'Comhpháirtíocht theoranta' }],
      [
        'IE_ILP',
        'LZIC',
        { EN: 'Investment limited partnership; ILP', GA: 'Comhpháirtíocht theoranta infheistíochta' },
      ],
      [
        'IE_LLP',
        null,
        { EN: 'Limited liability partnership; LLP', GA: 'Comhpháirtíocht dliteanais theoranta' },
      ],
      [
        'IE_EEIG',
        '363J',
        { EN: 'European economic interest grouping; EEIG', GA: 'Grúpáil Eorpach um Leas Eacnamaíoch; GELE' },
        'Grupail Eorpach um Leas Eacnamaioch',
      ],
    ],
    SOLE_TRADER: [
      [
        'IE_SOLE_TRADER',
        null,
        { EN: 'Sole trader', GA: 'Trádálaí aonair' },
        'Business name; Individual; Self-employed',
      ],
    ],
    COOPERATIVE: [
      [
        'IE_IPS',
        'ZJS8',
        { EN: 'Industrial and provident society', GA: 'Cumann tionscail agus coigiltis' },
        'I&PS; Co-operative; Co-operative society; Cooperative',
      ],
      ['IE_CREDIT_UNION', '9BPE', { EN: 'Credit union', GA: 'Comhar creidmheasa' }],
    ],
    GOVERNMENT: [
      [
        'IE_PUBLIC_BODY',
        null,
        { EN: 'Public body', GA: 'Comhlacht poiblí' },
        'Government department; Local authority; Statutory body; Semi-state body; County council',
      ],
    ],
    OTHER: [
      [
        'IE_ULC',
        'KMFX',
        {
          EN: 'Private unlimited company; ULC; Unlimited Company; UC',
          GA: 'Cuideachta neamhtheoranta; Cuideachta neamhtheoranta; Neamhtheoranta',
        },
        'ULC - Private Unlimited Company',
      ],
      [
        'IE_PUC',
        'URQH',
        { EN: 'Public unlimited company', GA: 'Cuideachta phoiblí neamhtheoranta' },
        'PUC; PUC - Public Unlimited Company',
      ],
      [
        'IE_PULC',
        'FF1D',
        {
          EN: 'Public unlimited company that has no share capital',
          GA: 'Cuideachta phoiblí neamhtheoranta gan scairchaipiteal',
        },
        'PULC; PULC - Public Unlimited Company with no share capital',
      ],
      [
        'IE_ICAV',
        '2GV9',
        {
          EN: 'Irish collective asset-management vehicle; ICAV',
          GA: 'Feithicil chomhbhainistithe sócmhainní',
        },
      ],
      ['IE_FRIENDLY_SOCIETY', '54SK', { EN: 'Friendly society', GA: 'Cara-chumann' }],
      [
        'IE_CHARITY',
        null,
        { EN: 'Charity or unincorporated association', GA: 'Carthanas nó comhlachas neamhchorpraithe' },
        'Charity; Unincorporated association; Trust; Club',
      ],
      [
        'IE_BRANCH',
        null,
        { EN: 'Branch of an external company', GA: 'Brainse de chuideachta eachtrach' },
        'External company; Branch; Foreign company; Overseas company',
      ],
    ],
  },
};
