import type { Migration } from "./migration.ts";
import { tugstate } from "./0001-tugstate.ts";
import { fencing } from "./0002-fencing.ts";
import { commitIntents } from "./0003-commit-intents.ts";
import { owners } from "./0004-owners.ts";
import { runs } from "./0005-runs.ts";
import { rareLines } from "./0006-rare-lines.ts";
import { rareLooks } from "./0007-rare-looks.ts";
import { landings } from "./0008-landings.ts";
import { checked } from "./0009-checked.ts";
import { verifiedLandings } from "./0010-verified-landings.ts";
import { usage } from "./0011-usage.ts";
import { livingPlans } from "./0012-living-plans.ts";
import { lostOwners } from "./0013-lost-owners.ts";
import { keptMarks } from "./0014-kept-marks.ts";
import { placesOfBoundSteps } from "./0015-places-of-bound-steps.ts";

/** In the order they run. */
export const MIGRATIONS: readonly Migration[] = [
  tugstate,
  fencing,
  commitIntents,
  owners,
  runs,
  rareLines,
  rareLooks,
  landings,
  checked,
  verifiedLandings,
  usage,
  livingPlans,
  lostOwners,
  keptMarks,
  placesOfBoundSteps,
];
