import type { Socket } from "node:net";

/** The connections that have not shown who they are. */
export interface UnauthenticatedConnections {
  /** A new one, or one that has just asked for something. */
  readonly enter: (socket: Socket) => void;
  /** It has shown a token. */
  readonly leave: (socket: Socket) => void;
}

/**
 * Keeps those that never finish asking from taking the place of those that do.
 *
 * They all come from this machine, so no address tells them apart; time does. Where one too many waits, the one that has
 * waited longest goes: a page asks at once, and one that only holds a connection open does not.
 */
export function unauthenticatedConnections(most: number): UnauthenticatedConnections {
  const waiting = new Set<Socket>();
  const seen = new WeakSet<Socket>();
  const leave = (socket: Socket): void => void waiting.delete(socket);
  return {
    leave,
    enter(socket) {
      if (!seen.has(socket)) socket.once("close", () => leave(socket));
      seen.add(socket);
      waiting.delete(socket);
      waiting.add(socket);
      if (waiting.size <= most) return;
      const [longest] = waiting;
      leave(longest!);
      longest!.destroy();
    },
  };
}
