/**
 * Compares openapi.json with the last released description, and fails on a change that breaks a client. With --release, the current one
 * becomes the released description of its version. The rules are in docs/decisions/0019-api-evolution.md.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiCompare, type Diff } from 'api-smart-diff';

// biome-ignore lint/suspicious/noExplicitAny: the description is read as any client reads it, without our types.
type Json = any;

const root = fileURLToPath(new URL('..', import.meta.url));
const RELEASED_FOLDER = join(root, 'docs/reference/released');

const ORDER_SIMULATOR =
  'paths//v1/sandbox/orders/post/requestBody/content/application/json/schema/properties/trigger/enum';

/** Changes that break a client and were accepted anyway, with the reason. Empty the list after `release:api`. */
export const DECIDED_BREAKS: Readonly<Record<string, string>> = {
  [`${ORDER_SIMULATOR}/4: remove`]: 'disburse: the payout of an invoice does it.',
  [`${ORDER_SIMULATOR}/5: remove`]: 'settle: the payments of invoices do it.',
  ...Object.fromEntries(
    [
      ...['merchants', 'buyers', 'buyers/search', 'contacts', 'facilities', 'orders', 'webhooks'],
      'buyers/{external_id}/facility/ledger',
    ].map((list) => [
      `paths//v1/${list}/get/responses/200/content/application/json/schema/properties/total/type: replace`,
      'null where a client asks for total=false; otherwise only instead of a 503, where counting takes too long.',
    ]),
  ),
};

/** The changes of the description that break a client, each as `path: what`; empty when there are none. */
export function breakingChanges(released: Json, current: Json): string[] {
  const { diffs } = apiCompare(pathsOf(released), pathsOf(current));
  const broken = diffs.filter(isBreaking).map(({ path, action }: Diff) => `${path.join('/')}: ${action}`);
  return [...new Set<string>(broken)];
}

function isBreaking({ path, action, type }: Diff): boolean {
  const isRequest = path.includes('requestBody') || path.includes('parameters');
  // Clients may read the field, and may send it: requests refuse unknown fields.
  if (action === 'remove' && path.at(-2) === 'properties') return true;
  if (action === 'replace' && path.at(-1) === 'type') return true;
  // Clients accept new values of an enum in answers.
  if (!isRequest && action === 'add' && path.at(-2) === 'enum') return false;
  return type === 'breaking';
}

/**
 * The paths with every reference resolved, because the tool misses changes behind some. The tool also ignores webhooks, so each event is
 * presented as an answer.
 */
function pathsOf(document: Json): Json {
  const follow = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value;
    const target = $ref
      ?.slice(2)
      .split('/')
      .reduce((at: Json, step: string) => at[step], document);
    const entries = Object.entries({ ...target, ...rest }).filter(([name]) => !name.startsWith('example'));
    return Object.fromEntries(entries.map(([name, part]) => [name, follow(part)]));
  };
  const events = Object.entries<Json>(document.webhooks).map(([type, { post }]) => [
    `/webhooks/${type}`,
    { get: { responses: { 200: { description: type, content: post.requestBody.content } } } },
  ]);
  // All errors have the same form, so it is compared once instead of for each operation.
  const error = { get: { responses: { 200: document.components.responses.BadRequest } } };
  const withoutErrors = (_: string, part: Json) =>
    part?.responses ? { ...part, responses: successesOf(part.responses) } : part;
  const paths = JSON.parse(JSON.stringify(document.paths, withoutErrors));
  const { openapi, info } = document;
  return { openapi, info, paths: follow({ ...paths, ...Object.fromEntries(events), '/error': error }) };
}

function successesOf(responses: Json): Json {
  return Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2')));
}

/** The last released description; undefined if there is none yet. */
export function lastReleased(): Json | undefined {
  const versions = readdirSync(RELEASED_FOLDER).filter((name) => name.endsWith('.json'));
  const last = versions.sort(new Intl.Collator('en', { numeric: true }).compare).at(-1);
  return last && JSON.parse(readFileSync(join(RELEASED_FOLDER, last), 'utf8'));
}

if (import.meta.main) {
  const current = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  if (process.argv.includes('--release')) {
    const name = `openapi-${current.info.version}.json`;
    writeFileSync(join(RELEASED_FOLDER, name), `${JSON.stringify(current)}\n`);
    console.log(`Released docs/reference/released/${name}`);
  } else {
    const broken = breakingChanges(lastReleased(), current).filter((change) => !(change in DECIDED_BREAKS));
    for (const change of broken) console.error(`openapi.json: breaks clients at ${change}`);
    if (broken.length > 0) process.exitCode = 1;
    else console.log('openapi.json breaks no client of the released description.');
  }
}
