/** `tradeline bank import` confirms, fails and returns payouts, as statements and the bank's answers report. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt053, camt054, pain002, type WrittenEntry } from '#test/bank-files';
import { WHY } from '#test/banking';
import { runHere, settingsOf } from '#test/command';
import { ensureOperator } from '#test/operators';
import { PAYING_NOW, usePayouts } from '#test/payouts';
import { filesFolder } from '#test/registry-files';
import { tablesHolding } from '#test/stored';

const DAY = 86_400;
const payouts = usePayouts();
const { world } = payouts;
const folder = filesFolder();
afterAll(() => folder.remove());

let env: Record<string, string>;
const run = (...args: string[]) => runHere(['bank', ...args, ...WHY], env);
beforeAll(async () => {
  const key = await ensureOperator(world(), 'fin', { role: 'FINANCE' });
  env = { ...(await settingsOf(world())), TRADELINE_OPERATOR_KEY: key };
  // The account that buyers pay to.
  expect(await run('account', 'add', '--account', 'main')).toMatchObject({ code: 0 });
});

let files = 0;
async function importing(text: string): Promise<string> {
  const { stdout, stderr, code } = await run('import', folder.write(`bank-${++files}.xml`, text));
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}
const notify = (...entries: WrittenEntry[]) => importing(camt054({ day: '2026-03-04', entries }));

let monday = PAYING_NOW;
/** A payout of 100.00 that the bank is instructed to make. */
async function instructed(): Promise<{
  id: string;
  service: string;
  endToEndId: string;
}> {
  world().clock.set(monday);
  const merchant = await payouts.merchant();
  const service = await payouts.advance(merchant);
  await payouts.until(monday + 2.5 * DAY);
  monday += 7 * DAY;
  const [{ external_id: id }] = await payouts.payoutsOf(merchant);
  await simulate(id, 'instruct');
  const [row] = await world().sql<{ end: string }>(
    'select end_to_end_id as end from payouts where external_id = $1',
    [id],
  );
  return { id, service, endToEndId: row?.end ?? '' };
}
const simulate = async (external_id: string, trigger: string) =>
  expect((await world().post('/v1/sandbox/payouts', { external_id, trigger })).status).toBe(200);
const shown = async (id: string) => (await world().get(`/v1/payouts/${id}`)).body;
const serviceStatus = async (service: string) =>
  (await world().sql('select status from invoice_services where external_id = $1', [service]))[0]?.status;

/** The ledger lines of a payout: account, party and amount, and the day. */
const booked = (id: string) =>
  world().sql(
    `select l.account, l.party, l.amount::int, e.effective_at::int as at from ledger_entries e
    join ledger_lines l using (platform_id, entry_id) where e.payout_external_id = $1 and l.account = 'bank' order by e.ordinal`,
    [id],
  );
const suspense = async () =>
  (
    await world().sql(
      `select coalesce(sum(amount), 0)::int as sum from ledger_lines where account = 'suspense'`,
    )
  )[0];
/** Writes the file that contains a payout; returns its message id. */
async function fileOf(id: string): Promise<string> {
  await runHere(['payout', 'file'], env);
  const [row] = await world().sql<{ file: string }>(
    'select file_external_id as file from payouts where external_id = $1',
    [id],
  );
  const out = folder.path(`${row?.file}.xml`);
  await runHere(['payout', 'file', row?.file ?? '', '--out', out], env);
  return /<MsgId>(.*)<\/MsgId>/.exec(readFileSync(out, 'utf8'))?.[1] ?? '';
}
interface WaitingAnswer {
  answer_id: string;
  message_id: string;
  end_to_end_id: string;
  about: string;
  status: string;
  status_reason: string;
  reason: string;
}
async function releaseAgain(id: string): Promise<void> {
  expect(await runHere(['payout', 'retry', id, ...WHY], env)).toMatchObject({ code: 0 });
  await simulate(id, 'instruct');
}
const answers = async (): Promise<WaitingAnswer[]> =>
  JSON.parse((await runHere(['bank', 'queue', '--json'], env)).stdout).filter(
    (each: Partial<WaitingAnswer>) => each.answer_id !== undefined,
  );
const answerAbout = async (endToEndId: string) =>
  (await answers()).find(({ end_to_end_id }) => end_to_end_id === endToEndId);
const AT = Date.parse('2026-03-04') / 1_000;

describe('a payout on a statement', () => {
  it('is paid on the day of the bank, once', async () => {
    const { id, service, endToEndId } = await instructed();
    const entry = { amount: -10_000, endToEndId, reference: `OUT-${id}` };
    expect(await notify(entry)).toMatch(/1 transactions matched, 0 queued/);
    await importing(camt053({ day: '2026-03-04', entries: [entry] }));
    expect(await shown(id)).toMatchObject({ status: 'PAID', paid_at: AT });
    expect(await serviceStatus(service)).toBe('PAID_OUT');
    expect(await booked(id)).toEqual([{ account: 'bank', party: 'main', amount: -10_000, at: AT }]);
  });

  it('that an operator has confirmed before books nothing more', async () => {
    const { id, endToEndId } = await instructed();
    await simulate(id, 'confirm');
    const before = await booked(id);
    expect(await notify({ amount: -10_000, endToEndId })).toMatch(/1 transactions matched/);
    expect(await booked(id)).toEqual(before);
    // A second transfer of it belongs to no payout.
    expect(await notify({ amount: -10_000, endToEndId, text: 'twice' })).toMatch(/0 transactions matched, 1/);
  });

  it('comes back, by a reversal or as a return', async () => {
    for (const back of [{ isReversal: true }, { returnReason: 'AC04' }]) {
      const { id, service, endToEndId } = await instructed();
      await notify({ amount: -10_000, endToEndId });
      const before = await suspense();
      expect(await notify({ amount: 10_000, endToEndId, ...back })).toMatch(/1 transactions matched/);
      const reason = 'returnReason' in back ? 'AC04' : 'The bank took it back.';
      expect(await shown(id)).toMatchObject({ status: 'FAILED', failure_reason: reason });
      expect(await serviceStatus(service)).toBe('PAID_OUT');
      expect((await booked(id)).map(({ amount }) => amount)).toEqual([-10_000, 10_000]);
      expect(await suspense()).toEqual(before);
    }
  });

  it('comes back though an operator has confirmed it', async () => {
    const { id, endToEndId } = await instructed();
    await simulate(id, 'confirm');
    await notify({ amount: 10_000, endToEndId, returnReason: 'AC06' });
    expect(await shown(id)).toMatchObject({ status: 'FAILED', failure_reason: 'AC06' });
  });

  it('waits in the queue with another amount or an unknown EndToEndId, and can be matched there', async () => {
    const { id, endToEndId } = await instructed();
    expect(await notify({ amount: -9_999, endToEndId, text: 'p1' })).toMatch(/1 queued/);
    await notify({ amount: -10_000, endToEndId: 'LOST', text: 'p2' });
    expect(await shown(id)).toMatchObject({ status: 'INSTRUCTED' });
    const queue = JSON.parse((await runHere(['bank', 'queue', '--json'], env)).stdout);
    const idOf = (text: string) =>
      queue.find((each: { remittance: string }) => each.remittance === text).transaction_id;
    expect(await run('match', idOf('p1'), '--payout', id)).toMatchObject({
      code: 1,
      stderr: `The payout ${id} is 100.00 EUR, but the outgoing payment is 99.99 EUR.\n`,
    });
    expect((await run('match', idOf('p2'), '--payout', 'nothing')).stderr).toMatch(
      /There is no payout nothing/,
    );
    expect(await run('match', idOf('p2'), '--payout', id)).toMatchObject({ code: 0 });
    expect(await shown(id)).toMatchObject({ status: 'PAID' });
    expect((await run('unmatch', idOf('p2'))).stderr).toMatch(/is paid: if its money came back/);
  });
});

describe('an answer of the bank', () => {
  it('fails the payout that it rejects, and leaves the others', async () => {
    const [rejected, other] = [await instructed(), await instructed()];
    const answer = pain002([
      { endToEndId: rejected.endToEndId, status: 'RJCT', reason: 'AC01' },
      { endToEndId: other.endToEndId, status: 'ACSP' },
      { endToEndId: 'NOTOURS', status: 'RJCT' },
    ]);
    const stdout = await importing(answer);
    expect(stdout).toContain(`The bank rejected ${rejected.id}.\n1 answers of the bank queued.`);
    expect(await shown(rejected.id)).toMatchObject({ status: 'FAILED', failure_reason: 'AC01' });
    expect(await shown(other.id)).toMatchObject({ status: 'INSTRUCTED' });
    expect(await importing(answer)).toMatch(/nothing to do/);
  });

  it('waits in the queue where it is about a payment or a file that is not ours, until it is resolved', async () => {
    const stranger = randomUUID().replaceAll('-', '').toUpperCase();
    const lost = { endToEndId: 'LOST-1', status: 'ACSC' };
    await importing(pain002([lost], { messageId: stranger, groupStatus: 'RJCT', reason: 'Dated Jane Doe' }));
    await importing(pain002([lost], { messageId: stranger }));
    const found = (await answers()).filter(({ message_id }) => message_id === stranger);
    expect(
      found.map(({ about, end_to_end_id, status, reason }) => [about, end_to_end_id, status, reason]),
    ).toEqual(
      expect.arrayContaining([
        ['FILE', null, 'RJCT', 'NOT_OURS'],
        ['PAYMENT', 'LOST-1', 'ACSC', 'NOT_OURS'],
      ]),
    );
    expect(found.length).toBe(2);
    const shownQueue = (await runHere(['bank', 'queue'], env)).stdout;
    expect(shownQueue).toMatch(
      /RJCT \(Dated Jane Doe\) for [0-9A-F]{32}\n {2}It is about a payment or a file that did not come from this platform/,
    );
    for (const { answer_id } of found) {
      expect(await run('resolve', answer_id)).toMatchObject({ code: 0, stderr: '' });
      expect(await run('resolve', answer_id)).toMatchObject({
        ...{ code: 1, stderr: `There is no answer ${answer_id} in the queue: see tradeline bank queue.\n` },
      });
    }
    expect((await answers()).filter(({ message_id }) => message_id === stranger)).toEqual([]);
    expect(await run('resolve')).toMatchObject({ code: 2 });
    expect(await tablesHolding(world(), ['LOST-1', stranger, 'Jane Doe'])).toEqual([]);
  });

  it('about an earlier file fails no payout that was released again', async () => {
    const { id, endToEndId } = await instructed();
    const first = await fileOf(id);
    await simulate(id, 'fail');
    await releaseAgain(id);
    expect(await fileOf(id)).not.toBe(first);
    const late = { endToEndId, status: 'RJCT', reason: 'AC04' };
    expect(await importing(pain002([late], { messageId: first }))).toMatch(/1 answers of the bank queued/);
    expect(await shown(id)).toMatchObject({ status: 'INSTRUCTED' });
    expect(await answerAbout(endToEndId)).toMatchObject({ reason: 'OTHER_FILE' });
    await simulate(id, 'confirm');
  });

  it('that was applied before does not fail the payout again, nor one that is paid', async () => {
    const { id, endToEndId } = await instructed();
    const answer = pain002([{ endToEndId, status: 'RJCT', reason: 'AC01' }], { messageId: 'OLD' });
    await importing(answer);
    await releaseAgain(id);
    await importing(answer);
    expect(await shown(id)).toMatchObject({ status: 'INSTRUCTED' });
    await simulate(id, 'confirm');
    await importing(pain002([{ endToEndId, status: 'RJCT', reason: 'AC02' }]));
    expect(await shown(id)).toMatchObject({ status: 'PAID' });
    expect(await answerAbout(endToEndId)).toMatchObject({ reason: 'PAID_BEFORE', status_reason: 'AC02' });
  });

  it('fails every payout of a file that it rejects', async () => {
    const { id } = await instructed();
    await importing(pain002([], { messageId: await fileOf(id), groupStatus: 'RJCT', reason: 'FF01' }));
    expect(await shown(id)).toMatchObject({ status: 'FAILED', failure_reason: 'FF01' });
  });
});
