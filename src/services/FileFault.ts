import { Data, Effect } from "effect"

/** An operation on a file failed. `code`: the operating system's code (ENOSPC, EACCES, EXDEV …), or empty. */
export class FileFault extends Data.TaggedError("FileFault")<{
  readonly code: string
  readonly why: string
  /** The operation and its file, if the reporter of the failure does not name them. */
  readonly operation?: string
  readonly path?: string
}> {
  override get message(): string {
    return this.operation === undefined
      ? this.why
      : `could not ${this.operation} ${JSON.stringify(this.path)}: ${this.why}`
  }
}

/** Recovers from failures with one of these codes by this value. */
export const insteadOf =
  <B>(otherwise: B, ...codes: ReadonlyArray<string>) =>
  <A, R>(operation: Effect.Effect<A, FileFault, R>): Effect.Effect<A | B, FileFault, R> =>
    Effect.catchIf(
      operation,
      ({ code }) => codes.includes(code),
      () => Effect.succeed(otherwise)
    )

/** Ignores failures with these codes, which mean that the wanted state exists already. */
export const unless = (...codes: ReadonlyArray<string>) => insteadOf<void>(undefined, ...codes)
