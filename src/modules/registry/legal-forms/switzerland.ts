import type { CountryForms } from './table.ts';

export const CH: CountryForms = {
  languages: ['DE', 'FR', 'IT'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'CH_GMBH',
        '3EKS',
        {
          DE: 'Gesellschaft mit beschränkter Haftung; GmbH; gGmbH',
          FR: 'Société à responsabilité limitée; Sàrl',
          IT: 'Società a garanzia limitata; Sagl',
        },
        'Limited liability company; LLC; Ltd liab. Co',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'CH_AG',
        'MVII',
        { DE: 'Aktiengesellschaft; AG', FR: 'Société anonyme; SA', IT: 'Società anonima; SA' },
        'Company limited by shares; Corporation',
      ],
      [
        'CH_KMAG',
        'W6A7',
        {
          DE: 'Kommanditaktiengesellschaft; KmAG; Kommandit-AG',
          FR: 'Société en commandite par actions; SCmA',
          IT: 'Società in accomandita per azioni; SAcA',
        },
        'Société en commandite par action; Partnership limited by shares; Patnership limited by shares',
      ],
    ],
    PARTNERSHIP: [
      [
        'CH_KLG',
        'MRSY',
        {
          DE: 'Kollektivgesellschaft; KLG',
          FR: 'Société en nom collectif; SNC',
          IT: 'Società in nome collettivo; SNC',
        },
        'General partnership',
      ],
      [
        'CH_KMG',
        'CQMY',
        {
          DE: 'Kommanditgesellschaft; KmG; KG',
          FR: 'Société en commandite; SCm',
          IT: 'Società in accomandita; SAc',
        },
        'Limited partnership; Kommanditgesellschaft für kollektive Kapitalanlagen; Société en commandite de placements collectifs',
      ],
      [
        'CH_EINFACHE_GESELLSCHAFT',
        '2B81',
        { DE: 'Einfache Gesellschaft', FR: 'Société simple', IT: 'Società semplice' },
        'Simple partnership',
      ],
    ],
    SOLE_TRADER: [
      [
        'CH_EINZELUNTERNEHMEN',
        'AZA0',
        { DE: 'Einzelunternehmen', FR: 'Entreprise individuelle', IT: 'Ditta individuale' },
        'Einzelfirma; Raison individuelle; Ragione individuale; Sole proprietorship; Impresa individuale',
      ],
    ],
    COOPERATIVE: [
      [
        'CH_GENOSSENSCHAFT',
        'QSI2',
        {
          DE: 'Genossenschaft; Genossenschaft',
          FR: 'Société coopérative; Société coopérative',
          IT: 'Società cooperativa; Società cooperativa',
        },
        'Cooperative',
      ],
    ],
    GOVERNMENT: [
      [
        'CH_BUND',
        '2XJA',
        {
          DE: 'Verwaltung des Bundes',
          FR: 'Administration de la Confédération',
          IT: 'Amministrazione della Confederazione',
        },
        'Federal administration',
      ],
      [
        'CH_KANTON',
        'FFTN',
        { DE: 'Verwaltung des Kantons', FR: 'Administration du canton', IT: 'Amministrazione del cantone' },
        'Cantonal administration; Kanton',
      ],
      [
        'CH_GEMEINDE',
        'GP8M',
        { DE: 'Verwaltung der Gemeinde', FR: 'Administration communale', IT: 'Amministrazione comunale' },
        'Local administration; Gemeinde; Commune; Comune',
      ],
      [
        'CH_KOERPERSCHAFT',
        'E0NE',
        {
          DE: 'Öffentlich-rechtliche Körperschaft (Verwaltung)',
          FR: 'Corporation de droit public',
          IT: 'Corporazione di diritto pubblico',
        },
        'Public corporation; Öffentlich-rechtliche Körperschaft; Amm. corporazioni, consorzi, patriziati di diritto pubblico',
      ],
      [
        'CH_INSTITUT',
        '7MNN',
        {
          DE: 'Institut des öffentlichen Rechts',
          FR: 'Institut de droit public',
          IT: 'Istituto di diritto pubblico',
        },
        'Public sector institution; Istituti di diritto pubblico',
      ],
      [
        'CH_BUNDESUNTERNEHMEN',
        'BF9N',
        { DE: 'Unternehmen des Bundes', FR: 'Entreprise publique fédérale', IT: 'Impresa pubblica federale' },
        'Federal public company',
      ],
    ],
    OTHER: [
      ['CH_VEREIN', 'H781', { DE: 'Verein', FR: 'Association', IT: 'Associazione' }],
      ['CH_STIFTUNG', '2JZ4', { DE: 'Stiftung', FR: 'Fondation', IT: 'Fondazione' }, 'Foundation'],
      [
        'CH_SICAV',
        'XJOT',
        {
          DE: 'Investmentgesellschaft mit variablem Kapital; SICAV',
          FR: "Société d'investissement à capital variable; SICAV",
          IT: 'Società di investimento a capitale variabile; SICAV',
        },
        'Investment company with variable capital',
      ],
      [
        'CH_SICAF',
        '54WI',
        {
          DE: 'Investmentgesellschaft mit festem Kapital; SICAF',
          FR: "Société d'investissement à capital fixe; SICAF",
          IT: 'Società di investimento a capitale fisso; SICAF',
        },
        'Investment company with fixed capital',
      ],
      [
        'CH_ZWEIGNIEDERLASSUNG',
        null,
        { DE: 'Zweigniederlassung', FR: 'Succursale', IT: 'Succursale' },
        'Schweizerische Zweigniederlassung; Ausländische Niederlassung; Branch; Swiss branch',
      ],
    ],
  },
};
