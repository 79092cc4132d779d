import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Failure } from "../domain/index.ts";
import { line } from "../agents/index.ts";
import { forAgents } from "./for-agents.ts";

const MOST_DETAILS = 16 * 1024;

/**
 * A refusal as a result: the model reads it and can do better, which an error of the protocol would keep from it.
 *
 * The first text is one line; the second holds the details as JSON, where there are any.
 */
export function failureResult(failure: Failure, called: string): CallToolResult {
  const { code, problem, details } = failure;
  const message = line(forAgents(failure.message));
  const hint = withWayOut(line(forAgents(failure.hint)), called);
  const told = JSON.stringify(details);
  const content = [{ type: "text" as const, text: `${code} ${problem}: ${message} ${hint}` }];
  const rest =
    told === "{}" ? [] : [{ type: "text" as const, text: told.length <= MOST_DETAILS ? told : "{}" }];
  return { isError: true, content: [...content, ...rest] };
}

/** An agent follows the hint. Where that names no call but the one that was refused, only a person gets it further. */
function withWayOut(hint: string, called: string): string {
  const named = hint.match(/\bpawl_[a-z_]+/g) ?? [];
  const isEnd = named.every((tool) => tool === called) && !/\bperson\b/.test(hint);
  return isEnd ? `${hint} If you cannot fix that, stop and tell the person.` : hint;
}
