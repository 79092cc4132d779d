/** The events of an agent's program, as they are called here. Apart from what they do: a hook mostly has nothing to do. */
export const HOOK_NAMES = ["session-start", "tool-use", "pre-compact", "stop", "session-end"] as const;

export type HookName = (typeof HOOK_NAMES)[number];
