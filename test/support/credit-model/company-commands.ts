/** Commands on the company: its registry entry, its data, and who applies for it. */
import fc from 'fast-check';
import { always, Command } from './command.ts';
import { type Proof, putBuyer, setRegistryStatus } from './company.ts';
import { applyInCheckout } from './facility.ts';
import { done, type RegistryStatus } from './state.ts';

/** Updates the company in the registry and refreshes the buyers. */
export const writeRegistry = (status: RegistryStatus) =>
  new Command(`writeRegistry ${status}`, always, (model, reality) => ({
    send: () => reality.writeRegistry(status, model.now),
    foretell: () => {
      setRegistryStatus(model, status);
      return done();
    },
  }));

export const replaceBuyer = (isRenamed: boolean, isElsewhere: boolean) =>
  new Command(`replaceBuyer ${isRenamed} ${isElsewhere}`, always, (model, reality) => ({
    send: () => reality.replaceBuyer({ isRenamed, isElsewhere }),
    foretell: () => {
      putBuyer(model, { isRenamed, isElsewhere });
      return done();
    },
  }));

export const apply = (proof: Exclude<Proof, 'NOT_ASKED'>, requested: number | null) =>
  new Command(`apply ${proof} ${requested}`, always, (model, reality) => ({
    send: () => reality.apply(proof, requested, model.now),
    foretell: () => applyInCheckout(model, proof, requested),
  }));

export const companyCommands = [
  fc.constantFrom<RegistryStatus>('ACTIVE', 'ACTIVE', 'IN_LIQUIDATION', 'DISSOLVED').map(writeRegistry),
  fc
    .tuple(fc.constantFrom(false, false, true), fc.constantFrom(false, false, true))
    .map(([isRenamed, isElsewhere]) => replaceBuyer(isRenamed, isElsewhere)),
  fc
    .tuple(
      fc.constantFrom('CONFIRMED_ADDRESS' as const, 'ADDRESS_ON_FILE' as const, 'VOUCHED' as const),
      fc.constantFrom(null, null, 30_000, 100_000),
    )
    .map(([proof, requested]) => apply(proof, requested)),
];
