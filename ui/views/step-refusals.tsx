import { Icon } from "../parts/icon.tsx";
import type { StepPage } from "../types.ts";

const REFUSED_SHOWN = 8;

/** What an agent wanted to do and may not: it says what to allow. */
export function Refusals({ data }: { readonly data: StepPage }) {
  const refused = new Map<string, string>();
  for (const { detail, session_id } of data.events)
    for (const what of Array.isArray(detail["refused"]) ? (detail["refused"] as readonly unknown[]) : [])
      refused.set(
        String(what),
        data.commands.find((command) => command.session_id === session_id)?.agent ?? "the agent",
      );
  if (refused.size === 0) return null;
  return (
    <ul class="refusals">
      {[...refused].slice(0, REFUSED_SHOWN).map(([what, agent]) => (
        <li key={what}>
          <Icon name="alert" /> {agent} was refused: <code>{what}</code>.{" "}
          {what.startsWith("write ") ? (
            <>
              Allow it with <code>writable</code> in <code>[agents.{agent}]</code> of pawl.toml.
            </>
          ) : (
            <>
              Allow it with <code>allow = [{JSON.stringify(what)}]</code> in <code>[agents.{agent}]</code> of
              pawl.toml.
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
