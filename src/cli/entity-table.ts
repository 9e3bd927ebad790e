/** The buyers of one legal entity with their facilities. */
import { type Facility, type FacilityWithEntity, listFacilities } from '#modules/facilities';
import { exactAmount } from './amount-text.ts';
import type { OnPlatform } from './installation.ts';
import { runAs } from './run-as.ts';
import { printTable } from './table.ts';

/** The size of a page of the list. */
const IDS_AT_ONCE = 100;

/** The facilities of all buyers of the company, including the given one. */
export async function findEntityBuyers(
  on: OnPlatform,
  { buyer_external_id, entity }: FacilityWithEntity,
): Promise<Facility[]> {
  const ids = [buyer_external_id, ...(entity?.buyer_external_ids ?? [])];
  const buyers: Facility[] = [];
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const query = { buyer_external_ids: ids.slice(from, from + IDS_AT_ONCE), limit: IDS_AT_ONCE };
    buyers.push(...(await runAs(on, listFacilities, { query })).items);
  }
  return buyers;
}

/** Prints one line per buyer, and the sums per currency. */
export function printEntity(buyers: Facility[]): void {
  const sums = [...Map.groupBy(buyers, ({ currency }) => currency)].map(([currency, all]) =>
    rowOf({ buyer: 'together', status: '-', currency }, all),
  );
  const rows = buyers.map((buyer) =>
    rowOf({ buyer: buyer.buyer_external_id, status: buyer.status, currency: buyer.currency }, [buyer]),
  );
  printTable([...rows, ...sums], '');
}

function rowOf(
  names: { buyer: string; status: string; currency: Facility['currency'] },
  buyers: Facility[],
): Record<string, string> {
  const sum = (of: 'total_amount' | 'used_amount' | 'pending_orders_amount') =>
    exactAmount(
      buyers.reduce((total, buyer) => total + buyer[of], 0),
      names.currency,
    );
  return {
    ...names,
    total: sum('total_amount'),
    used: sum('used_amount'),
    pending: sum('pending_orders_amount'),
  };
}
