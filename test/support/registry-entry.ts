/** A company as a registry tells it, for tests to vary. */
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { RegistryEntry } from '#modules/registry';

export const NO_ADDRESS: RegistryEntry['address'] = {
  street: null,
  house: null,
  postcode: null,
  city: null,
  country: 'DE',
  additional: null,
};

export const vatId = (value: string, country = 'DE'): BusinessIdentifier => ({
  type: 'VAT_ID',
  value,
  country,
});
export const registerId = (value: string, country = 'DE'): BusinessIdentifier => ({
  type: 'REGISTER_ID',
  value,
  country,
});

/** Everything that a buyer may take over; `registerKey` and an identifier of one's own make it another company. */
export function registryEntry(more: Partial<RegistryEntry>): RegistryEntry {
  return {
    registry: 'TEST',
    registryKey: '1',
    legalName: 'Nordlicht Energie AG',
    tradingName: 'Nordlicht',
    otherNames: [],
    legalForm: 'Aktiengesellschaft',
    elfCode: null,
    address: { ...NO_ADDRESS, street: 'Deich', house: '1', postcode: '25813', city: 'Husum' },
    identifiers: [vatId('DE811907980'), registerId('HRB 70008')],
    incorporatedAt: 1_041_379_200,
    website: null,
    isActive: true,
    ...more,
  };
}
