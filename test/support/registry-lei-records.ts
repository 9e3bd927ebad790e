/** Invented companies as GLEIF's API shows them (LEI-CDF 3.1 as JSON:API), written by hand from its documentation. */

export const LEI = {
  german: '5299000000INVENTED01',
  swedish: '5299000000INVENTED02',
  norwegian: '5299000000INVENTED03',
  swiss: '5299000000INVENTED04',
  japanese: '5299000000INVENTED05',
  greek: '5299000000INVENTED06',
  dissolved: '5299000000INVENTED07',
  duplicate: '5299000000INVENTED08',
  french: '5299000000INVENTED09',
  delaware: '5299000000INVENTED10',
  lapsed: '5299000000INVENTED11',
  italian: '5299000000INVENTED12',
} as const;

type Fields = Record<string, unknown>;

const address = (language: string, fields: Fields) => ({
  language,
  addressLines: [],
  addressNumber: null,
  addressNumberWithinBuilding: null,
  mailRouting: null,
  region: null,
  ...fields,
});

/** A resource with the fields a record always has; `entity` and `registration` add to them. */
export function leiRecord(lei: string, entity: Fields, registration: Fields = {}) {
  return {
    type: 'lei-records',
    id: lei,
    attributes: {
      lei,
      entity: {
        otherNames: [],
        transliteratedOtherNames: [],
        registeredAt: { id: 'RA999999', other: null },
        registeredAs: null,
        jurisdiction: (entity.legalAddress as Fields | undefined)?.country ?? null,
        category: 'GENERAL',
        legalForm: { id: '9999', other: null },
        associatedEntity: { lei: null, name: null },
        status: 'ACTIVE',
        expiration: { date: null, reason: null },
        successorEntity: { lei: null, name: null },
        successorEntities: [],
        creationDate: null,
        subCategory: null,
        otherAddresses: [],
        eventGroups: [],
        headquartersAddress: entity.legalAddress,
        ...entity,
      },
      registration: {
        initialRegistrationDate: '2015-01-07T09:00:00Z',
        lastUpdateDate: '2025-01-07T09:00:00Z',
        status: 'ISSUED',
        nextRenewalDate: '2026-01-07T09:00:00Z',
        managingLou: '5299000000INVENTED99',
        corroborationLevel: 'FULLY_CORROBORATED',
        ...registration,
      },
      bic: null,
      conformityFlag: 'CONFORMING',
    },
    relationships: { 'managing-lou': { links: { related: `https://gleif.example/lei-records/${lei}` } } },
    links: { self: `https://gleif.example/lei-records/${lei}` },
  };
}

const name = (text: string, language: string, type?: string) => ({
  name: text,
  language,
  ...(type && { type }),
});

export const leiRecords = [
  leiRecord(LEI.german, {
    legalName: name('Nordlicht Werkzeugbau GmbH', 'de'),
    otherNames: [name('Nordlicht Tools', 'en', 'TRADING_OR_OPERATING_NAME')],
    legalAddress: address('de', {
      addressLines: ['Straße des 17. Juni 135'],
      city: 'Berlin',
      region: 'DE-BE',
      country: 'DE',
      postalCode: '10623',
    }),
    registeredAs: 'HRB 12345',
    legalForm: { id: '2HBR', other: null },
    creationDate: '1998-03-02T00:00:00+01:00',
  }),
  leiRecord(LEI.swedish, {
    legalName: name('Västkustens Åkeri AB', 'sv'),
    legalAddress: address('sv', {
      addressLines: ['C/O Invented Lindberg', 'Fortgatan 11'],
      mailRouting: 'C/O Invented Lindberg',
      city: 'Västra Frölunda',
      region: 'SE-O',
      country: 'SE',
      postalCode: '426 76',
    }),
    registeredAs: '556016-9999',
    legalForm: { id: 'XJHM', other: null },
    creationDate: '1997-06-05T02:00:00+02:00',
  }),
  leiRecord(LEI.norwegian, {
    legalName: name('FJORD VERKSTED AS', 'no'),
    legalAddress: address('no', {
      addressLines: ['Havnegata 9', 'Bygg B'],
      city: 'Bergen',
      country: 'NO',
      postalCode: '5003',
    }),
    registeredAs: '923 609 999',
  }),
  leiRecord(LEI.swiss, {
    legalName: name('Aarauer Präzision AG', 'de'),
    legalAddress: address('de', {
      addressLines: ['Bahnhofstrasse'],
      addressNumber: '7a',
      city: 'Aarau',
      country: 'CH',
      postalCode: '5000',
    }),
    registeredAs: 'CHE-123.456.789',
    legalForm: { id: 'MVII', other: null },
  }),
  leiRecord(LEI.japanese, {
    legalName: name('株式会社山田架空製作所', 'ja'),
    otherNames: [name('Yamada Kakuu Manufacturing', 'en', 'ALTERNATIVE_LANGUAGE_LEGAL_NAME')],
    transliteratedOtherNames: [
      name('Yamada Kakuu Seisakusho K.K.', 'ja', 'PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME'),
      name('zhu shi hui she shan tian jia kong zhi zuo suo', 'ja', 'AUTO_ASCII_TRANSLITERATED_LEGAL_NAME'),
    ],
    legalAddress: address('ja', {
      addressLines: ['丸の内1丁目1番1号'],
      city: '千代田区',
      region: 'JP-13',
      country: 'JP',
      postalCode: '100-0005',
    }),
    legalForm: { id: 'T417', other: null },
  }),
  leiRecord(LEI.greek, {
    legalName: name('ΑΛΦΑ ΕΠΙΝΟΗΜΕΝΗ ΑΕ', 'el'),
    transliteratedOtherNames: [
      name('ALFA EPINOIMENI AE', 'el', 'AUTO_ASCII_TRANSLITERATED_LEGAL_NAME'),
      name('ΑΛΦΑ ΕΠΙΝΟΗΜΕΝΗ ΑΕ', 'el', 'AUTO_ASCII_TRANSLITERATED_LEGAL_NAME'),
    ],
    legalAddress: address('el', { addressLines: ['-'], city: '-', country: 'GR', postalCode: null }),
    legalForm: { id: '8888', other: 'Ανώνυμη Εταιρεία' },
  }),
  leiRecord(
    LEI.dissolved,
    {
      legalName: name('BRIGHTWATER MILLS LIMITED', 'en'),
      legalAddress: address('en', {
        addressLines: ['12 Mill Lane'],
        city: 'Leeds',
        country: 'GB',
        postalCode: 'LS1 4AB',
      }),
      registeredAs: '01234567',
      status: 'INACTIVE',
      expiration: { date: '2020-11-03T00:00:00Z', reason: 'DISSOLVED' },
    },
    { status: 'RETIRED' },
  ),
  leiRecord(
    LEI.duplicate,
    {
      legalName: name('Doppelt Handel GmbH', 'de'),
      legalAddress: address('de', {
        addressLines: ['Weg 1'],
        city: 'Köln',
        country: 'DE',
        postalCode: '50667',
      }),
    },
    { status: 'DUPLICATE' },
  ),
  leiRecord(LEI.french, {
    legalName: name('ATELIERS FICTIFS DE LYON', 'fr'),
    otherNames: [
      name('SOIERIES FICTIVES', 'fr', 'PREVIOUS_LEGAL_NAME'),
      name('Lyon Fictif', 'fr', 'TRADING_OR_OPERATING_NAME'),
      name('ATELIERS FICTIFS DE LYON', 'fr', 'PREVIOUS_LEGAL_NAME'),
    ],
    legalAddress: address('fr', {
      addressLines: ['16 BIS RUE DE LA SOIE', 'BP 77'],
      city: 'LYON 3',
      country: 'FR',
      postalCode: '69003',
    }),
    registeredAs: '999 888 777',
    creationDate: '1895-04-01',
  }),
  leiRecord(LEI.delaware, {
    legalName: name('Invented Freight, Inc.', 'en'),
    legalAddress: address('en', {
      addressLines: ['1209 Orange Street'],
      city: 'Wilmington',
      region: 'US-DE',
      country: 'US',
      postalCode: '19801',
    }),
    jurisdiction: 'US-DE',
    registeredAs: '2059764',
  }),
  leiRecord(
    LEI.lapsed,
    {
      legalName: name('Lapsus Handels GmbH', 'de'),
      legalAddress: address('de', {
        addressLines: ['Postfach 12 34'],
        city: 'Wien',
        country: 'AT',
        postalCode: '1010',
      }),
    },
    { status: 'LAPSED' },
  ),
  leiRecord(LEI.italian, {
    legalName: name('Officine Inventate S.r.l.', 'it'),
    legalAddress: address('it', {
      addressLines: ['Via Roma 12/A'],
      city: 'Milano',
      region: 'IT-MI',
      country: 'IT',
      postalCode: '20121',
    }),
    registeredAs: 'MI - 1234567',
  }),
];
