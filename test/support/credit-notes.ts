/** Credit notes for tests. */

/** A credit note over the full amount of `invoiceBody`, for tests to vary. */
export function creditNoteBody<T extends object>(more: T) {
  return {
    external_id: 'credit-note',
    invoice_external_id: 'invoice',
    reason_code: 'RETURN',
    amount: { net: 10_000, tax: 1_900, gross: 11_900 },
    ...more,
  };
}
