import type { ErrorKind, ErrorName, Failure } from "../domain/index.ts";

/** Where the name says more than the kind. */
const BY_NAME: Partial<Readonly<Record<ErrorName, number>>> = {
  "ui/wrong-host": 421,
  "ui/wrong-origin": 403,
  "ui/no-token": 401,
  "ui/read-only": 403,
  "ui/not-found": 404,
  "ui/wrong-method": 405,
  "ui/not-json": 415,
  "ui/too-large": 413,
  "ui/too-many": 429,
  "plan/not-found": 404,
  "plan/not-initialised": 404,
  "step/unknown": 404,
  "session/unknown": 404,
  "commit/invalid": 404,
};

const BY_KIND: Readonly<Record<ErrorKind, number>> = {
  failed: 422,
  user: 400,
  environment: 503,
  conflict: 409,
  decision: 409,
  waiting: 409,
  internal: 500,
};

export const httpStatus = ({ problem, kind }: Failure): number => BY_NAME[problem] ?? BY_KIND[kind];
