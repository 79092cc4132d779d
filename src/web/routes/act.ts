import { Failure } from "../../domain/index.ts";
import { actionNamed, actionSubject } from "../actions/index.ts";
import type { Route } from "../route.ts";

export const actRoute: Route = {
  method: "POST",
  path: "/api/act",
  command: "ui act",
  about:
    "Does what a preview said: action, its subject, version, request_id, and a reason where one is needed",
  takes: [],
  async answer(context, { body }) {
    if (context.isReadOnly) throw new Failure("ui/read-only", "This page is read-only.", {});
    const text = (name: string): string | undefined => textIn(body, name);
    const action = actionNamed(text("action") ?? "");
    const version = text("version");
    const requestId = text("request_id");
    if (version === undefined || requestId === undefined)
      throw new Failure("usage/wrong", "version and request_id are missing.", {});
    const subject = actionSubject(text);
    const decision = { version, requestId, reason: text("reason") };
    const answer = await context.dedupe(requestId, { action: action.name, subject, ...decision }, () =>
      action.act(context, subject, decision),
    );
    return { action: action.name, ...answer };
  },
};

function textIn(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string" || value.length > 4096 || value.includes("\0"))
    throw new Failure("usage/wrong", `${name} is a short text.`, { name });
  return value;
}
