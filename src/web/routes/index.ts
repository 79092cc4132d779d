import type { Route } from "../route.ts";
import { actRoute } from "./act.ts";
import { changesRoute } from "./changes.ts";
import { commitRoute } from "./commit.ts";
import { conflictRoute } from "./conflict.ts";
import { doingRoute } from "./doing.ts";
import { doctorRoute } from "./doctor.ts";
import { findingsRoute } from "./findings.ts";
import { itemsRoute } from "./items.ts";
import { journalRoute } from "./journal.ts";
import { liveRoute } from "./live.ts";
import { outputRoute } from "./output.ts";
import { overviewRoute } from "./overview.ts";
import { previewRoute } from "./preview.ts";
import { runsRoute } from "./runs.ts";
import { serverRoute } from "./server.ts";
import { sessionRoute } from "./session.ts";
import { sessionsRoute } from "./sessions.ts";
import { startRoute } from "./start.ts";
import { stepRoute } from "./step.ts";
import { stepsRoute } from "./steps.ts";
import { textRoute } from "./text.ts";
import { ticketRoute } from "./ticket.ts";
import { timelineRoute } from "./timeline.ts";
import { searchRoute } from "./search.ts";
import { transcriptRoute } from "./transcript.ts";
import { worktreesRoute } from "./worktrees.ts";

/** Everything that can be asked; docs/ui.md lists it. */
export const ROUTES: readonly Route[] = [
  overviewRoute,
  findingsRoute,
  stepsRoute,
  stepRoute,
  textRoute,
  itemsRoute,
  sessionsRoute,
  sessionRoute,
  outputRoute,
  transcriptRoute,
  searchRoute,
  runsRoute,
  changesRoute,
  conflictRoute,
  startRoute,
  doingRoute,
  worktreesRoute,
  journalRoute,
  timelineRoute,
  commitRoute,
  doctorRoute,
  serverRoute,
  liveRoute,
  previewRoute,
  actRoute,
  ticketRoute,
];
