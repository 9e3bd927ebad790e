/** Keys of tables with one row per buyer. */
import { rowsInOrderBy } from '#infra/database/rows-in-order';
import { unnestKeysBy } from '#infra/database/unnest-rows';

/** `k(platform_id, buyer_external_id)`. */
export const unnestBuyerKeys = unnestKeysBy('buyer_external_id', 'buyerExternalId');

/** The rows of a query in the order of its buyers; undefined for a buyer without a row. */
export const rowsInOrderOfBuyers = rowsInOrderBy('buyerExternalId', 'buyer_external_id');
