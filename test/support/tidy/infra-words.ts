// infra contains mechanisms only: it names no resource of the business.
import ts from 'typescript';
import { innocent, offence } from './check.ts';
import { isProgram, nodeCheck, textOf } from './syntax.ts';

const INFRA = /^src\/infra\//;
/** The generated types of all tables. */
const GENERATED = 'src/infra/database/schema.ts';

const NAMES = /^(buyer|checkout|facility|facilitie|invoice|merchant|review|webhook)s?$/;
const COLUMNS = /\b(buyer|checkout|facility|invoice|merchant|order|review|webhook)(_\w|s\b)|\bfacilities\b/;

/** `unnestBuyerKeys` → unnest, buyer, keys. */
const segmentsOf = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');

export const infraKnowsNoBusinessWord = nodeCheck({
  name: 'infra-knows-no-business-word',
  applies: (path) => isProgram(path) && INFRA.test(path) && path !== GENERATED,
  judge(node) {
    const isName = ts.isIdentifier(node) && segmentsOf(node.text).some((segment) => NAMES.test(segment));
    if (!isName && !COLUMNS.test(ts.isIdentifier(node) ? node.text : (textOf(node) ?? ''))) return undefined;
    return 'infra names no resource of the business: take the table, the column or the statement as an argument.';
  },
  examples: [
    offence('src/infra/database/unnest-rows.ts', 'export const unnestBuyerKeys = 1;'),
    offence('src/infra/time/due-transitions.ts', "const kind: 'facilities' | 'x' = 'facilities';"),
    offence(
      'src/infra/database/outbox.queries.ts',
      '\nsql`insert into webhook_deliveries (id) values (1)`;',
      2,
    ),
    offence('src/infra/database/rows.ts', 'const key = row.order_external_id;'),
    innocent('src/infra/database/outbox.queries.ts', 'sql`select id from events order by ordinal`;'),
    innocent('src/infra/database/rows-in-order.ts', '// Rows of buyers.\nexport const rowsInOrder = byKey;'),
    innocent('src/modules/buyers/buyer-keys.ts', 'export const unnestBuyerKeys = 1;'),
    innocent('src/infra/database/schema.ts', 'export interface Buyers { id: number }'),
  ],
});
