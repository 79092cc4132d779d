import type { EventView } from "../../src/journal/events.ts";
import type { RunView } from "../../src/views/runs.ts";
import type { PlanOverview } from "../../src/views/overview.ts";
import type { Neighbour, StepHistory } from "../../src/views/step-history.ts";
import type { StepLinesAnswer, StepLineView } from "../../src/views/step-lines.ts";
import type { SessionView } from "../../src/sessions/session-view.ts";
import type { StepDetail } from "../../src/views/step-detail.ts";
import type { WorktreeView } from "../../src/worktrees/worktree-list.ts";
import type { Wire } from "../../src/web/wire.ts";
import type * as page from "../../ui/types.ts";

/** What the page reads is among what the server says. */
type Says<Server, Read> =
  Wire<Server> extends Read ? true : { readonly missing: Omit<Read, keyof Wire<Server>> };

/**
 * The page is compiled without anything of Node, so it says itself what those verbs answer whose own files reach for it.
 * Here, where both sides are known, `npm run types` sees whether it says what the server does: an answer that loses or
 * renames a field that the page reads does not compile.
 */
export const AGREED: readonly [
  Says<PlanOverview, page.PlanOverview>,
  Says<StepLineView, page.StepLine>,
  Says<StepLinesAnswer, page.StepsPage>,
  Says<Neighbour, page.Neighbour>,
  Says<StepHistory, Omit<page.StepPage, "step" | "items" | "artifacts" | "explanation" | "choices">>,
  Says<StepDetail, Pick<page.StepPage, "items" | "artifacts">>,
  Says<SessionView, page.Session>,
  Says<RunView, page.Run>,
  Says<WorktreeView, page.Worktree>,
  Says<Omit<EventView, "detail">, Omit<page.JournalEvent, "detail">>,
] = [true, true, true, true, true, true, true, true, true, true];
