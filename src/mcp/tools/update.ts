import { isOpenItem, ITEM_KINDS, ITEM_STATUSES, plural } from "../../domain/index.ts";
import type { ItemChange } from "../../steps/index.ts";
import { LIST, NUMBER, STRING, WRITES, defineTool, given, gives, takes, shortText } from "../tool.ts";
import { oneLine } from "../foreign-text.ts";

export const updateTool = defineTool({
  name: "pawl_update",
  about:
    "Tick items of your step once they are true. Each names kind and ordinal (from 1), or match with some of its text. deferred needs a reason. A substep without items is its own task 1.",
  input: takes(
    {
      step: { ...shortText(), description: "a substep; your step if left out" },
      items: {
        type: "array",
        minItems: 1,
        maxItems: 100,
        items: {
          type: "object",
          properties: {
            kind: { enum: ITEM_KINDS },
            ordinal: { type: "integer", minimum: 1 },
            match: shortText(500),
            status: { enum: ITEM_STATUSES },
          },
          required: ["status"],
          additionalProperties: false,
        },
      },
      reason: shortText(2000),
    },
    ["items"],
  ),
  output: gives({ step: STRING, updated: NUMBER, open: LIST }),
  annotations: { ...WRITES, idempotentHint: true },
  async run({ agentSession, pawl }, args) {
    const changes = (args["items"] as readonly Asked[]).map(changeOf);
    const answer = await agentSession.update({
      step: given(args, "step"),
      changes,
      reason: given(args, "reason"),
    });
    const { step } = await pawl.prime({ worktree: agentSession.worktree.path });
    const open = (step?.items ?? []).filter(isOpenItem).map(({ anchor, kind, ordinal, text: words }) => ({
      step: anchor,
      kind,
      ordinal,
      text: oneLine(words),
    }));
    return {
      data: { step: answer.anchor, updated: answer.itemsUpdated, open },
      line: `${plural(answer.itemsUpdated, "item")} of ${answer.anchor} updated; still open in your step: ${open.length}.`,
    };
  },
});

interface Asked {
  readonly kind?: (typeof ITEM_KINDS)[number];
  readonly ordinal?: number;
  readonly match?: string;
  readonly status: string;
}

/** What is left out is left for the verb to refuse, in its own words. */
function changeOf({ kind, ordinal, match, status }: Asked): ItemChange {
  if (match !== undefined) return { status, match };
  if (kind !== undefined && ordinal !== undefined) return { status, kind, ordinal };
  return kind === undefined ? { status, match: "" } : { status, kind, all: true };
}
