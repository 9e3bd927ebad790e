/** The command line: `tradeline <command>`. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { COMMANDS, sentenceOfRefusal } from './cli/commands.ts';

const USAGE = `Usage: tradeline <command>

  serve [--empty]                 start the service; --empty starts without demo data
  migrate                         migrate the database to the schema of this version, then exit
  platform create --code … --name … --country … --currency …
                  [--single-merchant] [settings]
                                  create a platform and print its first API key, once
  platform update CODE [settings] [--no-logo] --reason …
                                  change settings; omitted ones are kept, '' clears one
    settings: --name … --language EN --formality NEUTRAL|FORMAL|INFORMAL --redirect-url …
      --checkout-origin … (repeatable) --logo FILE --support-email … (repeatable)
      --communication-email … --bcc-email … --invitations on|off --max-payment-term DAYS
      --financing-currency … --collection-currency … (repeatable) --payout-term DAYS
      --min-payout-business-day DAYS --erp on|off --enroll-merchants on|off
  platform list                   list the platforms
  platform show CODE [--at DAY] | history CODE
                                  show the settings of a platform, at the end of a day; who changed
                                  which of them, when and why
  platform disable CODE           refuse its API keys and close its checkouts, within 5 seconds
  platform enable CODE --reason … take them again; takes a second operator
  platform return-secret CODE [--renew]
                                  print the secret that signs return URLs; --renew replaces it
  merchant list [--status …] [--platform CODE]
  merchant activate|deactivate --merchant … --reason … [--platform CODE]
                                  list the merchants; let one sell, or stop its new orders
  checkout link|revoke ORDER [--platform CODE]
                                  create a checkout link of a draft; revoke all of its links
  key create --platform … [--name …] [--scopes read,orders:write] [--merchant …]
             [--expires-in-days …]
                                  create another API key and print it, once
  key list --platform …           list the keys of a platform
  key rotate --platform … --key … [--overlap-hours 24]
                                  create a successor; the old key works until the overlap ends
  key revoke --platform … --key … revoke a key; effective within 5 seconds
  registry import FILE --reason … [--format gleif|companies-house|csv] [--refused FILE]
                  [--again] [--platform CODE]
                                  import the file of a registry, once a second operator has
                                  approved its hash; run it again to resume
  registry status                 count the companies and list the imports
  policy show [--version N | --at DAY] [--as table|json]
  policy list | history
  policy validate FILE
  policy activate FILE|VERSION --reason …
  policy backtest FILE|VERSION [--against VERSION] [--chart FILE.svg]
                                  read, validate, activate and back-test the credit policy of
                                  the first platform, or of --platform CODE
  facility show --buyer … | list [--status …]
  facility freeze|unfreeze --buyer … --reason …
                                  show credit facilities; block or allow new orders on credit
  decision list --buyer … | show|export DECISION
  decision explain DECISION --what-if INPUT=VALUE (repeatable)
                                  show credit decisions and their reasons; export one for the
                                  person it concerns; judge it again with other inputs
  review list [--status …] [--buyer …] | show --review …
  review decide --review … --outcome accept|reject [--limit MINOR] --reason …
  review override --review …|--buyer … --limit MINOR --reason …
  review approve|refuse --review … --reason …
                                  decide reviews; an override needs a second operator
  limits show [--buyer …] [--at DAY]
  limits history [--buyer …]
  limits set [--buyer … --expires DATE] --tolerance-percent 5 … --reason …
  limits clear [--buyer …] --reason …
                                  set the limit policy of a platform, or of one buyer until a date
  approval list [--status …] | show ID
  approval approve|reject ID --reason …
                                  changes that wait for a second operator: all that raise what can
                                  be owed, and new operators
  operator new-key                make a key of your own and print it, once, and its hash;
                                  needs no database
  operator add ID --email … --role VIEW|CREDIT|FINANCE|ADMIN --key-hash … --reason …
                                  add the operator who made the key with this hash
  operator rotate-key             replace your own key and print the new one, once
  operator list | disable ID --reason …
  audit list [--as json] [--after POSITION] | verify [--head HEAD]
                                  what operators did; whether anything of it was changed or removed
  mail list --platform … [--status FAILED]
  mail retry --platform … [--mail …]
                                  list the mails to buyers; send failed mails again
  openapi                         print the OpenAPI description
  help                            print this help

Commands that change something need an operator key in TRADELINE_OPERATOR_KEY, or in the file that
TRADELINE_OPERATOR_KEY_FILE names. Every setting is an environment variable: see config.default.env.
`;

async function main([name = 'help', ...args]: string[]): Promise<void> {
  if ([name, ...args].some((word) => /^(--help|-h)$/.test(word)) || name === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name as keyof typeof COMMANDS] : undefined;
  if (!load) {
    process.stderr.write(`There is no command ${JSON.stringify(name)}: see \`tradeline help\`.\n`);
    process.exitCode = 2;
    return;
  }
  endWithLauncher();
  try {
    const run = await load();
    await run(args);
  } catch (error) {
    const sentence = sentenceOfRefusal(error);
    if (sentence === undefined) console.error(error);
    else process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  }
}

/** If bin/tradeline.js started this process through another Node, a kill -9 of that process ends this one too. */
function endWithLauncher(): void {
  if (!process.channel) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel.unref();
}

// Saves a third of the work of the next start. Without write access, nothing is cached.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tradeline', import.meta.url)));
await main(process.argv.slice(2));
