import type { StepAddress } from "../steps/caller.ts";
import type { EventView, EventsRequest } from "../journal/events.ts";
import type { ExplainAnswer, ExplainRequest } from "../views/explain.ts";
import type { PlanSummary } from "../views/list.ts";
import type { PlanView } from "../steps/plan-view.ts";
import type { ReadyAnswer } from "../claims/ready.ts";
import type { StepDetail } from "../views/step-detail.ts";
import type { Ports } from "../platform/ports/index.ts";

/** The verbs that tell how things stand. */
export interface ReadVerbs {
  show(request: { readonly plan: string }): Promise<PlanView>;
  showAll(): Promise<readonly PlanView[]>;
  ready(request: { readonly plan: string }): Promise<ReadyAnswer>;
  /** One step with its items and artifacts in full. */
  step(request: StepAddress): Promise<StepDetail>;
  list(): Promise<readonly PlanSummary[]>;
  events(request?: EventsRequest): Promise<readonly EventView[]>;
  explain(request: ExplainRequest): Promise<ExplainAnswer>;
}

export const readVerbs = (ports: Ports): ReadVerbs => ({
  show: async (request) => (await import("../steps/show.ts")).show(ports, request),
  showAll: async () => (await import("../steps/show.ts")).showAll(ports),
  ready: async (request) => (await import("../claims/ready.ts")).ready(ports, request),
  step: async (request) => (await import("../views/step-detail.ts")).stepDetail(ports, request),
  list: async () => (await import("../views/list.ts")).list(ports),
  events: async (request = {}) => (await import("../journal/events.ts")).events(ports, request),
  explain: async (request) => (await import("../views/explain.ts")).explain(ports, request),
});
