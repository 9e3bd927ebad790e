/** Runs in the page, ahead of Scalar's bundle, and starts it once the page is there. */

const nonce = document.querySelector('meta[property=csp-nonce]').content;

// The security policy lets in no style element without the nonce, and Scalar gives it to only one of those it makes. What
// a script that may run makes, may be seen: so each gets it.
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => {
  const element = createElement(name, options);
  if (name === 'style') element.nonce = nonce;
  return element;
};

// Scalar keeps the typed key in localStorage, for good and for every tab. Here it is kept for the tab, and forgotten with it.
Object.defineProperty(window, 'localStorage', { value: window.sessionStorage });

const here = (path) => new URL(path, location.href).href;

document.addEventListener('DOMContentLoaded', () => {
  window.Scalar.createApiReference('#reference', {
    url: here('openapi.json'),
    // Requests go to the origin of the page, regardless of the public address of the service.
    servers: [{ url: here('.').replace(/\/$/, '') }],
    authentication: { preferredSecurityScheme: 'ApiKey' },
    persistAuth: true,
    // Nothing of Scalar's own services.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    // The bar above has the link.
    documentDownloadType: 'none',
    theme: 'none',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    orderSchemaPropertiesBy: 'preserve',
    modelsSectionLabel: 'Schemas',
  });
});
