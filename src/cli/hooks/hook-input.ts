/** What a hook needs of its event. Whatever is missing or no text is as if it was not said. */
export interface HookInput {
  /** The conversation, by the id of the agent's program. */
  readonly conversation: string;
  readonly cwd: string | undefined;
  readonly source: "startup" | "resume" | "clear" | "compact";
  readonly trigger: string;
  readonly note: string;
  /** The agent continues because a hook asked it to; asking again would be a loop. */
  readonly isRepeated: boolean;
}

const SOURCES = ["startup", "resume", "clear", "compact"] as const;

/** Reads the event of an agent's program. Input that is broken or too long says nothing, and is no reason to fail. */
export function readHookInput(text: string | undefined): HookInput {
  const fields = fieldsOf(text ?? "");
  const said = (name: string): string => {
    const value = fields[name];
    return typeof value === "string" ? value : "";
  };
  return {
    conversation: said("session_id").slice(0, 200),
    cwd: said("cwd") || undefined,
    source: SOURCES.find((one) => one === said("source")) ?? "startup",
    trigger: said("trigger") || "auto",
    note: said("custom_instructions"),
    isRepeated: fields["stop_hook_active"] === true,
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
