import { statSync } from "node:fs";

/** Which file a path names at this moment. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly bytes: number;
}

export function fileIdentity(path: string): FileIdentity | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && { device: stat.dev, inode: stat.ino, bytes: stat.size };
}
