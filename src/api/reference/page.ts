/** The page of the interactive reference. */

export function referencePage({ nonce, scalarUrl }: { nonce: string; scalarUrl: string }): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Tradeline API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta property="csp-nonce" content="${nonce}">
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/theme.css">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript; <a href="openapi.json">openapi.json</a> holds the same.</noscript>
    <script src="docs/start.js" nonce="${nonce}"></script>
    <script src="${scalarUrl}"></script>
  </body>
</html>
`;
}

export function referencePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
