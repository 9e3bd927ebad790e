/**
 * Codes of ISO 20275 that are not the code of a form in the tables: list 1.5 of GLEIF (September 2023) has separate
 * forms for each state of the US, for the board of a société anonyme, and for the trade of a cooperative. Together with
 * the tables, all codes of the listed countries are here, including inactive ones, because registry entries keep them.
 */
import { AMERICA } from './further-elf-codes-america.ts';
import { ELSEWHERE } from './further-elf-codes-elsewhere.ts';
import type { FurtherElfCodes } from './table.ts';

export const FURTHER_ELF_CODES: FurtherElfCodes = { ...AMERICA, ...ELSEWHERE };
