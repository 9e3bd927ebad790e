// Who may import whom. `npm run check:dependencies` cruises src/ with these rules; test/dependency-rules.test.ts sees each one fail.
// Every `comment` is printed with the finding, so it says what to do instead.
const tests = '\\.test\\.ts$';
/** The layers from the inside out: each may import itself and what is listed. Settings come from config by argument, never by import. */
const layers = {
  kernel: [],
  config: ['kernel'],
  infra: ['kernel'],
  operation: ['kernel', 'infra'],
  http: ['kernel', 'infra', 'operation'],
  messages: ['kernel'],
  modules: ['kernel', 'infra', 'operation', 'messages'],
  api: ['kernel', 'infra', 'operation', 'http', 'modules'],
  pages: ['kernel', 'infra', 'operation', 'http', 'messages', 'modules'],
  'checkout-pages': ['kernel', 'infra', 'operation', 'http', 'messages', 'modules', 'pages'],
  'buyer-pages': ['kernel', 'infra', 'operation', 'http', 'messages', 'modules', 'pages'],
  mailbox: ['kernel', 'infra', 'operation', 'http', 'modules'],
  worker: ['kernel', 'infra', 'operation', 'modules'],
};
const layerSentences = {
  kernel: 'The kernel is pure code and imports only itself: pass what it needs as an argument.',
  config: 'config turns the environment into settings and imports only the kernel.',
  infra: 'infra holds mechanics without business terms: it imports only the kernel and itself.',
  operation: 'operation/ defines what an operation is, without HTTP: it imports kernel, infra and itself.',
  http: 'http holds the HTTP contract: it imports kernel, infra and operation; hand it operations from api/ or app.ts.',
  messages: 'messages/ holds what buyers read, in every language: it imports the kernel and itself.',
  modules:
    'A module imports kernel, infra, operation, messages and other modules: outer layers call it, not the reverse.',
  api: 'api/ lists operations: it imports modules and what lies below them, never the worker, the app or the commands.',
  pages: 'src/pages holds what all pages share: it imports modules and what lies below them, no surface.',
  'checkout-pages': 'The checkout pages import pages, modules and what lies below them, never the api.',
  'buyer-pages': 'The buyer pages import pages, modules and what lies below them, never the api.',
  mailbox: 'The mailbox imports modules and what lies below them, never the api, the worker or the commands.',
  worker:
    'The worker runs operations: it imports modules and what lies below them, never the api, the app or the commands.',
};

const listed = (names) => names.split(' ');
/** Which modules a module may import, through their index.ts. A new module takes its line here first. */
const modules = {
  platforms: [],
  operators: ['platforms'],
  ledger: ['platforms', 'operators'],
  webhooks: ['platforms'],
  merchants: ['platforms', 'webhooks'],
  registry: ['platforms', 'operators'],
  payees: ['platforms', 'operators', 'merchants', 'webhooks'],
  buyers: ['platforms', 'registry', 'webhooks'],
  mandates: ['platforms', 'buyers'],
  underwriting: ['platforms', 'operators', 'registry', 'buyers'],
  facilities: ['platforms', 'operators', 'registry', 'merchants', 'buyers', 'underwriting', 'webhooks'],
  orders: ['platforms', 'merchants', 'buyers', 'underwriting', 'facilities', 'webhooks'],
  services: ['platforms', 'webhooks'],
  invoices: listed(
    'platforms registry merchants buyers underwriting facilities orders webhooks ledger services notifications',
  ),
  dunning: listed(
    'platforms operators merchants buyers underwriting facilities orders invoices late-charges statements notifications banking',
  ),
  disputes: ['platforms', 'invoices', 'webhooks'],
  'late-charges': ['platforms', 'operators', 'merchants', 'buyers', 'invoices', 'disputes'],
  statements: listed('platforms merchants buyers invoices disputes late-charges notifications'),
  payouts: listed('platforms operators merchants payees orders services invoices webhooks ledger'),
  financing: listed(
    'platforms operators ledger merchants payees buyers underwriting facilities services invoices payouts',
  ),
  banking: ['platforms', 'operators', 'facilities', 'invoices', 'ledger', 'payouts'],
  reviews: ['platforms', 'operators', 'underwriting', 'facilities', 'orders', 'financing', 'dunning'],
  notifications: ['platforms', 'buyers'],
  'account-mails': listed(
    'platforms merchants underwriting facilities orders invoices disputes late-charges payouts statements notifications',
  ),
  checkout: listed(
    'platforms merchants registry buyers underwriting facilities orders reviews notifications',
  ),
  'buyer-page': listed(
    'platforms merchants buyers facilities orders invoices disputes statements notifications checkout',
  ),
  schedule: ['platforms', 'facilities', 'orders', 'invoices', 'dunning', 'payouts', 'financing', 'reviews'],
  sandbox: listed(
    'platforms payees buyers underwriting facilities orders invoices payouts reviews banking schedule services financing',
  ),
  meta: listed(
    'banking operators merchants payees mandates underwriting facilities orders services invoices disputes payouts webhooks notifications',
  ),
};
const oneOf = (names) => `(${names.join('|')})`;
const layerRules = Object.entries(layers).map(([layer, inner]) => ({
  name: `layer-${layer}`,
  comment: layerSentences[layer],
  severity: 'error',
  from: { path: `^src/${layer}/`, pathNot: tests },
  // config is left to its own rule, so that an offence is reported once.
  to: { path: '^src/', pathNot: [`^src/${oneOf([layer, 'config', ...inner])}/`, tests] },
}));
const moduleRules = Object.entries(modules).map(([module, inner]) => ({
  name: `module-${module}`,
  comment:
    inner.length === 0
      ? `The module ${module} imports no other module: let the other module call a command of this one instead.`
      : `The module ${module} may import only ${inner.join(', ')}: let an outer module call a command of this one instead.`,
  severity: 'error',
  from: { path: `^src/modules/${module}/`, pathNot: tests },
  to: { path: '^src/modules/', pathNot: `^src/modules/${oneOf([module, ...inner])}/` },
}));

export default {
  forbidden: [
    ...layerRules,
    ...moduleRules,
    {
      name: 'layer-not-listed',
      comment: 'This place has no line in .dependency-cruiser.js: write there which layers it may import.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [`^src/${oneOf([...Object.keys(layers), 'cli'])}/`, '^src/(app|installation|main)\\.ts$'],
      },
      to: {},
    },
    {
      name: 'module-not-listed',
      comment: 'This module has no line in .dependency-cruiser.js: write there which modules it may import.',
      severity: 'error',
      from: { path: `^src/modules/(?!${oneOf(Object.keys(modules))}/)[^/]+/` },
      to: {},
    },
    {
      name: 'module-through-its-index',
      comment:
        'A module is imported through its index.ts (`#modules/<name>`): export there what others may use.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/[^/]+/', pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/index\\.ts$'] },
    },
    {
      name: 'module-through-its-index-from-outside',
      comment:
        'A module is imported through its index.ts (`#modules/<name>`): export there what others may use.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/modules/', tests] },
      to: { path: '^src/modules/[^/]+/', pathNot: '^src/modules/[^/]+/index\\.ts$' },
    },
    {
      name: 'module-knows-no-http',
      comment:
        'An operation knows no HTTP, so that the worker and the commands can call it too: leave the wire to src/http.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: tests },
      to: { path: ['(^|/)node_modules/(@fastify/[^/]+|fastify|undici)/', '^(node:)?https?2?$'] },
    },
    {
      name: 'config-only-from-app',
      comment:
        'Only app.ts, installation.ts, main.ts and the commands read the settings: take the ones you need as an argument.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(config|cli)/', '^src/(app|installation|main)\\.ts$', tests] },
      to: { path: '^src/config/' },
    },
    {
      name: 'app-below-the-commands',
      comment:
        'app.ts puts the parts together and knows no command: what both need belongs in it or below it.',
      severity: 'error',
      from: { path: '^src/(app|installation)\\.ts$' },
      to: { path: '^src/(cli/|main\\.ts$)' },
    },
    {
      name: 'main-is-the-end',
      comment:
        'main.ts only chooses the command to run, so nothing imports it: importing it would run the program.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'no-cycle',
      comment: 'These files import each other in a circle: move what both need into a file below them.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-test-code',
      comment:
        'The program imports nothing from tests, benches or scripts: what it needs from there belongs in src.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: ['^(test|bench|scripts|docs)/', tests] },
    },
    {
      name: 'nothing-outside-the-repository',
      comment:
        'This import leaves the repository, so it breaks on every other machine: copy the file in, or do without.',
      severity: 'error',
      from: { path: '^src/' },
      // Packages may be linked in from elsewhere, as in a second worktree.
      to: { path: ['^\\.\\.', '^/'], pathNot: '(^|/)node_modules/' },
    },
    {
      name: 'no-dev-dependency',
      comment:
        'The program runs after `npm ci --omit=dev`, where this package is missing: move it to dependencies, or do without.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'package-not-listed',
      comment:
        'package.json does not list this package, so it is installed by accident: add it to dependencies.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'not-found',
      comment:
        'This import resolves to no file: write the path with its .ts ending, or one of the `#…` names of package.json.',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A type-only import is a dependency too: it decides what must be read to understand a file.
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
