import { Option, Schema } from "effect"

/** What is being written over a session's screen in each of its terminals: what a terminal that dies leaves behind. */

/**
 * One that is written. `writer`: the process whose terminal it is; null: it has left it. `id`: the message's, if it is
 * sent, by which the queue knows it however late it was forgotten here; older versions give none.
 */
const Draft = Schema.Struct({
  writer: Schema.NullOr(Schema.Struct({ pid: Schema.Int, birth: Schema.NullOr(Schema.String) })),
  text: Schema.String,
  id: Schema.optionalKey(Schema.String)
})
export type Draft = typeof Draft.Type

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ schema: Schema.Literal(1), drafts: Schema.Array(Draft) }))
)

/** More are left behind only where nobody looks for them. */
const limit = 100

/** The drafts in a file's content, oldest first. Total. */
export const readDrafts = (content: Uint8Array | null): ReadonlyArray<Draft> =>
  content === null
    ? []
    : Option.match(decode(new TextDecoder().decode(content)), { onNone: () => [], onSome: ({ drafts }) => drafts })

const encode = (drafts: ReadonlyArray<Draft>): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ schema: 1, drafts: drafts.slice(-limit) })}\n`)

const isSame = (a: Draft["writer"], b: Draft["writer"]): boolean => a?.pid === b?.pid && a?.birth === b?.birth

/** The content with these texts as what its writer is writing; an empty one is nothing. `left`: it goes on no more. */
export const withDrafts = (
  content: Uint8Array | null,
  writer: NonNullable<Draft["writer"]>,
  written: ReadonlyArray<Pick<Draft, "id" | "text">>,
  left: boolean
): Uint8Array => {
  const others = readDrafts(content).filter((draft) => draft.writer === null || !isSame(draft.writer, writer))
  const its = written.filter(({ text }) => text.trim() !== "")
  return encode([...others, ...its.map((one) => ({ ...one, writer: left ? null : writer }))])
}

/** The content without these. */
export const withoutDrafts = (content: Uint8Array | null, taken: ReadonlyArray<Draft>): Uint8Array =>
  encode(
    readDrafts(content).filter(
      (draft) =>
        !taken.some(({ id, text, writer }) => text === draft.text && id === draft.id && isSame(writer, draft.writer))
    )
  )
