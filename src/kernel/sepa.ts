/** Countries of the SEPA schemes, by the country of their IBANs (EPC409-09). */
const EEA = countries(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK',
);
const OTHERS = countries('AD AL CH GB GI MC MD ME MK RS SM VA');

/** Whether SEPA transfers reach the account. Outside the EEA they need a BIC. */
export function isInSepa(iban: string): boolean {
  return isInEea(iban) || OTHERS.has(iban.slice(0, 2));
}

export function isInEea(iban: string): boolean {
  return EEA.has(iban.slice(0, 2));
}

function countries(codes: string): ReadonlySet<string> {
  return new Set(codes.split(' '));
}
