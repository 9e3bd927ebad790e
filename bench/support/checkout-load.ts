/** A process that starts checkouts at a fixed rate and walks each like a browser without JavaScript. */
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { Pool } from 'undici';
import type { PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { type MailedCodes, openMailedCodes } from './mailed-codes.ts';
import { answerJobs } from './part.ts';

export interface PreparedCheckout {
  token: string;
  order: string;
  /** The registry's id of the buying company. */
  businessId: string;
  /** At the domain of the company. */
  email: string;
}

export interface CheckoutJob {
  baseUrl: string;
  /** The database with the mailed codes, and the folder with the key that decrypts them. */
  postgres: PostgresEndpoint;
  dataDir: string;
  /** Each checkout is walked once. */
  checkouts: PreparedCheckout[];
  /** Checkouts started per second, whether or not earlier ones have ended. */
  perSecond: number;
}

export interface CheckoutMeasurement {
  /** Checkouts that ended with a confirmed order. */
  confirmed: number;
  elapsedMs: number;
  /** Duration of every request by kind, from sending to the last byte of the response. */
  tookMs: Record<Kind, number[]>;
  /** Share of one core. Near 1, this process was the bottleneck. */
  busyShare: number;
}

/** The code form includes the credit decision; the last of the other forms places the order. */
export const KINDS = ['pages', 'details', 'code', 'other forms'] as const;
export type Kind = (typeof KINDS)[number];

const CONNECTIONS = 64;

const DETAILS = {
  firstName: 'Kim',
  lastName: 'Sommer',
  phone: '+493012345678',
  to: 'COMPANY',
};

async function load({
  baseUrl,
  checkouts,
  perSecond,
  postgres,
  dataDir,
}: CheckoutJob): Promise<CheckoutMeasurement> {
  await using codes = await openMailedCodes(postgres, dataDir);
  const pool = new Pool(baseUrl, { connections: CONNECTIONS });
  const tookMs: Record<Kind, number[]> = { pages: [], details: [], code: [], 'other forms': [] };
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  try {
    const walks = checkouts.map(async (checkout, nth) => {
      await sleep(startedAt + (nth * 1_000) / perSecond - performance.now());
      await walk({ pool, origin: baseUrl, codes, tookMs }, checkout);
    });
    await Promise.all(walks);
  } finally {
    await pool.close();
  }
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { confirmed: checkouts.length, elapsedMs, tookMs, busyShare: (user + system) / 1_000 / elapsedMs };
}

interface Walking {
  pool: Pool;
  origin: string;
  codes: MailedCodes;
  tookMs: Record<Kind, number[]>;
}

/** Throws if the order is not confirmed at the end. */
async function walk(
  { pool, origin, codes, tookMs }: Walking,
  { token, order, businessId, email }: PreparedCheckout,
): Promise<void> {
  const at = `/checkout/${token}`;
  let cookie = '';
  const send = async (method: 'GET' | 'POST', path: string, form?: Record<string, string>) => {
    const sentAt = performance.now();
    const { statusCode, headers, body } = await pool.request({
      method,
      path,
      headers: {
        accept: 'text/html',
        'accept-encoding': 'br',
        ...(cookie && { cookie }),
        ...(form && { origin, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    const text = `${headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes}`;
    tookMs[kindOf(method, path)].push(performance.now() - sentAt);
    const [kept] = [headers['set-cookie'] ?? []].flat();
    if (kept !== undefined) cookie = kept.split(';')[0] as string;
    if (statusCode !== (form ? 303 : 200) && statusCode !== 303)
      throw new Error(`${method} ${path.replace(token, '…')} answered ${statusCode}: ${text.slice(0, 300)}`);
    return text;
  };
  const page = (step: string) => send('GET', `${at}/${step}`);
  const fill = (step: string, html: string, fields: Record<string, string>) =>
    send('POST', `${at}/${step}`, { ...hiddenIn(html), ...fields });

  await send('GET', at);
  await fill('company', await page('company'), { businessId });
  await fill('details', await page('details'), { ...DETAILS, email });
  await fill('code', await page('code'), { code: await codes.codeOf(order) });
  await fill('payment', await page('payment'), { term: 'DEFER_30D' });
  await fill('review', await page('review'), { consent: 'yes' });
  const outcome = await page('outcome');
  if (!outcome.includes('class="tone good"'))
    throw new Error(`The order is not confirmed: ${outcome.slice(0, 300)}`);
}

function kindOf(method: 'GET' | 'POST', path: string): Kind {
  if (method === 'GET') return 'pages';
  return KINDS.find((kind) => path.endsWith(`/${kind}`)) ?? 'other forms';
}

/** The hidden fields of a form: the version of the checkout, and of the terms. */
function hiddenIn(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="(version|termsVersion)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value] as [string, string]));
}

if (import.meta.main) answerJobs(load);
