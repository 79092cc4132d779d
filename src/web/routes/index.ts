import type { Route } from "../route.ts";
import { act } from "./act.ts";
import { commit } from "./commit.ts";
import { doctor } from "./doctor.ts";
import { findings } from "./findings.ts";
import { items } from "./items.ts";
import { journal } from "./journal.ts";
import { live } from "./live.ts";
import { output } from "./output.ts";
import { overview } from "./overview.ts";
import { preview } from "./preview.ts";
import { server } from "./server.ts";
import { session } from "./session.ts";
import { sessions } from "./sessions.ts";
import { step } from "./step.ts";
import { steps } from "./steps.ts";
import { text } from "./text.ts";
import { ticket } from "./ticket.ts";
import { timeline } from "./timeline.ts";
import { worktrees } from "./worktrees.ts";

/** Everything that can be asked; docs/ui.md lists it. */
export const ROUTES: readonly Route[] = [
  overview,
  findings,
  steps,
  step,
  text,
  items,
  sessions,
  session,
  output,
  worktrees,
  journal,
  timeline,
  commit,
  doctor,
  server,
  live,
  preview,
  act,
  ticket,
];
