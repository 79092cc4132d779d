import { createHmac } from "node:crypto";
import type { Post, PostMessage, PostProblem } from "../ports/index.ts";

/**
 * Posts with the fetch of Node. Redirects are refused: the receiver's address is the one that was configured.
 *
 * The signature is `sha256=` and the HMAC of the body, in hex, so that a receiver knows who sent it and that nothing was
 * changed on the way.
 */
export const webPost = (env: Readonly<Record<string, string | undefined>>): Post => ({
  async send(message) {
    const key = message.secretEnv === undefined ? undefined : env[message.secretEnv];
    if (message.secretEnv !== undefined && !key)
      return { why: `the variable ${message.secretEnv} is not set`, mayPass: false };
    try {
      const answer = await fetch(message.url, {
        method: "POST",
        body: message.body,
        headers: { ...message.headers, ...(key ? { "x-pawl-signature": signature(key, message) } : {}) },
        redirect: "error",
        signal: AbortSignal.timeout(message.timeoutMs),
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : refusal(answer.status);
    } catch (error) {
      return { why: reasonOf(error), mayPass: true };
    }
  },
});

const signature = (key: string, { body }: PostMessage): string =>
  `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;

/** What a server is too busy for, or fails at, may pass; what it refuses it refuses again. */
const refusal = (status: number): PostProblem => ({
  why: `it answered with status ${status}`,
  mayPass: status >= 500 || status === 429 || status === 408,
});

/** Without the address, which may itself be a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it cannot be reached";
  if (error.name === "TimeoutError") return "it did not answer in time";
  const cause = error.cause as { readonly code?: unknown } | undefined;
  return typeof cause?.code === "string" ? `it cannot be reached (${cause.code})` : "it cannot be reached";
}
