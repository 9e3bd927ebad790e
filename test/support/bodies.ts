/** The smallest bodies that work, for tests to vary. */

export function buyerBody<T extends object>(more: T) {
  return {
    external_id: 'buyer',
    legal_name: 'Café Morgenrot eG',
    legal_form: 'COOPERATIVE',
    business_address: { postcode: '10435', city: 'Berlin', country: 'DE' },
    ...more,
  };
}

export function merchantBody<T extends object>(more: T) {
  return {
    external_id: 'merchant',
    legal_name: 'Nordlicht Kaffeerösterei GmbH',
    legal_form: 'LIMITED_COMPANY',
    business_address: { postcode: '20457', city: 'Hamburg', country: 'DE' },
    ...more,
  };
}

export function draftOrderBody<T extends object>(more: T) {
  return {
    external_id: 'order',
    buyer_external_id: 'buyer',
    merchant_external_id: 'merchant',
    amount: { net: 10_000, tax: 1_900, gross: 11_900 },
    ...more,
  };
}

/** An invoice without an order, due later than any test sets its clock. */
export function invoiceBody<T extends object>(more: T) {
  return {
    external_id: 'invoice',
    buyer_external_id: 'buyer',
    merchant_external_id: 'merchant',
    amount: { net: 10_000, tax: 1_900, gross: 11_900 },
    payment_method: 'TRANSFER',
    due_at: 4_000_000_000,
    ...more,
  };
}
