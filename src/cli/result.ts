/** Prints the result of a command: text for a person, or JSON for a script. */
import { printTable } from './table.ts';

/** Prints `value` with `--json`; calls `printText` without it. Amounts are minor units and instants Unix seconds, as in the API. */
export function printResult(isJson: boolean, value: unknown, printText: () => void): void {
  if (isJson) console.log(JSON.stringify(value, exactInteger, 2));
  else printText();
}

/** Missing in TypeScript's types so far; Node has it since version 22. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** For `JSON.stringify`: a bigint as an integer with all of its digits. */
export function exactInteger(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(`${value}`) : value;
}

/** Prints the result of a change: `value` with `--json`, otherwise the sentence. */
export function printDone(isJson: boolean, value: object, sentence: string): void {
  printResult(isJson, value, () => console.log(sentence));
}

/** Prints a list: the items with `--json`, otherwise a table with one row per item. */
export function printItems<Item extends object>(
  isJson: boolean,
  items: readonly Item[],
  rowOf: (item: Item) => Record<string, string>,
  whenEmpty: string,
): void {
  printResult(isJson, items, () => printTable(items.map(rowOf), whenEmpty));
}
