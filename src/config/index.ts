/** Reads the environment into settings. No other code reads process.env. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ApiKeyText,
  ENVIRONMENTS,
  type Environment,
  parseApiKey,
  parseOperatorKey,
} from '#kernel/api-key';
import { isEmail } from '#kernel/email';
import { LOG_LEVELS, type LogLevel } from '#kernel/log-level';
import { StartRefused } from '#kernel/start-refused';
import { type DatabaseSettings, readDatabase } from './database.ts';
import { type MonitoringSettings, readMonitoring } from './monitoring.ts';
import { type Reader, type ReadOptional, readerOf } from './reader.ts';
import {
  anyOf,
  base64Of32Bytes,
  cidrs,
  httpUrl,
  integer,
  networks,
  pemFile,
  ports,
  type SmtpUrl,
  smtpUrl,
  textOfFile,
} from './values.ts';

export interface Settings extends DatabaseSettings, MonitoringSettings {
  port: number;
  host: string;
  /** Without a trailing slash; null for http://host:port. */
  baseUrl: string | null;
  /** CIDR blocks of the proxies whose X-Forwarded headers count. */
  trustedProxies: string[];
  environment: Environment;
  dataDir: string;
  /** False if no setting names the data folder, so that the one in the program's folder is used. */
  isDataDirSet: boolean;
  /** Null if files are stored in the database. */
  filesFolder: string | null;
  /** The maximum size of a bank file. */
  bankFileBytesMax: number;
  /** Null if the key is in the data folder. */
  masterKey: Buffer | null;
  bootstrapApiKey: ApiKeyText | null;
  /** The key with which commands call the API. Null for the key in the ready file. */
  apiKey: ApiKeyText | null;
  /** The key of the operator who runs a command. With null, only commands that change nothing work. */
  operatorKey: ApiKeyText | null;
  /** 0 means no limit. */
  rateLimitPerSecond: number;
  rateLimitBurst: number;
  /** With 0, only the limit for all requests applies. */
  searchRateLimitPerSecond: number;
  /** The limit of one-time codes, and of credit applications, per hour for one company in the hosted checkout; 0 means no limit. */
  companyApplicationsPerHour: number;
  /** Base URLs of live registries without a trailing slash; null if not queried. */
  gleifUrl: string | null;
  viesUrl: string | null;
  companiesHouseUrl: string | null;
  companiesHouseApiKey: string | null;
  registryCa: string | null;
  webhookAllowCidrs: string[];
  webhookExtraPorts: number[];
  webhookCa: string | null;
  /** Null if no risk source is called. */
  riskUrl: string | null;
  riskApiKey: string | null;
  /** The treatment of an application that cannot be decided: `error` answers 424, `refer` opens a review. */
  riskFailure: 'error' | 'refer';
  /** With null, a sandbox shows mails in its mailbox only, and in production they wait. */
  smtp: SmtpUrl | null;
  /** The sender for platforms without one; set if `smtp` is. */
  smtpFrom: string | null;
  smtpCa: string | null;
  eventsKeptDays: number;
  noticesKeptYears: number;
  /** `off` serves requests only; `only` runs only the background work. */
  workerRole: 'on' | 'off' | 'only';
  logLevel: LogLevel;
  readyFile: string | null;
}

/** Reads only the environment, for a machine without the other settings. Throws StartRefused. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  return readerOf(env).required('TRADELINE_ENVIRONMENT', anyOf(ENVIRONMENTS), 'sandbox or production');
}

/** The folder `data` next to the program, regardless of the folder in which a command is run. */
const OWN_DATA_DIR = fileURLToPath(new URL('../../data', import.meta.url));

/** Throws StartRefused with a sentence that names the invalid setting. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const { optional, required } = readerOf(env);
  const environment = readEnvironment(env);
  const database = readDatabase({ optional, required });
  return {
    port: required('PORT', integer(0, 65_535), 'a whole number from 0 to 65535'),
    host: required('HOST', anyText, 'an address to listen on'),
    ...readRole({ optional, required }),
    trustedProxies:
      optional(
        'TRADELINE_TRUSTED_PROXIES',
        networks,
        'addresses or networks with commas between them, such as 10.0.0.5,172.16.0.0/12',
      ) ?? [],
    environment,
    ...readDataDir(optional),
    ...database,
    filesFolder: optional('TRADELINE_FILES_FOLDER', (path) => resolve(path), 'a path'),
    bankFileBytesMax: required(
      'TRADELINE_BANK_FILE_MAX_BYTES',
      integer(1, 10_000_000_000),
      'a whole number from 1 to 10000000000',
    ),
    masterKey: masterKey(
      optional('TRADELINE_MASTER_KEY', base64Of32Bytes, '32 bytes in base64 (openssl rand -base64 32)'),
      environment,
    ),
    ...readKeys(optional, environment),
    ...readRateLimits({ optional, required }, environment === 'sandbox' && database.databaseUrl === null),
    ...readRegistries(optional),
    webhookAllowCidrs:
      optional(
        'WEBHOOK_ALLOW_CIDRS',
        cidrs,
        'networks with commas between them, such as 10.1.0.0/16,fd00::/8',
      ) ?? [],
    webhookExtraPorts:
      optional('WEBHOOK_EXTRA_PORTS', ports, 'ports with commas between them, such as 4443,9443') ?? [],
    webhookCa: optional('WEBHOOK_CA_FILE', pemFile, 'a readable file of PEM certificates'),
    riskUrl: optional('TRADELINE_RISK_URL', httpUrl, 'a URL such as https://risk.example.com/assessments'),
    riskApiKey: optional('TRADELINE_RISK_API_KEY', anyText, 'a key'),
    riskFailure: required('TRADELINE_RISK_FAILURE', anyOf(['error', 'refer']), 'error or refer'),
    ...readSmtp(optional),
    eventsKeptDays: required(
      'TRADELINE_EVENTS_KEPT_DAYS',
      integer(1, 3_650),
      'a whole number from 1 to 3650',
    ),
    noticesKeptYears: required('TRADELINE_NOTICES_KEPT_YEARS', integer(1, 30), 'a whole number from 1 to 30'),
    ...readMonitoring({ optional, required }),
    logLevel: required('TRADELINE_LOG_LEVEL', anyOf(LOG_LEVELS), `one of ${LOG_LEVELS.join(', ')}`),
    readyFile: optional('TRADELINE_READY_FILE', (path) => resolve(path), 'a path'),
  };
}

/** Whether npm (`npm start`, `npm run`, `npx`) started this process. npm sets the variable; it is not a setting. */
export function isStartedByNpm(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.npm_lifecycle_event !== undefined;
}

function readRateLimits(
  { optional, required }: Reader,
  isDemo: boolean,
): Pick<
  Settings,
  'rateLimitPerSecond' | 'rateLimitBurst' | 'searchRateLimitPerSecond' | 'companyApplicationsPerHour'
> {
  const count = (min: number) => [integer(min, 1_000_000), `a whole number from ${min} to 1000000`] as const;
  return {
    rateLimitPerSecond: optional('TRADELINE_RATE_LIMIT_PER_SECOND', ...count(0)) ?? (isDemo ? 0 : 100),
    rateLimitBurst: required('TRADELINE_RATE_LIMIT_BURST', ...count(1)),
    searchRateLimitPerSecond:
      optional('TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND', ...count(0)) ?? (isDemo ? 0 : 5),
    companyApplicationsPerHour: required('TRADELINE_COMPANY_APPLICATIONS_PER_HOUR', ...count(0)),
  };
}

function readRole({ optional, required }: Reader): Pick<Settings, 'baseUrl' | 'workerRole'> {
  const baseUrl = optional('TRADELINE_BASE_URL', httpUrl, 'a URL such as https://credit.example.com');
  const workerRole = required('TRADELINE_WORKER', anyOf(['on', 'off', 'only']), 'on, off or only');
  if (workerRole === 'only' && baseUrl === null)
    throw new StartRefused(
      'TRADELINE_BASE_URL must be set with TRADELINE_WORKER=only: mails link to the address of the API.',
    );
  return { baseUrl, workerRole };
}

function readDataDir(optional: ReadOptional): Pick<Settings, 'dataDir' | 'isDataDirSet'> {
  const dataDir = optional('TRADELINE_DATA_DIR', (path) => resolve(path), 'a folder');
  return { dataDir: dataDir ?? OWN_DATA_DIR, isDataDirSet: dataDir !== null };
}

function readRegistries(
  optional: ReadOptional,
): Pick<Settings, 'gleifUrl' | 'viesUrl' | 'companiesHouseUrl' | 'companiesHouseApiKey' | 'registryCa'> {
  const companiesHouseUrl = optional(
    'REGISTRY_COMPANIES_HOUSE_URL',
    httpUrl,
    'a URL such as https://api.company-information.service.gov.uk',
  );
  const companiesHouseApiKey = optional('REGISTRY_COMPANIES_HOUSE_API_KEY', anyText, 'an API key');
  if (companiesHouseUrl !== null && companiesHouseApiKey === null)
    throw new StartRefused(
      'REGISTRY_COMPANIES_HOUSE_API_KEY must be set if REGISTRY_COMPANIES_HOUSE_URL is: Companies House requires an API key.',
    );
  if (companiesHouseUrl === null && companiesHouseApiKey !== null)
    throw new StartRefused(
      'REGISTRY_COMPANIES_HOUSE_URL must be set if REGISTRY_COMPANIES_HOUSE_API_KEY is, for example to https://api.company-information.service.gov.uk.',
    );
  return {
    gleifUrl: optional('REGISTRY_GLEIF_URL', httpUrl, 'a URL such as https://api.gleif.org/api/v1'),
    viesUrl: optional(
      'REGISTRY_VIES_URL',
      httpUrl,
      'a URL such as https://ec.europa.eu/taxation_customs/vies/rest-api',
    ),
    companiesHouseUrl,
    companiesHouseApiKey,
    registryCa: optional('REGISTRY_CA_FILE', pemFile, 'a readable file of PEM certificates'),
  };
}

function readSmtp(optional: ReadOptional): Pick<Settings, 'smtp' | 'smtpFrom' | 'smtpCa'> {
  const smtp = optional('SMTP_URL', smtpUrl, 'a URL such as smtps://user:password@mail.example.com:465');
  const smtpFrom = optional('SMTP_FROM', email, 'an e-mail address such as orders@example.com');
  if (smtp !== null && smtpFrom === null)
    throw new StartRefused(
      'SMTP_FROM must be set if SMTP_URL is: it is the sender for platforms that have no sender of their own.',
    );
  return { smtp, smtpFrom, smtpCa: optional('SMTP_CA_FILE', pemFile, 'a readable file of PEM certificates') };
}

const email = (text: string) => (isEmail(text) ? text : undefined);

const anyText = (text: string) => text;

function masterKey(key: Buffer | null, environment: Environment): Buffer | null {
  if (key === null && environment === 'production') {
    throw new StartRefused(
      'TRADELINE_MASTER_KEY must be set in production, to 32 bytes in base64 (openssl rand -base64 32).',
    );
  }
  return key;
}

function readKeys(
  optional: ReadOptional,
  environment: Environment,
): Pick<Settings, 'bootstrapApiKey' | 'apiKey' | 'operatorKey'> {
  const bootstrapKey = optional(
    'TRADELINE_BOOTSTRAP_API_KEY',
    (text) => parseApiKey(text) ?? undefined,
    'a well-formed key: tl_test_<id>_<secret><crc>, with a valid checksum',
  );
  const apiKey = optional(
    'TRADELINE_API_KEY',
    (text) => parseApiKey(text) ?? undefined,
    'a well-formed key: tl_test_<id>_<secret><crc>, with a valid checksum',
  );
  const form = 'an operator key: tl_op_test_<id>_<secret><crc>, with a valid checksum';
  const read = (text: string) => parseOperatorKey(text) ?? undefined;
  const key = optional('TRADELINE_OPERATOR_KEY', read, form);
  const ofFile = optional(
    'TRADELINE_OPERATOR_KEY_FILE',
    (path) => read(textOfFile(path) ?? ''),
    `a readable file with ${form}`,
  );
  if (key !== null && ofFile !== null)
    throw new StartRefused('Set TRADELINE_OPERATOR_KEY or TRADELINE_OPERATOR_KEY_FILE, not both.');
  return {
    bootstrapApiKey: ofEnvironment('TRADELINE_BOOTSTRAP_API_KEY', bootstrapKey, environment),
    apiKey,
    operatorKey: ofEnvironment('The operator key', key ?? ofFile, environment),
  };
}

function ofEnvironment(name: string, key: ApiKeyText | null, environment: Environment): ApiKeyText | null {
  if (key === null || key.environment === environment) return key;
  throw new StartRefused(`${name} is a ${key.environment} key, but TRADELINE_ENVIRONMENT is ${environment}.`);
}
