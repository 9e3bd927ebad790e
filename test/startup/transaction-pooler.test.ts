/** The service behind a PgBouncer in transaction mode: fewer connections than clients, and no dedicated session. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buyerBody, merchantBody } from '#test/bodies';
import { query } from '#test/embedded-postgres-processes';
import { type OwnPostgres, startOwnPostgres } from '#test/own-postgres';
import { patience } from '#test/patience';
import { hasPgBouncer, keepsStatements, type PgBouncer, startPgBouncer } from '#test/pgbouncer';
import { endPrograms, launchProgram, type RunningProgram, runCommand, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';
import { type Receiver, startReceiver } from '#test/receiver';
import { eventually } from '#test/until';
import { WriteLoad } from '#test/write-load';
import { acknowledgements } from '#test/writes-under-kills';

vi.setConfig({ testTimeout: patience(60) });

const LOGIN = 'tradeline';
const DATABASE = 'pooled';
/** Each process may have 20. */
const POOLED = 6;

// Without PgBouncer the tests are skipped, and a message says so.
describe.skipIf(!hasPgBouncer)('behind a pooler of transactions', () => {
  let postgres: OwnPostgres;
  let pooler: PgBouncer;
  let receiver: Receiver;
  let env: Record<string, string>;
  let api: RunningProgram;
  let worker: RunningProgram;

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    receiver = await startReceiver();
    const password = await postgres.addLogin(LOGIN, 'createrole');
    await postgres.addDatabase(DATABASE, LOGIN);
    pooler = await startPgBouncer(postgres, { login: LOGIN, password, database: DATABASE }, POOLED);
    env = {
      DATABASE_URL: pooler.url(LOGIN, DATABASE),
      DATABASE_DIRECT_URL: postgres.url(LOGIN, password, DATABASE),
      TRADELINE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      TRADELINE_RATE_LIMIT_PER_SECOND: '0',
    };
    api = await startProgram({ args: ['--empty'], env: { ...env, TRADELINE_WORKER: 'off' } });
    worker = await startProgram({
      env: { ...env, TRADELINE_WORKER: 'only', TRADELINE_BASE_URL: api.baseUrl },
    });
  }, patience(60));
  afterAll(async () => {
    await pooler?.stop();
    await postgres?.stop();
    await endPrograms();
    await receiver?.close();
  });

  it('each statement runs as the service and with its settings, on whichever connection', async () => {
    await postgres.sql(
      `alter table buyers add column made_with text default concat_ws(' ', current_user,
        current_setting('statement_timeout'), current_setting('lock_timeout'),
        current_setting('idle_in_transaction_session_timeout'), current_setting('enable_seqscan'))`,
      DATABASE,
    );
    const ids = Array.from({ length: 30 }, (_, nth) => `settled-${nth}`);
    const created = await Promise.all(
      ids.map((external_id) => post(api, '/v1/buyers', buyerBody({ external_id }))),
    );
    expect(created.map(({ status }) => status)).toEqual(Array(30).fill(201));
    const rows = await postgres.sql('select distinct made_with from buyers', DATABASE);
    expect(rows).toEqual([{ made_with: 'tradeline_service 8s 5s 15s off' }]);
  });

  it('a worker hears of the commits of another process, past the pooler', async () => {
    await post(api, '/v1/webhooks', { type: 'BUYER', url: receiver.url });
    await post(api, '/v1/buyers', buyerBody({ external_id: 'heard' }));
    const [received] = await receiver.waitFor(1);
    expect(received?.event).toMatchObject({ data: { external_id: 'heard' } });
    const listening = await postgres.sql(
      "select usename::text as name from pg_stat_activity where query like 'listen %'",
    );
    expect(listening).toEqual([{ name: LOGIN }]);
  });

  it('many writes at once are all made, with statements, locks and transactions as they should be', async () => {
    await post(api, '/v1/merchants', merchantBody({ external_id: 'merchant' }));
    const load = new WriteLoad([{ code: 'main', apiKey: api.apiKey }], { trades: true });
    await load.aim(api.baseUrl);
    await acknowledgements(load, 400);
    await load.stop();
    expect(load.surprises).toEqual([]);
    expect(load.unanswered).toBe(0);
    await eventually(async () => {
      const [row] = await postgres.sql(
        "select count(*)::int as n from webhook_deliveries where status = 'PENDING'",
        DATABASE,
      );
      expect(row?.n).toBe(0);
    }, 60);
    const { code, stderr, stdout } = await runCommand(['ledger', 'verify'], env);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  });

  it('no more connections are open than the pooler has, beside those for notices', async () => {
    const [row] = await postgres.sql(
      `select count(*)::int as n from pg_stat_activity where datname = '${DATABASE}' and query not like 'listen %'`,
    );
    expect(row?.n).toBeLessThanOrEqual(POOLED);
  });

  it('the start says whether the pooler keeps prepared statements, and nothing fails for it', () => {
    const outputs = [api.output(), worker.output()];
    for (const output of outputs) {
      expect(output.includes('keeps no prepared statements')).toBe(!keepsStatements);
      expect(output).not.toMatch(/"level":"(warn|error)"|prepared statement "/);
    }
  });

  it('commands work, and a second start finds everything as it is', async () => {
    const listed = await runCommand(['platform', 'list'], env);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    const again = await startProgram({ env: { ...env, TRADELINE_WORKER: 'off' } });
    expect((await get(again, '/v1/buyers/heard')).status).toBe(200);
    expect(await again.stop('SIGTERM')).toBe(0);
  });

  it('a pooler whose connections are older than the settings of the login is refused, with what to do', async () => {
    const password = await postgres.addLogin('late');
    await postgres.sql(`grant tradeline_service to late`);
    const target = { login: 'late', password, database: DATABASE };
    const early = await startPgBouncer(postgres, target, 1);
    await query({ connectionString: early.url('late', DATABASE) }, 'select 1');
    const { exited, output } = launchProgram({
      env: {
        ...env,
        DATABASE_OWNER_URL: env.DATABASE_DIRECT_URL as string,
        DATABASE_URL: early.url('late', DATABASE),
        DATABASE_DIRECT_URL: postgres.url('late', password, DATABASE),
      },
    });
    expect((await exited).code).toBe(1);
    expect(output()).toMatch(
      /^The pooler of DATABASE_URL has connections that were opened before late had its settings: .+\n$/,
    );
    await early.stop();
  });

  it('two logins are refused', async () => {
    const password = await postgres.addLogin('other');
    await postgres.sql(`grant tradeline_service to other`);
    const { exited, output } = launchProgram({
      env: {
        ...env,
        DATABASE_OWNER_URL: env.DATABASE_DIRECT_URL as string,
        DATABASE_DIRECT_URL: postgres.url('other', password, DATABASE),
      },
    });
    expect((await exited).code).toBe(1);
    expect(output()).toBe(
      'DATABASE_URL logs in as tradeline and DATABASE_DIRECT_URL as other: set both to the same login.\n',
    );
  });
});
