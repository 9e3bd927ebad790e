import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { formatApiKey, randomApiKey } from '#kernel/api-key';
import { StartRefused } from '#kernel/start-refused';
import { testAuthority, testAuthorityPath } from '#test/certificates';
import { isStartedByNpm, readSettings, type Settings } from './index.ts';

const file = readFileSync(new URL('../../config.default.env', import.meta.url), 'utf8');
const defaults = parseEnv(file);

const masterKey = Buffer.alloc(32, 251);
const sandboxKey = randomApiKey('sandbox');
const productionKey = randomApiKey('production');
const production = {
  TRADELINE_ENVIRONMENT: 'production',
  TRADELINE_MASTER_KEY: masterKey.toString('base64'),
};
const companiesHouse = {
  REGISTRY_COMPANIES_HOUSE_URL: 'https://companies-house.example',
  REGISTRY_COMPANIES_HOUSE_API_KEY: 'a key',
};

describe('config.default.env', () => {
  it('lists exactly the settings that the program reads', () => {
    const read = new Set<string>();
    const env = new Proxy<Record<string, string | undefined>>(
      {},
      { get: (_, name) => void read.add(String(name)) },
    );
    readSettings(env);
    expect([...read].sort()).toEqual(Object.keys(defaults).sort());
  });

  it('describes each setting in a comment directly above it', () => {
    const lines = file.split('\n');
    const bare = lines.filter((line, at) => /^\w+=/.test(line) && !lines[at - 1]?.startsWith('# '));
    expect(bare).toEqual([]);
  });

  it('has the values that apply if nothing is set', () => {
    const expected: Settings = {
      port: 8080,
      host: '127.0.0.1',
      baseUrl: null,
      trustedProxies: [],
      environment: 'sandbox',
      dataDir: fileURLToPath(new URL('../../data', import.meta.url)),
      isDataDirSet: false,
      databaseUrl: null,
      databaseOwnerUrl: null,
      databaseDirectUrl: null,
      databaseConnections: 20,
      filesFolder: null,
      bankFileBytesMax: 104_857_600,
      masterKey: null,
      bootstrapApiKey: null,
      apiKey: null,
      operatorKey: null,
      rateLimitPerSecond: 0,
      rateLimitBurst: 200,
      searchRateLimitPerSecond: 0,
      companyApplicationsPerHour: 10,
      gleifUrl: null,
      viesUrl: null,
      companiesHouseUrl: null,
      companiesHouseApiKey: null,
      registryCa: null,
      webhookAllowCidrs: [],
      webhookExtraPorts: [],
      webhookCa: null,
      riskUrl: null,
      riskApiKey: null,
      riskFailure: 'refer',
      smtp: null,
      smtpFrom: null,
      smtpCa: null,
      eventsKeptDays: 30,
      noticesKeptYears: 10,
      metrics: null,
      tracesUrl: null,
      workerRole: 'on',
      logLevel: 'warn',
      readyFile: null,
    };
    expect(readSettings({})).toEqual(expected);
    const empty = Object.fromEntries(Object.keys(defaults).map((name) => [name, ' ']));
    expect(readSettings(empty)).toEqual(expected);
  });
});

const server = { host: 'mail.example.com', user: null, password: null };
const smtpUrls: [text: string, meaning: object][] = [
  ['smtp://mail.example.com', { ...server, port: 587, isSecure: false }],
  ['smtps://mail.example.com/', { ...server, port: 465, isSecure: true }],
  ['smtp://[::1]:25', { ...server, host: '::1', port: 25, isSecure: false }],
  [
    'smtps://jane%40example.com:p%40ss%3A%2F@mail.example.com:2465',
    { ...server, port: 2465, isSecure: true, user: 'jane@example.com', password: 'p@ss:/' },
  ],
];

describe('a setting', () => {
  it.each<
    [setting: string, value: string, key: keyof Settings, meaning: unknown, more?: Record<string, string>]
  >([
    ['PORT', '0', 'port', 0],
    ['PORT', ' 65535 ', 'port', 65_535],
    ['HOST', '::1', 'host', '::1'],
    ['TRADELINE_BASE_URL', 'https://credit.example.com/eu/', 'baseUrl', 'https://credit.example.com/eu'],
    [
      'TRADELINE_TRUSTED_PROXIES',
      '10.0.0.5, fd00::/8,::1',
      'trustedProxies',
      ['10.0.0.5/32', 'fd00::/8', '::1/128'],
    ],
    ['TRADELINE_ENVIRONMENT', 'production', 'environment', 'production', production],
    ['TRADELINE_DATA_DIR', 'elsewhere', 'dataDir', resolve('elsewhere')],
    ['TRADELINE_DATA_DIR', '/var/lib/x', 'dataDir', '/var/lib/x'],
    ['DATABASE_URL', 'postgres://u:p@h:1/d', 'databaseUrl', 'postgres://u:p@h:1/d'],
    ['DATABASE_URL', 'postgresql:///d?host=/run', 'databaseUrl', 'postgresql:///d?host=/run'],
    ['DATABASE_URL', 'postgres://u:p@/d?host=/run', 'databaseUrl', 'postgres://u:p@/d?host=/run'],
    ['DATABASE_OWNER_URL', 'postgres://o:p@h/d', 'databaseOwnerUrl', 'postgres://o:p@h/d'],
    ['DATABASE_CONNECTIONS', '2', 'databaseConnections', 2],
    ['TRADELINE_MASTER_KEY', masterKey.toString('base64'), 'masterKey', masterKey],
    ['TRADELINE_MASTER_KEY', masterKey.toString('base64url'), 'masterKey', masterKey],
    ['TRADELINE_BOOTSTRAP_API_KEY', formatApiKey(sandboxKey), 'bootstrapApiKey', sandboxKey],
    [
      'TRADELINE_BOOTSTRAP_API_KEY',
      formatApiKey(productionKey),
      'bootstrapApiKey',
      productionKey,
      production,
    ],
    ['TRADELINE_RATE_LIMIT_PER_SECOND', '0', 'rateLimitPerSecond', 0, production],
    ['TRADELINE_RATE_LIMIT_PER_SECOND', '', 'rateLimitPerSecond', 100, production],
    ['TRADELINE_RATE_LIMIT_PER_SECOND', '', 'rateLimitPerSecond', 100, { DATABASE_URL: 'postgres://h/d' }],
    ['TRADELINE_RATE_LIMIT_BURST', '1', 'rateLimitBurst', 1],
    ['TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND', '7', 'searchRateLimitPerSecond', 7],
    ['TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND', '0', 'searchRateLimitPerSecond', 0, production],
    ['TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND', '', 'searchRateLimitPerSecond', 5, production],
    [
      'TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND',
      '',
      'searchRateLimitPerSecond',
      5,
      { DATABASE_URL: 'postgres://h/d' },
    ],
    ['REGISTRY_GLEIF_URL', 'https://api.gleif.org/api/v1/', 'gleifUrl', 'https://api.gleif.org/api/v1'],
    [
      'REGISTRY_VIES_URL',
      'http://vies.internal:8080/rest-api',
      'viesUrl',
      'http://vies.internal:8080/rest-api',
    ],
    [
      'REGISTRY_COMPANIES_HOUSE_URL',
      'https://ch.example',
      'companiesHouseUrl',
      'https://ch.example',
      companiesHouse,
    ],
    ['REGISTRY_COMPANIES_HOUSE_API_KEY', 'other', 'companiesHouseApiKey', 'other', companiesHouse],
    ['REGISTRY_CA_FILE', testAuthorityPath, 'registryCa', testAuthority],
    ['WEBHOOK_ALLOW_CIDRS', '10.1.0.0/16, fd00::/8', 'webhookAllowCidrs', ['10.1.0.0/16', 'fd00::/8']],
    ['WEBHOOK_ALLOW_CIDRS', '0.0.0.0/0', 'webhookAllowCidrs', ['0.0.0.0/0']],
    ['WEBHOOK_EXTRA_PORTS', '4443,9443,', 'webhookExtraPorts', [4443, 9443]],
    ['WEBHOOK_CA_FILE', testAuthorityPath, 'webhookCa', testAuthority],
    ['TRADELINE_RISK_URL', 'https://risk.example.com/v2/', 'riskUrl', 'https://risk.example.com/v2'],
    ['TRADELINE_RISK_URL', '', 'riskUrl', null],
    ['TRADELINE_RISK_API_KEY', 'key of theirs', 'riskApiKey', 'key of theirs'],
    ['TRADELINE_RISK_FAILURE', 'error', 'riskFailure', 'error'],
    ['TRADELINE_RISK_FAILURE', '', 'riskFailure', 'refer'],
    ...smtpUrls.map(
      ([text, meaning]) =>
        ['SMTP_URL', text, 'smtp', meaning, { SMTP_FROM: 'a@b.example' }] as [
          string,
          string,
          keyof Settings,
          unknown,
          Record<string, string>,
        ],
    ),
    ['SMTP_FROM', 'orders@example.com', 'smtpFrom', 'orders@example.com'],
    ['SMTP_CA_FILE', testAuthorityPath, 'smtpCa', testAuthority],
    ['TRADELINE_METRICS_PORT', '9464', 'metrics', { host: '127.0.0.1', port: 9464, token: null }],
    ['TRADELINE_WORKER', 'off', 'workerRole', 'off'],
    ['TRADELINE_WORKER', 'only', 'workerRole', 'only', { TRADELINE_BASE_URL: 'https://credit.example.com' }],
    ['TRADELINE_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['TRADELINE_READY_FILE', 'ready.json', 'readyFile', resolve('ready.json')],
  ])('%s=%j is accepted', (setting, value, key, meaning, more = {}) => {
    expect(readSettings({ ...more, [setting]: value })[key]).toEqual(meaning);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '0x50'],
    ['PORT', '80.5'],
    ['TRADELINE_BASE_URL', 'https://user:password@example.com'],
    ['TRADELINE_BASE_URL', 'https://example.com/?a=b'],
    ['TRADELINE_BASE_URL', 'ftp://example.com'],
    ['TRADELINE_TRUSTED_PROXIES', 'proxy.internal'],
    ['TRADELINE_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRADELINE_TRUSTED_PROXIES', 'fe80::1%eth0'],
    ['TRADELINE_ENVIRONMENT', 'Production'],
    ['DATABASE_URL', 'postgres:host'],
    ['DATABASE_URL', 'https://host/db'],
    ['DATABASE_OWNER_URL', 'host'],
    ['DATABASE_DIRECT_URL', 'host'],
    ['DATABASE_CONNECTIONS', '1001'],
    ['TRADELINE_MASTER_KEY', Buffer.alloc(31).toString('base64')],
    ['TRADELINE_MASTER_KEY', `${masterKey.toString('base64')}!`],
    ['TRADELINE_BOOTSTRAP_API_KEY', formatApiKey(sandboxKey).toLowerCase()],
    ['TRADELINE_BOOTSTRAP_API_KEY', formatApiKey(productionKey)],
    ['TRADELINE_RATE_LIMIT_PER_SECOND', '-1'],
    ['TRADELINE_RATE_LIMIT_BURST', '1000001'],
    ['TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND', '2.5'],
    ['TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND', '-1'],
    ['REGISTRY_GLEIF_URL', 'api.gleif.org'],
    ['REGISTRY_GLEIF_URL', 'https://user@api.gleif.org'],
    ['REGISTRY_VIES_URL', 'https://:password@example.com'],
    ['REGISTRY_VIES_URL', 'https://example.com/?a=b'],
    ['REGISTRY_COMPANIES_HOUSE_URL', 'file:///etc'],
    ['REGISTRY_CA_FILE', '/dev/null'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/8,nonsense'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/8/8'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0/8'],
    ['WEBHOOK_ALLOW_CIDRS', 'fd00::/129'],
    ['WEBHOOK_ALLOW_CIDRS', 'fe80::1%eth0/64'],
    ['WEBHOOK_EXTRA_PORTS', '0'],
    ['WEBHOOK_EXTRA_PORTS', '65536'],
    ['WEBHOOK_CA_FILE', '/dev/null'],
    ['TRADELINE_RISK_URL', 'risk.example.com'],
    ['TRADELINE_RISK_FAILURE', 'accept'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://mail.example.com/path'],
    ['SMTP_URL', 'smtp://mail.example.com?tls=no'],
    ['SMTP_URL', 'smtp://:password@mail.example.com'],
    ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
    ['SMTP_FROM', 'Orders <orders@example.com>'],
    ['SMTP_CA_FILE', '/dev/null'],
    ['TRADELINE_METRICS_PORT', '70000'],
    ['TRADELINE_EVENTS_KEPT_DAYS', '0'],
    ['TRADELINE_NOTICES_KEPT_YEARS', '31'],
    ['TRADELINE_TRACES_URL', '127.0.0.1:4318'],
    ['TRADELINE_METRICS_TOKEN', 'too short'],
    ['TRADELINE_WORKER', 'true'],
    ['TRADELINE_LOG_LEVEL', 'trace'],
  ])('%s=%j is refused by a sentence that names it', (setting, value) => {
    const read = () => readSettings({ [setting]: value });
    expect(read).toThrow(StartRefused);
    expect(read).toThrow(new RegExp(`^${setting} [^\\n]+\\.$`));
  });

  it('of Companies House is refused without the other, by a sentence without the key', () => {
    const { REGISTRY_COMPANIES_HOUSE_URL, REGISTRY_COMPANIES_HOUSE_API_KEY } = companiesHouse;
    expect(() => readSettings({ REGISTRY_COMPANIES_HOUSE_URL })).toThrow(
      /^REGISTRY_COMPANIES_HOUSE_API_KEY must be set if [^\n]+\.$/,
    );
    const withoutAddress = () => readSettings({ REGISTRY_COMPANIES_HOUSE_API_KEY });
    expect(withoutAddress).toThrow(/^REGISTRY_COMPANIES_HOUSE_URL must be set if [^\n]+\.$/);
    expect(withoutAddress).not.toThrow(new RegExp(REGISTRY_COMPANIES_HOUSE_API_KEY));
  });

  it('SMTP_FROM is required if SMTP_URL is set', () => {
    expect(() => readSettings({ SMTP_URL: 'smtp://user:secret@mail.example.com' })).toThrow(
      /^SMTP_FROM must be set if [^\n]+\.$/,
    );
  });

  it('DATABASE_URL is required if DATABASE_DIRECT_URL is set', () => {
    const read = (env: Record<string, string>) => readSettings(env).databaseDirectUrl;
    const direct = { DATABASE_DIRECT_URL: 'postgres://u:p@h/d' };
    expect(() => read(direct)).toThrow(/^DATABASE_URL must be set if DATABASE_DIRECT_URL is: [^\n]+\.$/);
    expect(read({ ...direct, DATABASE_URL: 'postgres://u:p@pooler/d' })).toBe(direct.DATABASE_DIRECT_URL);
  });

  it('TRADELINE_BASE_URL is required for a worker alone', () => {
    expect(() => readSettings({ TRADELINE_WORKER: 'only' })).toThrow(
      /^TRADELINE_BASE_URL must be set with [^\n]+\.$/,
    );
  });

  it('TRADELINE_MASTER_KEY is required in production', () => {
    expect(() => readSettings({ TRADELINE_ENVIRONMENT: 'production' })).toThrow(
      /^TRADELINE_MASTER_KEY must be set/,
    );
  });
});

describe('isStartedByNpm', () => {
  it('is true for a process started by npm', () => {
    expect(isStartedByNpm({ npm_lifecycle_event: 'start' })).toBe(true);
    expect(isStartedByNpm({ npm_config_loglevel: 'warn' })).toBe(false);
  });
});
