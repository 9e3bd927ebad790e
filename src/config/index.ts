/** Environment → settings. The one place that reads process.env; whatever is wrong stops the start with one sentence. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type ApiKeyText, ENVIRONMENTS, type Environment, parseApiKey } from '#kernel/api-key';
import { StartRefused } from '#kernel/start-refused';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export interface Settings {
  port: number;
  host: string;
  /** Without a trailing slash; null: http://host:port. */
  baseUrl: string | null;
  environment: Environment;
  dataDir: string;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  databaseOwnerUrl: string | null;
  databaseConnections: number;
  /** Null: kept in the data folder. */
  masterKey: Buffer | null;
  bootstrapApiKey: ApiKeyText | null;
  /** 0: no limit. */
  rateLimitPerSecond: number;
  rateLimitBurst: number;
  webhookAllowCidrs: string[];
  webhookExtraPorts: number[];
  webhookCa: string | null;
  isWorkerOn: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
  readyFile: string | null;
}

const DEFAULTS_FILE = new URL('../../config.default.env', import.meta.url);

/** Throws StartRefused with a sentence that names the setting. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const defaults = parseEnv(readFileSync(DEFAULTS_FILE, 'utf8'));
  const text = (name: string): string | null => (env[name] ?? defaults[name] ?? '').trim() || null;
  const read = <T>(name: string, parse: (value: string) => T | undefined, expected: string): T | null => {
    const value = text(name);
    if (value === null) return null;
    const parsed = parse(value);
    if (parsed === undefined) throw new StartRefused(`${name} must be ${expected}.`);
    return parsed;
  };

  const environment =
    read('TRADELINE_ENVIRONMENT', oneOf(ENVIRONMENTS), 'sandbox or production') ?? 'sandbox';
  const databaseUrl = read(
    'DATABASE_URL',
    postgresUrl,
    'a URL such as postgres://user:password@host:5432/database',
  );
  const isDemo = environment === 'sandbox' && databaseUrl === null;
  return {
    port: read('PORT', integer(0, 65_535), 'a whole number from 0 to 65535') ?? 0,
    host: text('HOST') ?? '127.0.0.1',
    baseUrl: read('TRADELINE_BASE_URL', httpUrl, 'a URL such as https://credit.example.com'),
    environment,
    dataDir: resolve(text('TRADELINE_DATA_DIR') ?? 'data'),
    databaseUrl,
    databaseOwnerUrl: read(
      'DATABASE_OWNER_URL',
      postgresUrl,
      'a URL such as postgres://owner:password@host:5432/database',
    ),
    databaseConnections:
      read('DATABASE_CONNECTIONS', integer(2, 1_000), 'a whole number from 2 to 1000') ?? 20,
    masterKey: masterKey(
      read('TRADELINE_MASTER_KEY', base64Of32Bytes, '32 bytes in base64 (openssl rand -base64 32)'),
      environment,
    ),
    bootstrapApiKey: bootstrapApiKey(text('TRADELINE_BOOTSTRAP_API_KEY'), environment),
    rateLimitPerSecond:
      read('TRADELINE_RATE_LIMIT_PER_SECOND', integer(0, 1_000_000), 'a whole number from 0 to 1000000') ??
      (isDemo ? 0 : 100),
    rateLimitBurst:
      read('TRADELINE_RATE_LIMIT_BURST', integer(1, 1_000_000), 'a whole number from 1 to 1000000') ?? 200,
    webhookAllowCidrs: list(text('WEBHOOK_ALLOW_CIDRS')),
    webhookExtraPorts:
      read('WEBHOOK_EXTRA_PORTS', ports, 'ports with commas between them, such as 4443,9443') ?? [],
    webhookCa: read('WEBHOOK_CA_FILE', fileText, 'a readable PEM file'),
    isWorkerOn: (read('TRADELINE_WORKER', oneOf(['on', 'off']), 'on or off') ?? 'on') === 'on',
    logLevel: read('TRADELINE_LOG_LEVEL', oneOf(LOG_LEVELS), LOG_LEVELS.join(', ')) ?? 'warn',
    readyFile: text('TRADELINE_READY_FILE'),
  };
}

function masterKey(key: Buffer | null, environment: Environment): Buffer | null {
  if (key === null && environment === 'production') {
    throw new StartRefused(
      'TRADELINE_MASTER_KEY must be set in production, to 32 bytes in base64 (openssl rand -base64 32).',
    );
  }
  return key;
}

function bootstrapApiKey(text: string | null, environment: Environment): ApiKeyText | null {
  if (text === null) return null;
  const key = parseApiKey(text);
  if (key === null) {
    throw new StartRefused(
      'TRADELINE_BOOTSTRAP_API_KEY is not a well-formed key: it needs the form tl_test_<id>_<secret><crc>, with a right checksum.',
    );
  }
  if (key.environment !== environment) {
    throw new StartRefused(
      `TRADELINE_BOOTSTRAP_API_KEY is a ${key.environment} key, but TRADELINE_ENVIRONMENT is ${environment}.`,
    );
  }
  return key;
}

const list = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function oneOf<const T extends readonly string[]>(values: T) {
  return (text: string): T[number] | undefined => values.find((value) => value === text);
}

function integer(minimum: number, maximum: number) {
  return (text: string): number | undefined => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

function ports(text: string): number[] | undefined {
  const numbers = list(text).map(integer(1, 65_535));
  return numbers.every((number) => number !== undefined) ? numbers : undefined;
}

function base64Of32Bytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? bytes : undefined;
}

function postgresUrl(text: string): string | undefined {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) ? text : undefined;
}

function httpUrl(text: string): string | undefined {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? text.replace(/\/+$/, '')
    : undefined;
}

function fileText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
