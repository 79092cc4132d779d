import type { Migration } from "./migration.ts";
import { tugstate } from "./0001-tugstate.ts";
import { fencing } from "./0002-fencing.ts";
import { commitIntents } from "./0003-commit-intents.ts";

/** In the order they run. */
export const MIGRATIONS: readonly Migration[] = [tugstate, fencing, commitIntents];
