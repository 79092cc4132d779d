/** A plan as the checker understands it: read with a few lines of its own, not with the parser under test. */
export interface PlainPlan {
  readonly steps: readonly PlainStep[];
}

export interface PlainStep {
  readonly anchor: string;
  readonly parent: string | null;
  readonly title: string;
  readonly dependsOn: readonly string[];
  readonly items: readonly { readonly kind: "task" | "test" | "checkpoint"; readonly text: string }[];
}

const KINDS = { Tasks: "task", Tests: "test", Checkpoint: "checkpoint" } as const;

/** Reads what `planText` writes, and nothing else. */
export function readPlainPlan(text: string): PlainPlan {
  const steps: { -readonly [K in keyof PlainStep]: PlainStep[K] }[] = [];
  let kind: PlainStep["items"][number]["kind"] | undefined;
  let top: string | null = null;
  for (const line of text.split("\n")) {
    const heading = /^(#{4,5}) Step [\d.]+: (.*) \{#([\w-]+)\}$/.exec(line);
    if (heading) {
      const anchor = heading[3]!;
      const isTop = heading[1] === "####";
      if (isTop) top = anchor;
      steps.push({ anchor, parent: isTop ? null : top, title: heading[2]!, dependsOn: [], items: [] });
      kind = undefined;
      continue;
    }
    const step = steps.at(-1);
    if (!step) continue;
    const depends = /^\*\*Depends on:\*\* (.*)$/.exec(line);
    if (depends) step.dependsOn = [...depends[1]!.matchAll(/#([\w-]+)/g)].map((match) => match[1]!);
    const section = /^\*\*(Tasks|Tests|Checkpoint):\*\*$/.exec(line);
    if (section) kind = KINDS[section[1] as keyof typeof KINDS];
    const item = /^- \[ \] (.*)$/.exec(line);
    if (item && kind) step.items = [...step.items, { kind, text: item[1]! }];
  }
  return { steps };
}
