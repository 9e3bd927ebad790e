/** The reference pages about credit decisions, as Markdown, from the default policy and the outcome scripts. */
import { defaultPolicy, printPolicy, SCRIPTS } from '#modules/underwriting';

export function printCreditPages(): Record<string, string> {
  return {
    'docs/reference/credit-policy.md': `${POLICY_HEAD}\n${printPolicy(defaultPolicy().graph)}`,
    'docs/reference/outcome-scripts.md': [
      SCRIPTS_HEAD,
      ...Object.entries(SCRIPTS).map(([name, sentence]) => `| \`${name}\` | ${sentence} |`),
      '',
    ].join('\n'),
  };
}

const POLICY_HEAD = `# The default credit policy

<!-- Printed by npm run generate from policies/default.json: do not edit this page. -->

A platform has this policy until an operator activates another one.
[Change the credit policy](../guides/credit-policy.md) explains how to read, edit, test and activate a policy.
`;

const SCRIPTS_HEAD = `# Outcome scripts of the sandbox

<!-- Printed by npm run generate: do not edit this page. -->

In a sandbox the name of a buyer selects the outcome of its applications. The name is the \`external_id\` if it equals the name of a script
or ends with it after a hyphen or an underscore (\`cafe-in-review\`). Otherwise it is the part before the @ of the buyer’s \`contact_email\`
or of the e-mail address of one of its contacts (\`in-review@cafe.example\`). The policy is evaluated too, and its answer is stored with
the script’s. If the policy or the risk source fails, the application is handled as in production. Limits are whole units of the facility’s
currency, and never above the requested amount. An invoice keeps the script that its buyer had when it was created.

| Script | What happens |
| --- | --- |`;
