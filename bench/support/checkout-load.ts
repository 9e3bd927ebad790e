/** A process that starts checkouts at a fixed rate and walks each like a browser without JavaScript. */
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { Pool } from 'undici';
import { answerJobs } from './part.ts';

export interface CheckoutJob {
  baseUrl: string;
  /** Each checkout is walked once. */
  tokens: string[];
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

/** The details form includes the credit decision; the last of the other forms places the order. */
export const KINDS = ['pages', 'details', 'other forms'] as const;
export type Kind = (typeof KINDS)[number];

const CONNECTIONS = 64;

const COMPANY = {
  country: 'DE',
  legalName: 'Bistro am Kanal GmbH',
  legalForm: 'LIMITED_COMPANY',
  street: 'Planufer',
  house: '92',
  postcode: '10967',
  city: 'Berlin',
  vatId: 'DE136695976',
};
const DETAILS = {
  firstName: 'Kim',
  lastName: 'Sommer',
  email: 'kim@bistro.example',
  phone: '+493012345678',
  to: 'COMPANY',
};

async function load({ baseUrl, tokens, perSecond }: CheckoutJob): Promise<CheckoutMeasurement> {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS });
  const tookMs: Record<Kind, number[]> = { pages: [], details: [], 'other forms': [] };
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  try {
    const walks = tokens.map(async (token, nth) => {
      await sleep(startedAt + (nth * 1_000) / perSecond - performance.now());
      await walk(pool, baseUrl, token, tookMs);
    });
    await Promise.all(walks);
  } finally {
    await pool.close();
  }
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { confirmed: tokens.length, elapsedMs, tookMs, busyShare: (user + system) / 1_000 / elapsedMs };
}

/** Throws if the order is not confirmed at the end. */
async function walk(
  pool: Pool,
  origin: string,
  token: string,
  tookMs: Record<Kind, number[]>,
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
  await fill('company', await page('company'), COMPANY);
  await fill('details', await page('details'), DETAILS);
  await fill('payment', await page('payment'), { term: 'DEFER_30D' });
  await fill('review', await page('review'), { consent: 'yes' });
  const outcome = await page('outcome');
  if (!outcome.includes('Thank you')) throw new Error(`The order is not confirmed: ${outcome.slice(0, 300)}`);
}

function kindOf(method: 'GET' | 'POST', path: string): Kind {
  if (method === 'GET') return 'pages';
  return path.endsWith('/details') ? 'details' : 'other forms';
}

/** The hidden fields of a form: the version of the checkout, and of the terms. */
function hiddenIn(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="(version|termsVersion)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value] as [string, string]));
}

if (import.meta.main) answerJobs(load);
