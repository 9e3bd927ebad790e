/**
 * Codes of ISO 20275 that no form of the tables has as its own: list 1.5 of GLEIF (September 2023) counts a form of its own
 * for each state of the US, for the board a société anonyme has, or for a cooperative's trade. Together with the tables
 * every code of a tabled country is here, inactive ones too, because entries keep them.
 */
import { AMERICA } from './further-elf-codes-america.ts';
import { ELSEWHERE } from './further-elf-codes-elsewhere.ts';
import type { FurtherElfCodes } from './table.ts';

export const FURTHER_ELF_CODES: FurtherElfCodes = { ...AMERICA, ...ELSEWHERE };
