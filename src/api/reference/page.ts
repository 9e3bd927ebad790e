/** The frame of the pages, and the page of the interactive reference. */

/** The page's own addresses are relative, so that they work behind a proxy that adds a path prefix. */
interface Frame {
  title: string;
  /** From the page to the folder that /docs is in: ``, `../` or `../../`. */
  root: string;
  here: 'docs' | 'docs/guides' | 'docs/errors';
  head?: string;
  content: string;
}

const NAVIGATION = [
  { path: 'docs', name: 'Reference' },
  { path: 'docs/guides', name: 'Guides' },
  { path: 'docs/errors', name: 'Errors' },
  { path: 'openapi.json', name: 'openapi.json' },
] as const;

export function referenceFrame({ title, root, here, head = '', content }: Frame): string {
  const links = NAVIGATION.map(({ path, name }) => {
    const current = path === here ? ' aria-current="page"' : '';
    return `<a href="${root}${path}"${current}>${name}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${root}docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}docs/style.css">
${head}</head>
<body>
<header class="bar">
<a class="mark" href="${root}docs"><img src="${root}docs/icon.svg" alt="" width="22" height="22">Tradeline</a>
<nav aria-label="Documentation">${links.join('')}</nav>
</header>
${content}
</body>
</html>
`;
}

/** `nonce` is unique to the response: see referencePolicy. */
export function referencePage({ nonce, bundle }: { nonce: string; bundle: string }): string {
  return referenceFrame({
    title: 'Tradeline API reference',
    root: '',
    here: 'docs',
    head: `<link rel="stylesheet" href="docs/scalar.css">
<meta property="csp-nonce" content="${nonce}">
<script src="docs/start.js"></script>
<script src="docs/${bundle}" defer></script>
`,
    content: `<div id="reference"></div>
<noscript><main class="text"><p>The interactive reference needs JavaScript.
<a href="openapi.json">openapi.json</a> says the same to a program, and <a href="docs/guides">Guides</a> and <a href="docs/errors">Errors</a> need none.</p></main></noscript>`,
  });
}

/**
 * Allows only our own origin, and no inline script. Scalar creates style elements, which have the nonce, and style attributes with computed
 * sizes, which no nonce or hash can cover. A style attribute cannot load anything that the rest of the policy forbids.
 */
export function referencePolicy(nonce: string): string {
  return policy(
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
  );
}

/** The policy of a page without scripts. */
export const TEXT_POLICY = policy("style-src 'self'", "img-src 'self'");

/** The policy of a document, whose only script is ours. */
export const DOCUMENT_POLICY = policy("script-src 'self'", "style-src 'self'", "img-src 'self'");

function policy(...allowed: string[]): string {
  const refused = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...allowed, ...refused].join('; ');
}
