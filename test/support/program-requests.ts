/** Requests to a program from outside, by its address and a key. */
import type { Reply } from './world.ts';

export interface Address {
  baseUrl: string;
  apiKey: string;
}

export function get(address: Address, path: string): Promise<Reply> {
  return request(address, path, {});
}

export function post(
  address: Address,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return request(address, path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

async function request({ baseUrl, apiKey }: Address, path: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(baseUrl + path, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${apiKey}` },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
