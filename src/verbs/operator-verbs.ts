import type { OperatorAnswer, OperatorRequest } from "../steps/operate.ts";
import type { Ports } from "../platform/ports/index.ts";

/** What a person decides about a step that nobody works on. */
export interface OperatorVerbs {
  reset(request: OperatorRequest): Promise<OperatorAnswer>;
  hold(request: OperatorRequest): Promise<OperatorAnswer>;
  retry(request: OperatorRequest): Promise<OperatorAnswer>;
  reopen(request: OperatorRequest): Promise<OperatorAnswer>;
}

export const operatorVerbs = (ports: Ports): OperatorVerbs => ({
  reset: async (request) => (await import("../steps/operate.ts")).reset(ports, request),
  hold: async (request) => (await import("../steps/operate.ts")).hold(ports, request),
  retry: async (request) => (await import("../steps/operate.ts")).retry(ports, request),
  reopen: async (request) => (await import("../steps/reopen.ts")).reopen(ports, request),
});
