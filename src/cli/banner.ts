import type { Environment } from '#kernel/api-key';

/** What a newcomer needs next: the address, a key, the reference, and three lines to paste. */
export function banner({
  baseUrl,
  apiKey,
  environment,
}: {
  baseUrl: string;
  apiKey: string | null;
  environment: Environment;
}): string {
  const lines = [
    '',
    `  Tradeline is running (${environment}).`,
    '',
    `    API             ${baseUrl}/v1`,
    `    API reference   ${baseUrl}/docs`,
    `    API key         ${apiKey ?? 'none to show: issue one with `npx tradeline key create`, or a platform with `npx tradeline platform create`'}`,
    '',
  ];
  if (apiKey !== null && environment === 'sandbox') {
    lines.push(
      '  Paste these to look up your platform, register a buyer, and draft an order:',
      '',
      ...curlLines(baseUrl, apiKey).map((line) => `    ${line}`),
      '',
    );
  }
  lines.push('  Ctrl-C stops it; everything is kept.', '');
  return lines.join('\n');
}

/** Each works as printed, and works again: the ids end in the time. */
function curlLines(baseUrl: string, apiKey: string): string[] {
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`;
  const buyer = `{"external_id":"buyer-'$(date +%s)'","legal_name":"Bistro Lumière SARL","legal_form":"LIMITED_COMPANY","business_address":{"postcode":"69002","city":"Lyon","country":"FR"}}`;
  const order = `{"external_id":"order-'$(date +%s)'","buyer_external_id":"cafe-morgenrot","merchant_external_id":"roastery-north","amount":{"net":10000,"tax":1900,"gross":11900}}`;
  const json = "-H 'Content-Type: application/json'";
  return [
    `curl -sw '\\n' ${baseUrl}/v1/platform ${authorization}`,
    `curl -sw '\\n' ${baseUrl}/v1/buyers ${authorization} ${json} -d '${buyer}'`,
    `curl -sw '\\n' ${baseUrl}/v1/orders/draft ${authorization} ${json} -d '${order}'`,
  ];
}
