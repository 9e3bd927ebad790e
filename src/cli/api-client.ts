/** Commands that call the API of a running service, as an integrator does. */
import { readSettings } from '#config';
import { formatApiKey } from '#kernel/api-key';
import { localUrl } from '#kernel/http-url';
import { readHttpDate, readRetryAfter } from '#kernel/retry-after';
import { StartRefused } from '#kernel/start-refused';
import { readReadiness } from './ready-file.ts';

export interface ApiAnswer {
  status: number;
  /** Of Retry-After; null without one that can be read. */
  retryAfterSeconds: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many operations; who calls one knows its schema.
  body: any;
}

export interface ApiClient {
  baseUrl: string;
  /** Rejects if there is no answer. A body that is bytes is sent as a PDF. */
  send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<ApiAnswer>;
}

/** The service of the ready file or of the settings, with the key of TRADELINE_API_KEY. Throws StartRefused without a key. */
export function openApiClient(): ApiClient {
  const { readyFile, baseUrl, host, port, apiKey } = readSettings();
  const running = readyFile === null ? null : readReadiness(readyFile);
  const key = apiKey === null ? running?.api_key : formatApiKey(apiKey);
  if (!key)
    throw new StartRefused(
      'Set TRADELINE_API_KEY to a key of the platform, such as the one that the start of a sandbox shows.',
    );
  const address = running?.base_url ?? baseUrl ?? localUrl(host, port);
  return {
    baseUrl: address,
    async send(method, path, body, signal) {
      const isBytes = body instanceof Uint8Array;
      const reply = await fetch(address + path, {
        method,
        redirect: 'error',
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': isBytes ? 'application/pdf' : 'application/json' }),
        },
        ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      const text = await reply.text();
      const answer = isJson(reply) ? JSON.parse(text) : text;
      const answeredAt = readHttpDate(reply.headers.get('date'));
      const retryAfterSeconds = readRetryAfter(reply.headers.get('retry-after'), answeredAt);
      return { status: reply.status, retryAfterSeconds, body: answer };
    },
  };
}

const isJson = (reply: Response) => (reply.headers.get('content-type') ?? '').includes('json');

/** What the service said about a request that it refused. */
export function refusalSentence({ status, body }: ApiAnswer): string {
  const issues: { path: string; message: string }[] = body?.issues ?? [];
  const named = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  const reason = [body?.reason ?? body?.code, body?.error, named].filter(Boolean).join(': ');
  return `the service answered ${status}${reason === '' ? '' : ` ${reason}`}`;
}
