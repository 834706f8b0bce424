import { Data } from "effect"

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
