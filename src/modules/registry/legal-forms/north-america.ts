import type { CountryForms } from './table.ts';

/** Without codes: companies are formed under the law of a state, and the ELF list has a code for each state. */
export const US: CountryForms = {
  languages: ['EN'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'US_CORP',
        null,
        'Corporation; Inc.; Corp.; Corporation; Incorporated; Company; Co.; Co. Inc.; Company Inc.; Ltd.; Limited; Co. Ltd.; Chartered; Company, Incorporated',
        'Business corporation; For-profit corporation; Profit corporation; Stock corporation; General corporation; Close corporation; Domestic corporation; Domestic business corporation; C corporation; S corporation; C-Corp; S-Corp; Foreign corporation; Corporation (for-profit)',
      ],
      [
        'US_LLC',
        null,
        'Limited liability company; LLC; L.L.C.; LC; L.C.; Limited Company; Ltd. Liability Co.; LLC Co.; L.L. Company',
        'Domestic limited liability company; Foreign limited liability company; Series LLC; Single member LLC; Limited liability company (LLC)',
      ],
      ['US_PLLC', null, 'Professional limited liability company; PLLC; P.L.L.C.; PLC'],
      ['US_L3C', null, 'Low-profit limited liability company; L3C', 'Low profit LLC'],
      [
        'US_PC',
        null,
        'Professional corporation; P.C.; Prof. Corp.; A Professional Corporation; P.A.; Professional Association',
        'Professional service corporation',
      ],
      [
        'US_BENEFIT_CORP',
        null,
        'Benefit corporation; PBC; Public Benefit Corporation',
        'B Corp; Social purpose corporation',
      ],
    ],
    PUBLIC_COMPANY: [],
    PARTNERSHIP: [
      ['US_GP', null, 'General partnership; G.P.', 'Partnership; Joint venture'],
      ['US_LP', null, 'Limited partnership; L.P.; LP', 'Domestic limited partnership'],
      [
        'US_LLP',
        null,
        'Limited liability partnership; LLP; L.L.P.; RLLP; Registered Limited Liability Partnership',
        'Professional limited liability partnership',
      ],
      ['US_LLLP', null, 'Limited liability limited partnership; LLLP; L.L.L.P.'],
    ],
    SOLE_TRADER: [
      [
        'US_SOLE_PROPRIETORSHIP',
        null,
        'Sole proprietorship',
        'Sole proprietor; Individual; DBA; Self-employed',
      ],
    ],
    COOPERATIVE: [
      [
        'US_COOP',
        null,
        'Cooperative',
        'Cooperative association; Cooperative corporation; Co-op; Co-operative; Limited cooperative association; Agricultural cooperative; Electric cooperative; Workers cooperative',
      ],
      ['US_CREDIT_UNION', '14OD', 'Credit union', 'Federal credit union; State credit union'],
    ],
    GOVERNMENT: [
      [
        'US_GOVERNMENT',
        null,
        'Government entity',
        'Federal government; State government; Local government; Municipality; County; City; School district; Government agency; Municipal corporation; Public corporation; Tribal government',
      ],
    ],
    OTHER: [
      [
        'US_NONPROFIT',
        null,
        'Nonprofit corporation',
        'Non-profit corporation; Not-for-profit corporation; Nonstock corporation; Religious corporation; Corporation sole; Mutual benefit corporation; 501(c)(3); Nonprofit; Non-profit; Corporation (nonprofit); Corporation (non-profit); Nonprofit organization',
      ],
      [
        'US_ASSOCIATION',
        null,
        'Unincorporated association',
        'Unincorporated nonprofit association; Association; Voluntary association',
      ],
      [
        'US_TRUST',
        null,
        'Business or statutory trust',
        'Business trust; Statutory trust; Trust; Massachusetts trust; Real estate investment trust; Living trust',
      ],
      [
        'US_NATIONAL_BANK',
        '62VJ',
        'National bank; N.A.; National Association',
        'National banking association',
      ],
      [
        'US_BANK',
        null,
        'State bank or savings institution',
        'Commercial bank; Savings bank; Savings and loan association; Industrial bank; Bank; Trust company; Non-deposit trust company',
      ],
      ['US_FSA', '380O', 'Federal savings association; FSA; F.S.B.', 'Federal savings bank'],
      ['US_FOREIGN', null, 'Branch of a foreign company', 'Foreign entity; Branch'],
    ],
  },
};

/** Has the federal codes of the ELF list. The tables of further ELF codes have those of the provinces. */
export const CA: CountryForms = {
  languages: ['EN', 'FR'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'CA_CORP',
        'UDLA',
        {
          EN: 'Business corporation; Inc.; Ltd.; Corp.; Limited; Incorporated; Corporation; Co. Ltd.; Company Limited; Company Ltd.; Co. Inc.',
          FR: 'Société par actions; inc.; ltée; limitée; incorporée; S.A.R.F.; Cie ltée; Compagnie ltée',
        },
        'Federal business corporation; Ontario business corporation; Alberta business corporation; British Columbia company; BC company; Company; Corporation; Share corporation; Compagnie; Société par actions ou compagnie',
      ],
      [
        'CA_PROFESSIONAL_CORP',
        null,
        {
          EN: 'Professional corporation; P.C.; Prof. Corp.; Professional Corp.',
          FR: 'Société professionnelle par actions; c.p.',
        },
        'Corporation professionnelle',
      ],
      [
        'CA_CCC',
        null,
        { EN: 'Community contribution company; CCC', FR: 'Société à contribution communautaire' },
        'Community interest company',
      ],
    ],
    PUBLIC_COMPANY: [],
    PARTNERSHIP: [
      [
        'CA_GP',
        null,
        { EN: 'General partnership; G.P.', FR: 'Société en nom collectif; S.E.N.C.' },
        'Partnership; Partnerships',
      ],
      ['CA_LP', null, { EN: 'Limited partnership; L.P.', FR: 'Société en commandite; S.E.C.' }],
      [
        'CA_LLP',
        null,
        {
          EN: 'Limited liability partnership; LLP; L.L.P.',
          FR: 'Société en nom collectif à responsabilité limitée; S.E.N.C.R.L.; s.r.l.; S.E.N.C.R.L./LLP',
        },
      ],
      ['CA_JOINT_VENTURE', null, { EN: 'Joint venture', FR: 'Société en participation' }],
    ],
    SOLE_TRADER: [
      [
        'CA_SOLE_PROPRIETORSHIP',
        null,
        { EN: 'Sole proprietorship', FR: 'Entreprise individuelle' },
        'Sole proprietor; Business name; Business name/sole proprietorship; Trade name/sole proprietorship; Personne physique; Personne physique exploitant une entreprise individuelle; Registered business name',
      ],
    ],
    COOPERATIVE: [
      [
        'CA_COOP',
        'MGE0',
        {
          EN: 'Cooperative; Co-op; Co-operative Ltd.; Cooperative Ltd.; Co-operative Limited; Cooperative Limited; Co-op Ltd.',
          FR: 'Coopérative',
        },
        'Co-operative; Co-operative corporation; Cooperative association; Coop',
      ],
      [
        'CA_CREDIT_UNION',
        null,
        { EN: 'Credit union', FR: 'Caisse populaire' },
        'Credit unions; Coopérative de services financiers',
      ],
    ],
    GOVERNMENT: [
      [
        'CA_GOVERNMENT',
        null,
        { EN: 'Government entity', FR: 'Organisme gouvernemental' },
        'Municipality; Municipalité; Crown corporation; Société d’État; Government agency; Ministère; Federal government; Provincial government; Organisme public',
      ],
    ],
    OTHER: [
      [
        'CA_NONPROFIT',
        'D90J',
        { EN: 'Corporation without share capital', FR: 'Organisation sans capital-actions' },
        'Not-for-profit corporation; Non-profit corporation; Nonprofit corporation; Organisation à but non lucratif; Personne morale sans but lucratif; OBNL; Non-share corporation',
      ],
      [
        'CA_SOCIETY',
        null,
        { EN: 'Society', FR: 'Association' },
        'Association; Societies; Society (includes member-funded society)',
      ],
      [
        'CA_ULC',
        null,
        {
          EN: 'Unlimited liability company; ULC; Unlimited Liability Corporation; Unlimited Liability Company',
          FR: 'Société à responsabilité illimitée',
        },
        'Unlimited company',
      ],
      ['CA_TRUST', null, { EN: 'Trust', FR: 'Fiducie' }, 'Income trust; Family trust'],
      [
        'CA_CONDOMINIUM',
        null,
        { EN: 'Condominium corporation', FR: 'Syndicat de copropriété' },
        'Strata corporation; Association condominiale',
      ],
      [
        'CA_ACT_OF_PARLIAMENT',
        '6TRA',
        {
          EN: 'Corporation enacted by an Act of Parliament',
          FR: 'Corporation constituée par une loi du Parlement',
        },
        'Corporations enacted by an Act of Parliament; Private act corporation; Special act corporation',
      ],
      ['CA_BOARD_OF_TRADE', '59T2', { EN: 'Board of trade', FR: 'Chambre de commerce' }],
      [
        'CA_PENSION_FUND_SOCIETY',
        'M4IF',
        { EN: 'Pension fund society', FR: 'Société de caisse de retraite' },
      ],
      [
        'CA_EXTRA_PROVINCIAL',
        null,
        { EN: 'Extra-provincial corporation', FR: 'Personne morale extraprovinciale' },
        'Foreign corporation; Branch; Extraprovincial corporation; Succursale',
      ],
    ],
  },
};
