/** All commands. Each is imported on demand: a command does not load the modules of others. */
import { StartRefused } from '#kernel/start-refused';
import { WrongUsage } from './arguments.ts';
import type { Command } from './command.ts';

export const COMMANDS = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  distribute: async () => (await import('./distribute.ts')).distributeCommand,
  platform: async () => (await import('./platform.ts')).platformCommand,
  cell: async () => (await import('./cell.ts')).cellCommand,
  operator: async () => (await import('./operator.ts')).operatorCommand,
  approval: async () => (await import('./approval.ts')).approvalCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  key: async () => (await import('./key.ts')).keyCommand,
  registry: async () => (await import('./registry.ts')).registryCommand,
  policy: async () => (await import('./policy.ts')).policyCommand,
  facility: async () => (await import('./facility.ts')).facilityCommand,
  decision: async () => (await import('./decision.ts')).decisionCommand,
  review: async () => (await import('./review.ts')).reviewCommand,
  limits: async () => (await import('./limits.ts')).limitsCommand,
  payment: async () => (await import('./payment.ts')).paymentCommand,
  bank: async () => (await import('./bank.ts')).bankCommand,
  ledger: async () => (await import('./ledger.ts')).ledgerCommand,
  service: async () => (await import('./invoice-service.ts')).serviceCommand,
  charge: async () => (await import('./charge.ts')).chargeCommand,
  dispute: async () => (await import('./dispute.ts')).disputeCommand,
  statement: async () => (await import('./statement.ts')).statementCommand,
  dunning: async () => (await import('./dunning.ts')).dunningCommand,
  'late-payment': async () => (await import('./late-payment.ts')).latePaymentCommand,
  'service-fee': async () => (await import('./service-fee.ts')).serviceFeeCommand,
  merchant: async () => (await import('./merchant.ts')).merchantCommand,
  payee: async () => (await import('./payee.ts')).payeeCommand,
  payout: async () => (await import('./payout.ts')).payoutCommand,
  buyer: async () => (await import('./buyer.ts')).buyerCommand,
  checkout: async () => (await import('./checkout.ts')).checkoutCommand,
  mail: async () => (await import('./mail.ts')).mailCommand,
  listen: async () => (await import('./listen.ts')).listenCommand,
  trigger: async () => (await import('./trigger.ts')).triggerCommand,
  events: async () => (await import('./events.ts')).eventsCommand,
  archive: async () => (await import('./archive.ts')).archiveCommand,
  openapi: async () => (await import('./openapi.ts')).openapiCommand,
} satisfies Record<string, () => Promise<Command>>;

/** One sentence for a fault that the operator can fix; undefined for a defect of ours, which is printed with its stack. */
export function sentenceOfRefusal(error: unknown): string | undefined {
  return error instanceof StartRefused ? error.message : undefined;
}

/** 2 if the arguments are wrong regardless of the data; otherwise 1. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof WrongUsage ? 2 : 1;
}
