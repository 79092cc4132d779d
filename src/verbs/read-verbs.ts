import type { StepAddress } from "../flow/caller.ts";
import type { EventView, EventsRequest } from "../flow/events.ts";
import type { ExplainAnswer, ExplainRequest } from "../flow/explain.ts";
import type { PlanSummary } from "../flow/list.ts";
import type { PlanView } from "../flow/plan-view.ts";
import type { ReadyAnswer } from "../flow/ready.ts";
import type { StepDetail } from "../flow/step-detail.ts";
import type { Ports } from "../ports/index.ts";

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
  show: async (request) => (await import("../flow/show.ts")).show(ports, request),
  showAll: async () => (await import("../flow/show.ts")).showAll(ports),
  ready: async (request) => (await import("../flow/ready.ts")).ready(ports, request),
  step: async (request) => (await import("../flow/step-detail.ts")).stepDetail(ports, request),
  list: async () => (await import("../flow/list.ts")).list(ports),
  events: async (request = {}) => (await import("../flow/events.ts")).events(ports, request),
  explain: async (request) => (await import("../flow/explain.ts")).explain(ports, request),
});
