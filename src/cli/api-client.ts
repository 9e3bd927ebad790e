/** Commands that call the API of a running service, as an integrator does. */
import { readSettings } from '#config';
import { formatApiKey } from '#kernel/api-key';
import { localUrl } from '#kernel/http-url';
import { readHttpDate, readRetryAfter } from '#kernel/retry-after';
import { StartRefused } from '#kernel/start-refused';
import { readReadiness } from './ready-file.ts';

export interface ApiAnswer {
  status: number;
  /** From Retry-After; null if the header is missing or unreadable. */
  retryAfterSeconds: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many operations; the caller knows the schema.
  body: any;
}

export interface ApiClient {
  baseUrl: string;
  /** Rejects if there is no answer. A body that is bytes is sent as a PDF. */
  send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<ApiAnswer>;
}

/** A client of the service in the ready file or the settings, with the key in TRADELINE_API_KEY. Throws StartRefused without a key. */
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

/** The service's explanation of a refused request. */
export function refusalSentence({ status, body }: ApiAnswer): string {
  const issues: { path: string; message: string }[] = body?.issues ?? [];
  const named = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  const reason = [body?.reason ?? body?.code, body?.error, named].filter(Boolean).join(': ');
  return `the service answered ${status}${reason === '' ? '' : ` ${reason}`}`;
}
