/** Thousands of invoices fall due at one midnight, and the server is killed with SIGKILL during these transitions. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import * as events from '#test/event-audit';
import { copyInvoice } from '#test/invoice-copies';
import { patience } from '#test/patience';
import { endPrograms, launchProgram, type RunningProgram, startProgram } from '#test/program';
import { post } from '#test/program-requests';
import { eventually, until } from '#test/until';

const DAY = 86_400;
const COPIES = 3_000;
const BUYERS = ['one', 'two', 'three'];

vi.setConfig({ testTimeout: patience(90) });

let program: RunningProgram;
let audit: events.Audit;

beforeAll(async () => {
  program = await startProgram({ args: ['--empty'] });
  const due_at = Math.floor(Date.now() / 1_000) + 10 * DAY;
  await created('/v1/merchants', merchantBody({}));
  for (const external_id of BUYERS) await created('/v1/buyers', buyerBody({ external_id }));
  await created('/v1/invoices', invoiceBody({ external_id: 'due', buyer_external_id: 'one', due_at }));
  audit = await events.auditOf(program.dataDir);
  await copyInvoice(audit, { invoice: 'due', count: COPIES, buyers: BUYERS });
}, patience(90));

afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

async function created(path: string, body: object): Promise<void> {
  const { status, text } = await post(program, path, body);
  if (status !== 201) throw new Error(`POST ${path} answered ${status} ${text}`);
}

const due = async () => (await audit(`select from invoices where status = 'DUE'`)).length;

it('each becomes due once, however often the server dies on the way', async () => {
  await audit(`update platforms set clock_ahead_seconds = ${11 * DAY}`);
  const seen: number[] = [];
  for (let kill = 1; kill <= 2; kill++) {
    const before = await due();
    await until(async () => (await due()) > before);
    process.kill(program.pid, 'SIGKILL');
    await program.exited;
    const launched = launchProgram({ dataDir: program.dataDir });
    program = { ...program, ...launched, baseUrl: (await launched.ready).baseUrl };
    audit = await events.auditOf(program.dataDir);
    seen.push(before);
  }
  expect(seen[1]).toBeGreaterThan(0);
  expect(seen[1]).toBeLessThan(COPIES);
  await eventually(async () => expect(await due()).toBe(COPIES + 1), 60);
  const others = await audit(
    `select i.external_id, i.version, e.events, t.transitions, o.owed from invoices i
    cross join lateral (select count(*)::int as events from events e where e.platform_id = i.platform_id
      and e.resource_external_id = i.external_id and e.type = 'INVOICE.DUE') e
    cross join lateral (select count(*)::int as transitions from invoice_transitions t where t.platform_id = i.platform_id
      and t.invoice_external_id = i.external_id and t.trigger = 'become_due') t
    cross join lateral (select count(*)::int as owed from overdue_invoices o where o.platform_id = i.platform_id
      and o.buyer_external_id = i.buyer_external_id and o.invoice_external_id = i.external_id) o
    where (i.version, e.events, t.transitions, o.owed) <> (2, 1, 1, 1)`,
  );
  expect(others).toEqual([]);
  await eventually(async () => expect(await events.platformsWithGaps(audit)).toEqual([]));
});
