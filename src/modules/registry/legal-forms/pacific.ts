import type { CountryForms } from './table.ts';

export const AU: CountryForms = {
  languages: ['EN'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'AU_PTY_LTD',
        'TXVC',
        'Limited proprietary company; Pty Ltd; Proprietary Limited; Pty Limited; Proprietary Ltd; P/L; Co. Pty Ltd; Company Pty Ltd; Company Pty Limited',
        'Proprietary limited company; Australian private company; Australian proprietary company; Private company; Proprietary company, limited by shares; PRV; APTY',
      ],
      [
        'AU_CLG',
        'LZFR',
        'Public company limited by guarantee',
        'Company limited by guarantee; Australian public company, limited by guarantee',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'AU_LTD',
        'R4KK',
        'Public company limited by shares; Ltd; Limited; Company Limited; Co. Ltd',
        'Australian public company; Public company; Listed public company; Unlisted public company; PUB; APUB',
      ],
      ['AU_NL', 'PQHL', 'No liability company; NL; No Liability'],
    ],
    PARTNERSHIP: [
      [
        'AU_PARTNERSHIP',
        null,
        'Partnership',
        'General partnership; Other partnership; Family partnership; PTR; FPT',
      ],
      [
        'AU_LP',
        'J4JC',
        'Limited partnership; LP; ILP; A Limited Partnership; An Incorporated Limited Partnership',
        'Incorporated limited partnership; Venture capital limited partnership; LPT',
      ],
    ],
    SOLE_TRADER: [
      [
        'AU_SOLE_TRADER',
        null,
        'Sole trader',
        'Individual/Sole Trader; Individual; Sole proprietor; Self-employed; IND',
      ],
    ],
    COOPERATIVE: [
      [
        'AU_COOP',
        '6W6X',
        'Co-operative; Co-operative; Co-operative Limited; Co-op Limited; Co-operative Ltd; Co-op Ltd; Cooperative Limited; Cooperative Ltd; Coop Ltd; Coop Limited',
        'Cooperative; Co-op; COP',
      ],
    ],
    GOVERNMENT: [
      [
        'AU_GOVERNMENT',
        null,
        'Government entity',
        'Commonwealth Government Entity; State Government Entity; Territory Government Entity; Local Government Entity; Commonwealth Government Public Company; State Government Statutory Authority; Commonwealth Government Statutory Authority; Local council; Statutory authority',
      ],
    ],
    OTHER: [
      [
        'AU_TRUST',
        '7TPC',
        'Trust',
        'Discretionary trading trust; Discretionary investment trust; Discretionary services management trust; Fixed unit trust; Fixed trust; Hybrid trust; Unit trust; Family trust; Other trust; Deceased estate',
      ],
      [
        'AU_FUND',
        'ADXG',
        'Fund',
        'Super fund; Superannuation fund; ATO regulated self-managed superannuation fund; APRA regulated fund',
      ],
      ['AU_INC', 'BC38', 'Incorporated association; Inc.; Incorporated', 'Other incorporated entity; OIE'],
      [
        'AU_INDIGENOUS',
        'XHCV',
        'Indigenous corporation; Indigenous corporation; Aboriginal Corporation; RNTBC; Indigenous Corporation; Torres Strait Islander Corporation',
        'Aboriginal and Torres Strait Islander corporation',
      ],
      ['AU_UNLIMITED', 'Q82Q', 'Unlimited proprietary company; Pty; Proprietary'],
      [
        'AU_UNINCORPORATED',
        null,
        'Unincorporated entity',
        'Other unincorporated entity; UIE; Unincorporated association; Strata title',
      ],
      [
        'AU_FOREIGN',
        null,
        'Registered foreign company',
        'Foreign company; Branch; Registrable Australian body',
      ],
    ],
  },
};

export const NZ: CountryForms = {
  languages: ['EN'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'NZ_LTD',
        'P2R9',
        'Limited liability company; Limited; Ltd; Co. Ltd; Company Limited; Tāpui',
        'NZ Limited Company; New Zealand limited company; Limited company; LTD; Look-through company; Tāpui (Limited)',
      ],
    ],
    PUBLIC_COMPANY: [],
    PARTNERSHIP: [
      ['NZ_PARTNERSHIP', null, 'Partnership', 'General partnership'],
      [
        'NZ_LP',
        'F7KI',
        'Limited partnership; LP; L.P.',
        'NZ limited partnership; New Zealand limited partnership',
      ],
    ],
    SOLE_TRADER: [['NZ_SOLE_TRADER', null, 'Sole trader', 'Individual; Sole proprietor; Self-employed']],
    COOPERATIVE: [
      [
        'NZ_COOP',
        'Z6ZU',
        'Cooperative company; Cooperative company; Co-operative Ltd; Co-operative Limited; Co-op Limited; Cooperative Limited; Cooperative Ltd',
        'NZ co-operative company; Co-operative company; Cooperative; Co-operative; Coop',
      ],
      [
        'NZ_IPS',
        null,
        'Industrial and provident society',
        'Credit union; Building society; Friendly society',
      ],
    ],
    GOVERNMENT: [
      [
        'NZ_GOVERNMENT',
        'Q4BE',
        'Government entity',
        'Government department; Local authority; Crown entity; State-owned enterprise; Council; School board of trustees; Central government',
      ],
    ],
    OTHER: [
      [
        'NZ_UNLIMITED',
        '4LEA',
        'Unlimited liability company; Unlimited; Unltd; Ultd',
        'NZ unlimited company; Unlimited company',
      ],
      ['NZ_INC', null, 'Incorporated society; Incorporated; Inc.', 'Society'],
      ['NZ_CHARITABLE_TRUST', null, 'Charitable trust', 'Charitable trust board; Charity'],
      ['NZ_TRUST', null, 'Trust', 'Trading trust; Family trust; Māori trust'],
      ['NZ_UNINCORPORATED', null, 'Unincorporated body', 'Unincorporated entity; Club'],
      [
        'NZ_OVERSEAS',
        null,
        'Overseas company',
        'Overseas ASIC company; Overseas non-ASIC company; Overseas limited partnership; Branch',
      ],
    ],
  },
};

/** The ELF list has only three groups of bodies that are not companies. */
export const JP: CountryForms = {
  languages: ['JA'],
  inFront: [],
  forms: {
    LIMITED_COMPANY: [
      [
        'JP_YK',
        'DYQK',
        '有限会社; Yugen Kaisha; (有); ㈲; Y.K.; 特例有限会社; Yugen Gaisha',
        'yugengaisya; 有',
      ],
      [
        'JP_GK',
        '7QQ0',
        '合同会社; Godo Kaisha; (同); G.K.; Goudou Kaisha; Gōdō Kaisha; GODO KAISHA',
        'goudougaisya; 合; Limited liability company; LLC',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'JP_KK',
        'T417',
        '株式会社; Kabushiki Kaisha; (株); ㈱; K.K.; Kabushiki Gaisha; Co., Ltd.; Company, Limited; Company, Ltd.; Co., Inc.; 株式會社',
        'kabusikigaisya; 株; カブシキガイシャ; Stock company; Joint-stock company',
      ],
    ],
    PARTNERSHIP: [
      ['JP_GMK', 'IUVI', '合名会社; Gomei Kaisha; (名); ㈴', 'goumeigaisya; 名; General partnership company'],
      ['JP_GSK', '5MVV', '合資会社; Goshi Kaisha; (資); ㈾', 'gousigaisya; 資; Limited partnership company'],
      ['JP_LLP', null, '有限責任事業組合', 'LLP; Limited liability partnership; 投資事業有限責任組合'],
      ['JP_NIN_I_KUMIAI', null, '民法上の組合', '任意組合; 匿名組合'],
    ],
    SOLE_TRADER: [
      ['JP_KOJIN', null, '個人事業主', '個人事業者; 個人; 個人商店; Sole proprietor; Individual'],
    ],
    COOPERATIVE: [
      [
        'JP_KYODO_KUMIAI',
        null,
        '事業協同組合; 事業協同組合; 協同組合; 企業組合',
        'Cooperative; 中小企業等協同組合',
      ],
      [
        'JP_NOKYO',
        null,
        '農業協同組合; 農業協同組合',
        'JA; 漁業協同組合; 森林組合; Agricultural cooperative',
      ],
      ['JP_SEIKYO', null, '消費生活協同組合; 生活協同組合; 消費生活協同組合', '生協'],
      ['JP_SHINKIN', null, '信用金庫', '信用組合; 労働金庫; 信用協同組合'],
    ],
    GOVERNMENT: [
      ['JP_KUNI', 'R4LR', '国の機関', '国; 官公庁; 省庁'],
      ['JP_CHIHO', '2NRQ', '地方公共団体', '市区町村; 都道府県; 一部事務組合'],
      [
        'JP_DOKUHO',
        null,
        '独立行政法人; 独立行政法人; 国立研究開発法人; 地方独立行政法人',
        '特殊法人; 認可法人',
      ],
      ['JP_KOKURITSU_DAIGAKU', null, '国立大学法人; 国立大学法人; 公立大学法人'],
    ],
    OTHER: [
      ['JP_IPPAN_SHADAN', null, '一般社団法人; 一般社団法人', 'General incorporated association; 社団法人'],
      ['JP_KOEKI_SHADAN', null, '公益社団法人; 公益社団法人', 'Public interest incorporated association'],
      ['JP_IPPAN_ZAIDAN', null, '一般財団法人; 一般財団法人', 'General incorporated foundation; 財団法人'],
      ['JP_KOEKI_ZAIDAN', null, '公益財団法人; 公益財団法人', 'Public interest incorporated foundation'],
      ['JP_NPO', null, '特定非営利活動法人; NPO法人; 特定非営利活動法人'],
      ['JP_IRYO', null, '医療法人; 医療法人; 医療法人社団; 医療法人財団; 医療法人; 社会医療法人'],
      ['JP_GAKKO', null, '学校法人; 学校法人'],
      ['JP_SHAKAI_FUKUSHI', null, '社会福祉法人; 社会福祉法人'],
      ['JP_SHUKYO', null, '宗教法人; 宗教法人'],
      ['JP_SOGO', null, '相互会社; 相互会社', 'Mutual company'],
      ['JP_TMK', null, '特定目的会社; 特定目的会社; Tokutei Mokuteki Kaisha', 'TMK'],
      [
        'JP_SHIGYO',
        null,
        '弁護士法人; 弁護士法人; 税理士法人; 監査法人; 司法書士法人; 行政書士法人; 社会保険労務士法人; 特許業務法人',
      ],
      ['JP_SONOTA_HOJIN', 'N3JU', 'その他の設立登記法人', '管理組合法人; 農事組合法人'],
      ['JP_GAIKOKU', 'MXMH', '外国会社等', '外国会社; 外; 日本支店; Branch'],
      ['JP_SONOTA', 'VQLD', 'その他', 'そ'],
    ],
  },
};
