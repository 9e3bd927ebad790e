/** Every change that operators make or propose. An approval runs one of these. */
import { dunningPlanChange } from '#modules/dunning';
import { facilityUnfreezing, limitPolicyChange, priceTableChange } from '#modules/facilities';
import { defaultWriteOff, serviceFeeChange } from '#modules/financing';
import { referenceRateUpdate } from '#modules/late-charges';
import { ledgerClosing } from '#modules/ledger';
import {
  type AnyChangeKind,
  operatorAddition,
  platformControlsChange,
  platformEnabling,
  platformSettingsChange,
} from '#modules/operators';
import { payeeVerification } from '#modules/payees';
import { payoutRelease } from '#modules/payouts';
import { registryFileImport } from '#modules/registry';
import { policyActivation } from '#modules/underwriting';

export const changeKinds: readonly AnyChangeKind[] = [
  operatorAddition,
  platformControlsChange,
  platformSettingsChange,
  platformEnabling,
  registryFileImport,
  policyActivation,
  limitPolicyChange,
  priceTableChange,
  facilityUnfreezing,
  ledgerClosing,
  payeeVerification,
  serviceFeeChange,
  defaultWriteOff,
  payoutRelease,
  referenceRateUpdate,
  dunningPlanChange,
];
