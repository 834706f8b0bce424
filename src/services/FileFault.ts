import { Data, Effect } from "effect"

/** One operation on a file failed: the operating system's code (ENOSPC, EACCES, EXDEV …), empty where it gave none. */
export class FileFault extends Data.TaggedError("FileFault")<{
  readonly code: string
  readonly why: string
  /** What was to be done with which file, where that is not told by who reports the failure. */
  readonly operation?: string
  readonly path?: string
}> {
  override get message(): string {
    return this.operation === undefined
      ? this.why
      : `could not ${this.operation} ${JSON.stringify(this.path)}: ${this.why}`
  }
}

/** Gives this in the place of a failure with one of these codes. */
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
