/** Whether the text is an absolute http or https URL without credentials, safe to link or redirect to. */
export function isHttpUrl(text: string): boolean {
  // The parser would silently drop white space and control characters.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** The address of a service on this host and port, as reached from the same machine. */
export function localUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}
