import { Failure } from "./errors.ts";

/** For a caller of a server whose state is kept elsewhere by now. */
export const stateMovedFrom = (server: string, to: string): Failure =>
  new Failure("store/moved-away", `The state of this repository was moved from ${server} to ${to}.`, {
    server,
    moved_to: to,
  });
