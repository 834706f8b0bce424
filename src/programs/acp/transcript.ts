import { Option, Stream } from "effect"
import type { Heard } from "../../domain/surfaces/acp/Conversation.ts"
import { parseJson } from "../../domain/words/reading/Json.ts"
import type { UsageFact } from "../../domain/cli/usage/UsageReader.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import type { FileTail, TailChunk } from "../../services/FileTail.ts"

/** A piece of what a transcript says: what was there before, or what comes. */
export interface TranscriptPiece {
  readonly heard: ReadonlyArray<Heard>
  readonly atEnd: boolean
}

type Spoken = Extract<UsageFact, { readonly _tag: "Prompt" | "Response" }>

const isSpoken = (fact: UsageFact): fact is Spoken =>
  (fact._tag === "Prompt" || fact._tag === "Response") && fact.session === undefined

const heardOf = (fact: Spoken): Heard =>
  fact._tag === "Prompt"
    ? { _tag: "Prompted", text: fact.text, by: "transcript" }
    : { _tag: "Said", text: fact.text, by: "transcript" }

/** What is said in a session by its transcript, all or what is younger than `since`; nothing is told twice. */
export const transcript = (
  files: FileTail["Service"],
  { usage }: Provider,
  path: string,
  since: number | null
): Stream.Stream<TranscriptPiece> =>
  files.read(path).pipe(
    Stream.mapAccum(
      (): { readonly youngest: number; readonly reached: boolean } => ({ youngest: since ?? 0, reached: false }),
      ({ reached, youngest }, { atEnd, lines, restarted }: TailChunk) => {
        const isAgain = restarted && reached
        // without times only what comes behind the end is certain to be new
        const isOld = (at: number | null) => (at === null ? isAgain || (!reached && since !== null) : at <= youngest)
        const facts = lines.flatMap((line) => Option.toArray(parseJson(line)).flatMap((it) => usage.record(it)))
        const spoken = facts.filter(isSpoken)
        const heard = spoken.flatMap((fact) =>
          (isAgain || (!reached && since !== null)) && isOld(fact.at) ? [] : [heardOf(fact)]
        )
        const next = Math.max(youngest, ...spoken.map(({ at }) => at ?? 0))
        return [{ youngest: next, reached: reached || atEnd }, [{ heard, atEnd }]] as const
      }
    )
  )
