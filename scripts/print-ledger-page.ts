/** The reference page about the ledger, as Markdown: its accounts and the causes of its entries. */
import { ACCOUNTS, CAUSES } from '#modules/ledger';

export function printLedgerPage(): string {
  const accounts = Object.entries(ACCOUNTS).map(
    ([code, { normal, party, meaning }]) => `| \`${code}\` | ${normal} | ${party ?? ''} | ${meaning} |`,
  );
  const causes = Object.entries(CAUSES).map(([cause, meaning]) => `| \`${cause}\` | ${meaning} |`);
  return [HEAD, ...accounts, CAUSES_HEAD, ...causes, ''].join('\n');
}

const HEAD = `# The ledger

Printed by \`npm run generate\`: do not edit this page.

## Accounts
Each account exists once per platform and currency, or once for each party. On its normal side the balance is positive. Amounts of two
currencies are never added.

| Account | Normal side | Party | Meaning |
| --- | --- | --- | --- |`;

const CAUSES_HEAD = `
## Causes
Every entry has one of these causes. A reversal has the opposite lines of the entry that it reverses.

| Cause | When |
| --- | --- |`;
