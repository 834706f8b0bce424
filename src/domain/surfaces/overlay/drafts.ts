import { Option, Schema } from "effect"

/** The file of unsent messages of a session's terminals. It keeps the draft of a terminal that dies. */

/**
 * An unsent message. `writer`: the process of its terminal; null if that has abandoned it. `id`: its id once it is
 * sent, so that the queue recognizes it even if this file still has it; older versions have none.
 */
const Draft = Schema.Struct({
  writer: Schema.NullOr(Schema.Struct({ pid: Schema.Int, birth: Schema.NullOr(Schema.String) })),
  text: Schema.String,
  id: Schema.optionalKey(Schema.String)
})
export type Draft = typeof Draft.Type

const decodeFile = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ schema: Schema.Literal(1), drafts: Schema.Array(Schema.Unknown) }))
)
const decodeDraft = Schema.decodeUnknownOption(Draft)

const limit = 100

/** The entries of a file's content, oldest first; none if it is no such file. */
const entriesIn = (content: Uint8Array | null): ReadonlyArray<unknown> =>
  content === null
    ? []
    : Option.match(decodeFile(new TextDecoder().decode(content)), { onNone: () => [], onSome: ({ drafts }) => drafts })

/** The drafts in a file's content, oldest first, without those that cannot be read. */
export const readDrafts = (content: Uint8Array | null): ReadonlyArray<Draft> =>
  entriesIn(content).flatMap((entry) => Option.toArray(decodeDraft(entry)))

/** The entries that are not such a draft. Those that cannot be read stay in the file: another version may read them. */
const entriesWithout = (content: Uint8Array | null, isOne: (draft: Draft) => boolean): ReadonlyArray<unknown> =>
  entriesIn(content).filter((entry) => !Option.exists(decodeDraft(entry), isOne))

const encode = (drafts: ReadonlyArray<unknown>): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ schema: 1, drafts: drafts.slice(-limit) })}\n`)

const isSame = (a: Draft["writer"], b: Draft["writer"]): boolean => a?.pid === b?.pid && a?.birth === b?.birth

/** The content with only these texts as the writer's drafts, without empty ones. `left`: the writer abandoned them. */
export const withDrafts = (
  content: Uint8Array | null,
  writer: NonNullable<Draft["writer"]>,
  written: ReadonlyArray<Pick<Draft, "id" | "text">>,
  left: boolean
): Uint8Array => {
  const others = entriesWithout(content, (draft) => draft.writer !== null && isSame(draft.writer, writer))
  const its = written.filter(({ text }) => text.trim() !== "")
  return encode([...others, ...its.map((one) => ({ ...one, writer: left ? null : writer }))])
}

export const withoutDrafts = (content: Uint8Array | null, taken: ReadonlyArray<Draft>): Uint8Array =>
  encode(
    entriesWithout(content, (draft) =>
      taken.some(({ id, text, writer }) => text === draft.text && id === draft.id && isSame(writer, draft.writer))
    )
  )
