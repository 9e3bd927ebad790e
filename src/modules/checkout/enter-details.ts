/** Who orders and where to. Then all is known that the buyer's credit is decided by. */
import type { Address } from '#kernel/address';
import type { Applying, AskForCredit } from './ask-for-credit.ts';
import type { PersonEntry, Sender, Submitted } from './checkout.view.ts';
import { completeBuyerOf } from './complete-buyer-of.ts';
import { readDelivery, readPerson } from './entry.rules.ts';
import {
  changedProgress,
  DONE,
  type Form,
  keepProgress,
  refused,
  STALE,
  submitted,
  unlessMoved,
} from './form.ts';
import type { Progress } from './progress.rules.ts';
import { isWhole } from './situation.rules.ts';
import type { CheckoutSurroundings } from './surroundings.ts';

export interface Details {
  person: PersonEntry;
  delivery: { to: string; address: Record<keyof Address, string> };
}

/**
 * What was entered is kept first, in a transaction of its own: the risk source is asked with none open, and where we die
 * meanwhile the next visit goes on from there.
 */
export async function enterDetails(
  surroundings: CheckoutSurroundings,
  askForCredit: AskForCredit,
  sender: Sender,
  details: Details,
): Promise<Submitted> {
  const kept = await unlessMoved(() => submitted(surroundings, sender, (form) => keepDetails(form, details)));
  if (kept.kind !== 'KEPT') return kept;
  surroundings.onCommitted();
  return kept.applying === null ? DONE : askForCredit(kept.applying);
}

interface Kept {
  kind: 'KEPT';
  /** Null for a buyer whose credit was decided about. */
  applying: Applying | null;
}

async function keepDetails(form: Form, details: Details): Promise<Submitted | Kept> {
  const { company, isBuyerOnFile, isCodeNeeded, isCreditToAsk, outcome } = form.so;
  if (outcome !== null || isCodeNeeded) return STALE;
  if (!isBuyerOnFile && !isWhole(company)) return STALE;
  const person = readPerson(details.person, company?.country ?? null);
  const delivery = readDelivery(details.delivery);
  const errors = [...person.errors, ...delivery.errors];
  if (errors.length > 0) return refused(...errors);
  const entered = { person: person.entry, delivery: delivery.entry };
  const kept = await keepPersonAndDelivery(form, entered);
  if (kept.kind !== 'DONE') return kept;
  const applicantEmail = person.entry.email;
  return { kind: 'KEPT', applying: isCreditToAsk ? { reading: form.reading, applicantEmail } : null };
}

/** And completes the buyer with it, where that was only invited. */
function keepPersonAndDelivery(
  form: Form,
  entered: Pick<Progress, 'person' | 'delivery'>,
): Promise<Submitted> {
  const { company, isBuyerOnFile } = form.so;
  if (isBuyerOnFile || company === null) return keepProgress(form, changedProgress(form, entered));
  const completed = changedProgress(form, { ...entered, isBuyerCompleted: true });
  return keepProgress(form, completed, () => completeBuyerOf(form, company));
}
