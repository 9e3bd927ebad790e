import { afterAll, beforeAll, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { approvalIn, runHere, secondOperator } from '#test/command';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';

const WHY = ['--reason', 'It is time.'];
const ACCOUNT = [
  '--iban',
  'DE89 3704 0044 0532 0130 00',
  '--bic',
  'cobadeffxxx',
  '--account-holder',
  'Markt GmbH',
];

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram({ args: ['--empty'] });
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

const run = (...args: string[]) => runHere(args, program.env);
const update = (...args: string[]) => run('platform', 'update', 'demo', ...args, ...WHY);
const shownAt = async (url: string) => (await fetch(url, { headers: { 'accept-language': 'en' } })).text();

async function checkoutOf(external_id: string): Promise<string> {
  await post(program, '/v1/merchants', merchantBody({}));
  await post(program, '/v1/buyers', buyerBody({ external_id, business_identifiers: [] }));
  const draft = draftOrderBody({ external_id, buyer_external_id: external_id });
  expect(await post(program, '/v1/orders/draft', draft)).toMatchObject({ status: 201 });
  return (await get(program, `/v1/orders/${external_id}/redirect_url`)).body.url;
}

it('has its colour and its own legal pages on every page', async () => {
  const pages = ['privacy', 'terms', 'imprint'];
  const links = pages.flatMap((name) => [`--${name}-url`, `https://markt.example/${name}`]);
  expect(await update('--brand-color', '#0A5C36', '--review-days', '3', ...links)).toMatchObject({ code: 0 });
  const url = await checkoutOf('seen');
  const shown = await shownAt(url);
  for (const name of pages) expect(shown).toContain(`href="https://markt.example/${name}"`);
  const [, style = ''] = /href="([^"]*brand[^"]*)"/.exec(shown) ?? [];
  expect(await shownAt(new URL(style, `${url}/details`).href)).toContain('--accent: light-dark(#0a5c36, #');
  expect(shown).toContain('Test mode: nothing here is real.');
});

it('counts its days in a time zone, which has the name of a place', async () => {
  expect(await update('--time-zone', 'Europe/Berlin')).toMatchObject({ code: 0 });
  expect((await get(program, '/v1/platform')).body.time_zone).toBe('Europe/Berlin');
  for (const name of ['CEST', 'Europe/Rom', '']) {
    const refused = await update('--time-zone', name);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      '--time-zone must be the IANA name of a time zone, such as Europe/Berlin.',
    );
  }
});

it('needs two operators for the account that receives prepayments, and shows its number to nobody in clear', async () => {
  const ben = await secondOperator(program.env);
  const proposed = await update(...ACCOUNT);
  const id = approvalIn(proposed);
  const waiting = await runHere(['approval', 'show', id], ben);
  expect(waiting.stdout).toContain('DE89…3000');
  const approved = await runHere(['approval', 'approve', id, '--reason', 'As agreed.'], ben);
  expect(approved).toMatchObject({ code: 0 });
  const settings = await run('platform', 'show', 'demo');
  expect(settings.stdout).toContain('DE89…3000');
  const said = [proposed, waiting, approved, settings].map(({ stdout, stderr }) => stdout + stderr).join('');
  expect(said).not.toMatch(/DE89 ?3704/);
});
