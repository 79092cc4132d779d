import { agentOf, runSettingsOf } from "../agents/index.ts";
import { bareAnchor, Failure, isHeld, orNothing, sessionName } from "../domain/index.ts";
import { type Repeatable, sendMessage } from "../journal/index.ts";
import type { StepRow } from "../platform/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { findStepsNamed, listHeldSteps, lockedStep, savedStep, transact } from "../plans/index.ts";
import { listCheckpoints, sessionNamed } from "../sessions/index.ts";

export interface TellRequest extends Repeatable {
  /** A session, or a step. */
  readonly to: string;
  readonly text: string;
  /** The plan of the step; needed where several plans have a step of that name. */
  readonly plan?: string | undefined;
}

export interface TellAnswer {
  readonly planPath: string;
  readonly anchor: string;
  /** Its number within the step. */
  readonly message: number;
  /** `conversation`: the agent that works now gets it. `next_start`: the next one that is started for the step does. */
  readonly delivery: "conversation" | "next_start";
  readonly because: string;
}

const LONGEST = 8000;

/**
 * Sends a message to the agent of a step.
 *
 * The journal takes it in one transaction, so it is sent once or not at all; under a request id a second call changes
 * nothing. A run hands it over and notes that in the journal; killed in between, the next start hands it over.
 */
export async function tell(ports: Ports, request: TellRequest): Promise<TellAnswer> {
  const text = request.text.trim();
  if (text === "" || text.length > LONGEST || text.includes("\0"))
    throw new Failure("message/invalid", `A message is text of 1 to ${LONGEST} characters.`, {});
  const { plan, anchor } = await addressee(ports, request);
  const call = { verb: "tell", subject: [plan, anchor, ports.sha256(text)], requestId: request.requestId };
  const { message, step } = await transact(ports, call, async (sql) => {
    const row = await lockedStep(sql, plan, anchor);
    if (row.status === "completed")
      throw new Failure("message/step-completed", `${anchor} is completed: no agent will read it.`, {
        plan_path: plan,
        anchor,
      });
    const { session_id, status } = row;
    return {
      message: await sendMessage(sql, { plan_path: plan, anchor }, text),
      step: { anchor, session_id, status },
    };
  });
  return { planPath: plan, anchor, message, ...(await deliveryTo(ports, step)) };
}

interface Addressee {
  readonly plan: string;
  readonly anchor: string;
}

async function addressee(ports: Ports, { to, plan }: TellRequest): Promise<Addressee> {
  const database = await ports.database();
  if (to.startsWith("s-")) return stepOfSession(ports, to);
  const anchor = bareAnchor(to);
  if (plan !== undefined) {
    const { key } = ports.plans.locate(plan);
    const step = await database.read((sql) => savedStep(sql, key, anchor));
    return { plan: key, anchor: step.parent_anchor ?? step.anchor };
  }
  const found = await database.read((sql) => sql.all(findStepsNamed, { anchor }));
  const open = found.filter(({ status }) => status !== "completed");
  const [one, ...others] = open.length > 0 ? open : found;
  if (one === undefined)
    throw new Failure("step/unknown", `No plan has a step ${anchor}, and no session is called so.`, {
      anchor,
    });
  if (others.length > 0)
    throw new Failure("message/which-plan", `${open.length} plans have a step ${anchor}.`, {
      anchor,
      plans: open.map(({ plan_path }) => plan_path),
    });
  return { plan: one.plan_path, anchor };
}

async function stepOfSession(ports: Ports, name: string): Promise<Addressee> {
  const { id } = await sessionNamed(ports, name);
  const database = await ports.database();
  const held = await database.read((sql) => sql.all(listHeldSteps, {}));
  const step = held.find(({ session_id }) => session_id === id);
  if (step) return { plan: step.plan_path, anchor: step.anchor };
  throw new Failure("message/no-step", `Session ${sessionName(id)} works on no step now.`, {
    session_id: id,
  });
}

/** Which agent gets it, by what runs for the step now. */
async function deliveryTo(
  ports: Ports,
  { session_id, anchor, status }: Pick<StepRow, "session_id" | "anchor" | "status">,
): Promise<Pick<TellAnswer, "delivery" | "because">> {
  const database = await ports.database();
  const rows =
    session_id === null || !isHeld(status)
      ? []
      : await database.read((sql) => sql.all(listCheckpoints, { session_id }));
  const running = rows.findLast((row) => row.anchor === anchor && row.position >= 0 && row.ended_at === null);
  if (running?.agent == null)
    return {
      delivery: "next_start",
      because: "no agent works on it now: the next one that is started gets it",
    };
  const agent = await Promise.resolve()
    .then(() => agentOf(runSettingsOf(ports), running.agent!))
    .catch(orNothing);
  return agent?.preset.resume === undefined
    ? {
        delivery: "next_start",
        because: `${running.agent} takes no message while it works: its next start gets it, if there is one`,
      }
    : {
        delivery: "conversation",
        because: `${running.agent} gets it in the conversation that it works in, before its work is judged`,
      };
}
