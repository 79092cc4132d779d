import type { ServerResponse } from "node:http";
import { httpStatus } from "./http-status.ts";
import { envelope, issueOf, toFailure } from "../journal/index.ts";

/**
 * What every answer says, files of the page too. Nothing that is not ours is loaded, run, framed, or informed whence people
 * came; text becomes markup nowhere.
 */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** Goes out as the command line prints it with `--json`. */
export function answerJson(
  response: ServerResponse,
  command: string,
  data: Readonly<Record<string, unknown>>,
): void {
  send(response, 200, envelope(command, data, []));
}

export function answerFailure(response: ServerResponse, command: string, thrown: unknown): void {
  const failure = toFailure(thrown);
  const status = httpStatus(failure);
  // A client that is turned away early may still be sending.
  if (status === 413 || status === 421 || status === 429) response.setHeader("Connection", "close");
  send(response, status, envelope(command, {}, [issueOf(failure)]));
}

function send(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(text);
  response.writeHead(status, {
    ...SAFE_HEADERS,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": body.length,
    "Cache-Control": "no-store",
  });
  response.end(body);
}
