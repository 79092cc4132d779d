import { Failure } from "../../domain/index.ts";

/** What the system said about a file that could not be written, for the person who must act; what is no such word passes. */
export function diskFailure(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof Failure) return error;
  const details = { path, errno: code };
  if (code === "ENOSPC" || code === "EDQUOT")
    return new Failure("store/full", `${path}: the disk is full.`, details, { cause: error });
  if (code === "EROFS" || code === "EACCES" || code === "EPERM")
    return new Failure("store/read-only", `${path} cannot be written (${code}).`, details, { cause: error });
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "EISDIR")
    return new Failure("usage/wrong", `${path} cannot be made there (${code}).`, details, {
      cause: error,
      hint: "Name a folder that exists, and a file name that is not too long.",
    });
  return new Failure("store/query-failed", `${path}: the disk reported ${code}.`, details, { cause: error });
}
