/** Seven merchants in different countries, each with a domestic buyer who pays late, on a program that is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { attachToRunningPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { DAY_SECONDS, dayLater } from '#kernel/day';
import { buyerBody, merchantBody } from './bodies.ts';
import { auditBooks } from './books-audit.ts';
import { testAuthorityPath } from './certificates.ts';
import { approvalIn, secondOperator } from './command.ts';
import { type MailServer, startMailServer, type TakenMail } from './mail-server.ts';
import { endPrograms, launchProgram, type RunningProgram, runCommand, startProgram } from './program.ts';
import { RestartedServer } from './restarted-server.ts';
import { until } from './until.ts';

/** The currency of the invoices in each country. */
const CURRENCIES = { DE: 'EUR', FR: 'EUR', PL: 'PLN', GB: 'GBP', CH: 'CHF', SE: 'SEK', US: 'USD' } as const;
export type Country = keyof typeof CURRENCIES;
/** A late charge as the API shows it. */
export interface StoryCharge {
  external_id: string;
  kind: string;
  charged_on: string;
  accrued_until: string | null;
  amount: number;
}
export const COUNTRIES = Object.keys(CURRENCIES) as Country[];

/** A Friday. */
const BEGINS_ON = '2025-05-02';
const WHY = ['--reason', 'The story of late payments.'];

const SHIFTED_DATE = new URL('./shifted-date.mjs', import.meta.url).href;

const PRINTED = { code: 0, signal: null, stderr: '' };

/** In the sandbox a person decides about its applications, so that the simulator can. */
const emailOf = (country: Country) => `in-review@buyer-${country.toLowerCase()}.example`;
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1_000;

export class LateStory {
  readonly #mails: MailServer;
  readonly #server = new RestartedServer(COUNTRIES.length);
  /** Days during which the program is killed. */
  readonly #killsOn: Set<string>;
  #program: RunningProgram;
  /** A connection as the owner of the database. */
  #database: pg.Client;
  #ben: Record<string, string> = {};
  #day = BEGINS_ON;
  #keys = 0;
  kills = 0;
  /** Violations found at a midnight. */
  readonly faults: string[] = [];

  private constructor(program: RunningProgram, mails: MailServer, database: pg.Client, killsOn: string[]) {
    this.#program = program;
    this.#mails = mails;
    this.#database = database;
    this.#killsOn = new Set(killsOn);
  }

  /** Starts the story on a platform with the proposed dunning plan. The program is killed on these days. */
  static async begin(killsOn: string[]): Promise<LateStory> {
    const mails = await startMailServer();
    // In the past, because future rates are not known.
    const shiftedSeconds = noonOf(BEGINS_ON) - Math.round(Date.now() / 1_000);
    const program = await startProgram({
      args: ['--empty'],
      env: {
        ...{ SMTP_URL: mails.url, SMTP_FROM: 'billing@example.com', SMTP_CA_FILE: testAuthorityPath },
        ...{ NODE_OPTIONS: `--import=${SHIFTED_DATE}`, SHIFTED_SECONDS: `${shiftedSeconds}` },
      },
    });
    const database = await connect(program.dataDir);
    await database.query(`update platforms set financing_currencies = '{EUR,PLN,GBP,CHF,SEK,USD}'`);
    const story = new LateStory(program, mails, database, killsOn);
    await story.#server.aim(program.baseUrl);
    story.#ben = await secondOperator(program.env);
    await story.#approve(await story.command('dunning', 'propose', ...WHY));
    for (const country of COUNTRIES) await story.#addParties(country);
    return story;
  }

  async end(): Promise<void> {
    await this.#database.end();
    await this.#server.aim(null);
    await this.#program.stop();
    await this.#mails.close();
    await endPrograms();
  }

  async command(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(args, this.#program.env);
    if (code !== 0) throw new Error(`tradeline ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  async #approve(proposed: string): Promise<void> {
    const id = approvalIn({ ...PRINTED, stdout: proposed });
    const { code, stderr } = await runCommand(
      ['approval', 'approve', id, '--reason', 'Compared.'],
      this.#ben,
    );
    if (code !== 0) throw new Error(stderr);
  }

  /** Repeats the request until it is answered. An Idempotency-Key makes it a single request. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer as any client reads it.
  async send(method: 'GET' | 'POST', path: string, body?: object): Promise<any> {
    const idempotencyKey = method === 'POST' ? `late-${++this.#keys}` : undefined;
    const more = body && { body: JSON.stringify(body) };
    for (;;) {
      const answer = await this.#server.send({
        ...{ apiKey: this.#program.apiKey, method, path, idempotencyKey, ...more },
      });
      if (answer && answer.status < 300) return JSON.parse(answer.text);
      if (answer && answer.status !== 409 && answer.status < 500)
        throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      await sleep(20);
    }
  }

  async #addParties(country: Country): Promise<void> {
    const address = { postcode: POSTCODES[country], city: 'City', country };
    const [buyer, merchant] = [`buyer-${country}`, `merchant-${country}`];
    await this.send('POST', '/v1/merchants', {
      ...merchantBody({ external_id: merchant, business_address: address }),
    });
    await this.send('POST', '/v1/buyers', {
      ...buyerBody({ external_id: buyer, contact_email: emailOf(country) }),
      business_address: address,
    });
    const currency = CURRENCIES[country];
    await this.send('POST', `/v1/buyers/${buyer}/facility`, { currency });
    const grant = { buyer_external_id: buyer, trigger: 'grant', total_amount: 1_000_000 };
    await this.send('POST', '/v1/sandbox/facilities', grant);
  }

  /** Moves the clock to noon of a day, through each midnight before it. */
  async until(day: string): Promise<void> {
    while (this.#day < day) {
      this.#day = dayLater(this.#day, 1);
      await this.#advance(noonOf(this.#day) - DAY_SECONDS / 2);
      for (const fault of await auditBooks({ sql: (query) => this.#rows(query) as never }))
        this.faults.push(`${this.#day}: ${fault}`);
      const isKilled = this.#killsOn.has(this.#day);
      if (this.#day < day && !isKilled) continue;
      const advanced = this.#advance(noonOf(this.#day));
      if (isKilled) await this.#kill();
      await advanced;
    }
    await this.#drain();
  }

  async #rows(query: string): Promise<Record<string, unknown>[]> {
    return (await this.#database.query(query)).rows;
  }

  /** Repeats the call until one is answered: a killed call leaves due transitions to the next. */
  async #advance(to: number): Promise<void> {
    for (;;) {
      const { now } = await this.send('GET', '/v1/sandbox/clock');
      const body = JSON.stringify({ now: Math.max(now + 1, to) });
      const { apiKey } = this.#program;
      const answer = await this.#server.send({ apiKey, method: 'POST', path: '/v1/sandbox/clock', body });
      if (answer?.status === 200) return;
      if (answer && answer.status < 500) throw new Error(answer.text);
    }
  }

  async #kill(): Promise<void> {
    await sleep(10 + 37 * (this.kills % 7));
    process.kill(this.#program.pid, 'SIGKILL');
    await this.#server.aim(null);
    await this.#program.exited;
    const launched = launchProgram({ dataDir: this.#program.dataDir, env: this.#program.env });
    const { baseUrl } = await launched.ready;
    this.#program = {
      ...this.#program,
      ...launched,
      env: { ...this.#program.env, ...launched.env },
      baseUrl,
    };
    await this.#database.end();
    this.#database = await connect(this.#program.dataDir);
    await this.#server.aim(baseUrl);
    this.kills += 1;
  }

  /** Waits until each mail is written and sent. Mails claimed by a killed process are due when their lease ends. */
  async #drain(): Promise<void> {
    const waiting = `select from mails where status not in ('SENT', 'WITHDRAWN') union all
      select from events e where position is null or exists (select from event_followers f where f.position_last < e.position)`;
    await until(async () => (await this.#rows(waiting)).length === 0, 60);
  }

  async each(act: (country: Country) => Promise<unknown>): Promise<void> {
    await Promise.all(COUNTRIES.map(act));
  }

  /** An order in three instalments of 1,000.00, and its invoice with two lines. */
  async orderAndInvoice(country: Country): Promise<void> {
    const amount = { net: 300_000, tax: 0, gross: 300_000, currency: CURRENCIES[country] };
    const lines = [70_000, 230_000].map((price, index) => ({
      ...{ name: `Line ${index + 1}`, category: 'COFFEE', quantity: 1, price },
    }));
    const parties = { buyer_external_id: `buyer-${country}`, merchant_external_id: `merchant-${country}` };
    await this.send('POST', '/v1/orders', {
      ...{ external_id: `order-${country}`, ...parties, amount },
      ...{ payment_method: 'TRANSFER', payment_term: 'SPLIT_3M' },
    });
    await this.send('POST', '/v1/invoices', {
      ...{
        external_id: `invoice-${country}`,
        order_external_ids: [`order-${country}`],
        amount,
        line_items: lines,
      },
    });
  }

  dispute(country: Country, amount: number) {
    const dispute = { external_id: `dispute-${country}`, reason: 'DAMAGED', line_number: 2, amount };
    return this.send('POST', `/v1/invoices/invoice-${country}/disputes`, dispute);
  }

  reject(country: Country) {
    const comment = 'All of it was whole.';
    return this.send('POST', `/v1/invoices/invoice-${country}/disputes/dispute-${country}/reject`, {
      comment,
    });
  }

  promise(country: Country, untilDay: string) {
    return this.command(
      ...['dunning', 'promise', '--invoice', `invoice-${country}`, '--amount', '1000.00'],
      ...['--until', untilDay, ...WHY],
    );
  }

  pay(country: Country, amount: number) {
    return this.send('POST', `/v1/invoices/invoice-${country}/payments`, { amount, received_by: 'PLATFORM' });
  }

  claim(country: Country) {
    return this.command('charge', 'claim', '--invoice', `invoice-${country}`, ...WHY);
  }

  waive(charge: string) {
    return this.command('charge', 'waive', charge, ...WHY);
  }

  invoice(country: Country) {
    return this.send('GET', `/v1/invoices/invoice-${country}`);
  }

  async charges(country: Country): Promise<StoryCharge[]> {
    return (await this.send('GET', `/v1/invoices/invoice-${country}/charges`)).items;
  }

  /** The events about reminders, with their step. */
  async events(country: Country): Promise<string[]> {
    const rows = await this.#rows(
      `select e.type, e.body::json->'data'->>'step' as step from events e join invoice_dunnings d on d.external_id = e.resource_external_id
      where d.invoice_external_id = 'invoice-${country}' order by e.ordinal`,
    );
    return rows.map(({ type, step }) => `${String(type).slice('INVOICE.DUNNING.'.length)} ${step}`);
  }

  /** The mails that a buyer received, grouped by Message-ID, the earliest first. */
  mailsTo(country: Country): TakenMail[][] {
    const address = emailOf(country);
    const taken = this.#mails.taken.filter(({ recipients }) => recipients.includes(address));
    return [...Map.groupBy(taken, ({ parsed }) => parsed.messageId).values()];
  }

  /** The kinds of mails sent to a buyer, with the day, the earliest first. */
  async messages(country: Country): Promise<string[]> {
    const { items } = await this.send('GET', `/v1/buyers/buyer-${country}/messages?limit=100`);
    return items
      .map(
        ({ kind, status, created_at }: { kind: string; status: string; created_at: number }) =>
          `${new Date(created_at * 1_000).toISOString().slice(0, 10)} ${kind} ${status}`,
      )
      .reverse();
  }
}

async function connect(dataDir: string): Promise<pg.Client> {
  const postgres = await attachToRunningPostgres(dataDir);
  const client = new pg.Client(postgres?.endpoint('owner'));
  client.on('error', () => {});
  await client.connect();
  return client;
}

const POSTCODES: Record<Country, string> = {
  ...{ DE: '10435', FR: '75001', PL: '00-001', GB: 'SW1A 1AA', CH: '8001', SE: '111 22', US: '10001' },
};
