import { localUrl } from '#kernel/http-url';
import { StartRefused } from '#kernel/start-refused';
import type { OnPlatform } from './installation.ts';
import { readReadiness } from './ready-file.ts';

/** The base URL of links: TRADELINE_BASE_URL, otherwise the address of the service on this machine. Throws StartRefused. */
export function baseUrlOf({ settings: { baseUrl, readyFile, host, port } }: OnPlatform): string {
  const running = readyFile === null ? null : readReadiness(readyFile);
  const known = baseUrl ?? running?.base_url;
  if (known) return known;
  if (port === 0)
    throw new StartRefused(
      'Set TRADELINE_BASE_URL to the address of the service: with PORT=0, its port is not known.',
    );
  return localUrl(host, port);
}
