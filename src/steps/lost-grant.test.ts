import { lostGrantConformance } from "../../test/conformance/lost-grants.ts";
import { openNewSqlite } from "../../test/conformance/sqlite.ts";

lostGrantConformance("the embedded store", openNewSqlite);
