import { attemptConformance } from "./attempts.ts";
import { checklistConformance } from "./checklists.ts";
import { claimConformance } from "./claims.ts";
import { fencingConformance } from "./fencing.ts";
import { heldByOthersConformance } from "./held-by-others.ts";
import { journalConformance } from "./journal.ts";
import { modelConformance } from "./model.ts";
import { openNewSqlite } from "./sqlite.ts";
import { pageConformance } from "./pages.ts";
import { predicateConformance } from "./predicates.ts";
import { progressConformance } from "./progress.ts";
import { sessionConformance } from "./sessions.ts";
import { transitionConformance } from "./transitions.ts";

const RUNS = Number(process.env["PAWL_MODEL_RUNS"] ?? 300);
const SEED = process.env["PAWL_SEED"] === undefined ? undefined : Number(process.env["PAWL_SEED"]);

transitionConformance("SQLite", openNewSqlite);
claimConformance("SQLite", openNewSqlite);
fencingConformance("SQLite", openNewSqlite);
checklistConformance("SQLite", openNewSqlite);
journalConformance("SQLite", openNewSqlite);
pageConformance("SQLite", openNewSqlite);
progressConformance("SQLite", openNewSqlite);
sessionConformance("SQLite", openNewSqlite);
attemptConformance("SQLite", openNewSqlite);
predicateConformance("SQLite", openNewSqlite);
heldByOthersConformance("SQLite", openNewSqlite);
modelConformance("SQLite", openNewSqlite, RUNS, SEED);
