/** Who an operator is, and what a role allows. */
import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** ADMIN may do everything. VIEW changes nothing. */
export const ROLES = ['VIEW', 'CREDIT', 'FINANCE', 'ADMIN'] as const;
export type Role = (typeof ROLES)[number];

/** Whether an operator with this role may do what requires the role `needed`. */
export function mayAct(role: Role, needed: Role): boolean {
  return role === needed || role === 'ADMIN' || needed === 'VIEW';
}

/** Whether an operator with this role may approve changes at all. */
export function mayDecide(role: Role): boolean {
  return role !== 'VIEW';
}

/** Whether the text is a valid operator id, by which history and log record an operator. */
export function isOperatorId(text: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{0,49}$/.test(text);
}

const ACTOR_PREFIX = 'operator:';

/** An operator as the actor of a change: `operator:ada`. */
export function operatorActor(operatorId: string): string {
  return ACTOR_PREFIX + operatorId;
}

/** The operator id of an actor; null for an actor that is not an operator. */
export function operatorIdOf(actor: string): string | null {
  return actor.startsWith(ACTOR_PREFIX) ? actor.slice(ACTOR_PREFIX.length) : null;
}

/** A keyed hash of an e-mail address: the same for every spelling that reaches one mailbox. */
export function emailHashOf(key: Uint8Array, email: string): Buffer {
  return createHmac('sha256', key).update(mailboxOf(email)).digest();
}

/** The address without case, width and a tag after `+`, with the domain in ASCII. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).normalize('NFKC').toLowerCase().replace(/\+.*$/s, '');
  return `${local}@${domainToASCII(email.slice(at + 1))}`;
}
