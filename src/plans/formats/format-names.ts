/**
 * The formats by name, and whether their files say how far the work is: Pawl writes progress back to those.
 *
 * Apart from the formats themselves, because a claim asks this and must not load their readers.
 */
const CARRIES_STATUS = {
  tugplan: false,
  "implementation-plan": true,
  "task-files": true,
  checklist: true,
} as const;

export type FormatName = keyof typeof CARRIES_STATUS;

export const FORMAT_NAMES = Object.keys(CARRIES_STATUS) as readonly FormatName[];

export const isFormatName = (name: string): name is FormatName => Object.hasOwn(CARRIES_STATUS, name);

export const formatCarriesStatus = (name: string): boolean => isFormatName(name) && CARRIES_STATUS[name];
