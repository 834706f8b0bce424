import { Schema } from "effect"

/** A post failed, or got no answer. `why` contains no secret, and no path of a URL; `again`: a retry may help. */
export class PostError extends Schema.TaggedError<PostError>()("PostError", {
  why: Schema.String,
  again: Schema.Boolean
}) {
  override get message() {
    return this.why
  }
}

export interface PostAnswer {
  readonly status: number
  /** Its `Retry-After`, in milliseconds from now; null for none. */
  readonly afterMs: number | null
}
