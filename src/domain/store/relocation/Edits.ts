import { Schema } from "effect"
import type { Edit, Plan } from "./Plan.ts"

export const editsOf = <Detail, Encoded extends Edit["detail"]>(
  kind: string,
  schema: Schema.Codec<Detail, Encoded>
) => {
  const encode = Schema.encodeSync(schema)
  return {
    kind,
    edit: (detail: Detail): Edit => ({ kind, detail: encode(detail) }),
    decode: Schema.decodeUnknownEffect(schema)
  }
}
export type Edits<Detail> = ReturnType<typeof editsOf<Detail, Edit["detail"]>>

/** A move of a session whose files belong to no directory. */
export const editsAlone = (cli: string, sessionId: string, edits: ReadonlyArray<Edit>): Plan => ({
  cli,
  sessionId,
  pieces: [],
  lineFiles: [],
  tidy: [],
  edits
})
