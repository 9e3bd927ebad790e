/** Starts the reference in the page. Served from our own origin, as everything else it loads. */

const { nonce } = document.currentScript;

// The security policy lets in only styles with this response's nonce, and Scalar gives it to one of those it makes. A
// script that may run may style the page, so every style element made by script gets it.
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => {
  const element = createElement(name, options);
  if (name === 'style') element.nonce = nonce;
  return element;
};

document.addEventListener('DOMContentLoaded', () => {
window.Scalar.createApiReference(document.getElementById('reference'), {
  url: new URL('openapi.json', location.href).href,
  // Requests go to where the page came from, whatever the public address of the service is.
  servers: [{ url: new URL('.', location.href).href.replace(/\/$/, '') }],
  authentication: { preferredSecurityScheme: 'ApiKey' },
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: true,
  modelsSectionLabel: 'Schemas',
});
});
