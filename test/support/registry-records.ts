/**
 * Invented companies as VIES answers about a VAT number and as Companies House shows a company, written by hand from
 * their documentation.
 */

/** The member state's record of a number, or the error of the query. Any other number is invalid. */
export const vatNumbers: Record<
  string,
  { name: string; address: string } | { error: string; status?: number }
> = {
  NL999999990B01: { name: 'FICTIEF TRANSPORT B.V.', address: '\nKERKSTRAAT 00012 A\n1017GC AMSTERDAM\n' },
  EL999999990: { name: 'ΑΛΦΑ ΕΠΙΝΟΗΜΕΝΗ ΑΕ||ΑΛΦΑ', address: 'ΠΑΝΕΠΙΣΤΗΜΙΟΥ 25 10564 - ΑΘΗΝΑ' },
  FRFR999888777: { name: 'SAS FICTIVE', address: '16 RUE DE LA SOIE\n69003 LYON' },
  DE999999990: { name: '---', address: '---' },
  XI999999990: { name: 'INVENTED LINEN LTD', address: '5 HARBOUR ROAD\nBELFAST\nBT1 1AA' },
  'IE9+99999W': { name: 'INVENTED DAIRY LIMITED', address: 'UNIT 4, HARBOUR PARK, CORK' },
  PL9999999990: { name: 'WYMYŚLONA SP. Z O.O.', address: 'UL. PROSTA 51 LOK. 3\n00-838 WARSZAWA' },
  FR00000000200: { error: 'MS_UNAVAILABLE' },
  IT00000000400: { error: 'INVALID_INPUT', status: 400 },
  AT00000000: { error: 'VOW-ERR-1', status: 500 },
  SE000000000001: { error: 'MS_MAX_CONCURRENT_REQ', status: 500 },
  BE0000000001: { error: 'GLOBAL_MAX_CONCURRENT_REQ' },
  LU00000001: { error: 'IP_BLOCKED' },
  PT000000001: { error: 'SERVICE_UNAVAILABLE' },
};

/** The answers of `/company/{number}`. A search returns some of the fields under other names. */
export const companyProfiles = [
  {
    company_name: 'INVENTED WIDGETS LIMITED',
    company_number: '00012345',
    company_status: 'active',
    type: 'ltd',
    jurisdiction: 'england-wales',
    date_of_creation: '1990-02-09',
    registered_office_address: {
      address_line_1: '85 Great Portland Street',
      address_line_2: 'First Floor',
      locality: 'London',
      region: 'Greater London',
      country: 'England',
      postal_code: 'W1W 7LT',
    },
    previous_company_names: [
      { name: 'IMAGINARY WIDGETS LIMITED', ceased_on: '2004-05-06', effective_from: '1990-02-09' },
      { name: 'INVENTED WIDGETS LIMITED', ceased_on: '1990-03-01', effective_from: '1990-02-09' },
    ],
    can_file: true,
    links: { self: '/company/00012345' },
  },
  {
    company_name: 'BRIGHTWATER MILLS LIMITED',
    company_number: '01234567',
    company_status: 'dissolved',
    type: 'private-limited-guarant-nsc',
    date_of_creation: '1975-01-31',
    date_of_cessation: '2020-11-03',
    registered_office_address: { premises: "St Helen's", address_line_1: '1 Mill Lane', locality: 'Leeds' },
    can_file: false,
    links: { self: '/company/01234567' },
  },
  {
    company_name: 'CALEDONIAN INVENTED PARTNERSHIP',
    company_number: 'SL000123',
    company_status: 'administration',
    type: 'some-type-of-tomorrow',
    registered_office_address: {
      care_of: 'Invented Agents',
      po_box: 'PO Box 12',
      locality: 'Glasgow',
      country: 'Scotland',
      postal_code: 'G1 1AA',
    },
    can_file: true,
    links: { self: '/company/SL000123' },
  },
  {
    company_name: 'INVENTED OVERSEAS SARL',
    company_number: 'FC012345',
    company_status: 'active',
    type: 'oversea-company',
    registered_office_address: {
      premises: '3',
      address_line_1: 'Rue Fictive',
      locality: 'Paris',
      country: 'France',
    },
    can_file: true,
    links: { self: '/company/FC012345' },
  },
];
