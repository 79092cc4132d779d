import { sharedServer } from "../postgres/shared-server.ts";
import { attemptConformance } from "./attempts.ts";
import { checklistConformance } from "./checklists.ts";
import { claimConformance } from "./claims.ts";
import { fencingConformance } from "./fencing.ts";
import { heldByOthersConformance } from "./held-by-others.ts";
import { journalConformance } from "./journal.ts";
import { lostGrantConformance } from "./lost-grants.ts";
import { modelConformance } from "./model.ts";
import { openNewPostgres } from "./postgres.ts";
import { pageConformance } from "./pages.ts";
import { predicateConformance } from "./predicates.ts";
import { progressConformance } from "./progress.ts";
import { sessionConformance } from "./sessions.ts";
import { transitionConformance } from "./transitions.ts";

/** Fewer than on the embedded engine, because each call waits for a server; the rules are the same text. */
const RUNS = Number(process.env["PAWL_MODEL_RUNS"] ?? 40);
const SEED = process.env["PAWL_SEED"] === undefined ? undefined : Number(process.env["PAWL_SEED"]);

const shared = sharedServer();
const open = openNewPostgres(() => shared.url);

transitionConformance("PostgreSQL", open);
claimConformance("PostgreSQL", open);
fencingConformance("PostgreSQL", open);
checklistConformance("PostgreSQL", open);
journalConformance("PostgreSQL", open);
lostGrantConformance("PostgreSQL", open);
pageConformance("PostgreSQL", open);
progressConformance("PostgreSQL", open);
sessionConformance("PostgreSQL", open);
attemptConformance("PostgreSQL", open);
predicateConformance("PostgreSQL", open);
heldByOthersConformance("PostgreSQL", open);
modelConformance("PostgreSQL", open, RUNS, SEED);
