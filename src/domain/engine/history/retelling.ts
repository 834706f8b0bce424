import { Result } from "effect"
import type { UsageFact } from "../../cli/usage/UsageReader.ts"
import { cutMark } from "../../words/text/cutMark.ts"
import { graphemesIn } from "../../words/text/graphemes.ts"
import { partOf } from "../../words/text/partOf.ts"
import { oneLine } from "../../words/text/printable.ts"
import { maskSecrets } from "../../words/text/Secrets.ts"
import { quotedText } from "../agentMail/AgentMessage.ts"
import { maxLength } from "../queue/MessageText.ts"

/** A prompt and what was answered to it; "" for none. */
export interface ToldTurn {
  readonly prompt: string
  readonly answer: string
}

/** The longest retelling of a conversation, in UTF-16 units, without the words of the user that follow it. */
export const longestRetelling = 50_000

type Spoken = Extract<UsageFact, { readonly _tag: "Prompt" | "Response" }>

const isSpoken = (fact: UsageFact): fact is Spoken =>
  (fact._tag === "Prompt" || fact._tag === "Response") && fact.session === undefined

/** What was said, once each: CLIs write a text twice, a grown text anew, or the whole conversation again. */
const spokenOnce = (facts: ReadonlyArray<UsageFact>): ReadonlyArray<Spoken> => {
  const spoken: Array<Spoken> = []
  const places = new Map<string, number>()
  for (const fact of facts) {
    if (!isSpoken(fact) || fact.text.trim() === "") continue
    const { _tag, at, text } = fact
    const last = spoken.at(-1)
    if (last?._tag === _tag && last.text.trim() === text.trim()) continue
    const key = `${_tag} ${at}`
    const place = at === null ? undefined : places.get(key)
    const before = place === undefined ? undefined : spoken[place]
    if (place !== undefined && before !== undefined && (text.startsWith(before.text) || before.text.startsWith(text))) {
      if (text.length > before.text.length) spoken[place] = fact
      continue
    }
    places.set(key, spoken.length)
    spoken.push(fact)
  }
  return spoken
}

/** The turns of a conversation, by what its transcript says. All answers to one prompt are one text. */
export const turnsIn = (facts: ReadonlyArray<UsageFact>): ReadonlyArray<ToldTurn> => {
  const turns: Array<ToldTurn> = []
  for (const { _tag, text } of spokenOnce(facts)) {
    const last = turns.at(-1)
    if (_tag === "Prompt") turns.push({ prompt: text, answer: "" })
    else if (last === undefined) turns.push({ prompt: "", answer: text })
    else turns[turns.length - 1] = { ...last, answer: last.answer === "" ? text : `${last.answer}\n\n${text}` }
  }
  return turns
}

const headings = { prompt: "User:\n", answer: "Assistant:\n" } as const
const gap = "\n\n"

/** The quoted text of one side; "" if nothing of it can be told. Masked before it is cut: no half secret stays. */
const told = (text: string): string =>
  Result.getOrElse(quotedText(partOf(maskSecrets(text), 0, maxLength).text), () => "")

const sectionOf = (prompt: string, answer: string): string =>
  [prompt === "" ? "" : headings.prompt + prompt, answer === "" ? "" : headings.answer + answer]
    .filter((part) => part !== "")
    .join(gap)

/** The beginning of a quoted text of so many units or fewer, and how long it was. */
const headOf = (quoted: string, most: number): string => {
  if (quoted.length <= most) return quoted
  const mark = ` ${cutMark(quoted.length, "characters")}`
  return quoted.slice(0, graphemesIn(quoted).containing(Math.max(0, most - mark.length))?.index ?? 0) + mark
}

/** Its end, where an answer says what came of it. */
const tailOf = (quoted: string, most: number): string => {
  if (quoted.length <= most) return quoted
  const mark = `> ${cutMark(quoted.length, "characters")}\n> `
  const from = quoted.length - Math.max(0, most - mark.length)
  const at = graphemesIn(quoted).containing(from)
  if (at === undefined) return mark
  return mark + quoted.slice(at.index === from ? from : at.index + at.segment.length)
}

/** A turn that is too long as a whole: the beginning of its prompt, and the end of its answer. */
const cutSection = (prompt: string, answer: string, most: number): string => {
  const room = most - headings.prompt.length - headings.answer.length - gap.length
  const asked = headOf(prompt, Math.max(Math.floor(room / 4), room - answer.length))
  return sectionOf(asked, tailOf(answer, room - asked.length))
}

/** A conversation that goes on in another CLI. */
export interface Retold {
  /** The name of the CLI in which it began. */
  readonly cli: string
  readonly tag: string
  /** Its turns, as far as they could be read, the latest last. */
  readonly turns: ReadonlyArray<ToldTurn>
  /** `turns` begins with its first one. */
  readonly isWhole: boolean
  /** What the user says next; "": nothing yet. */
  readonly next: string
}

const leftOutText = (count: number, isWhole: boolean): string =>
  count === 0 && isWhole
    ? ""
    : isWhole
      ? ` ${count === 1 ? "1 earlier turn is" : `${count} earlier turns are`} left out.`
      : " What was said earlier is left out."

const nothingNext =
  "Say in a sentence or two where it stands, and begin nothing: your user says what is to be done next."

/**
 * A conversation as the first message of a session of another CLI: its latest turns, whole and in their order, within
 * {@link longestRetelling}; only a latest turn that is longer by itself is cut. Null if nothing was said. `leftOut`:
 * how many turns are not told.
 */
export const retelling = ({
  cli,
  isWhole,
  next,
  tag,
  turns
}: Retold): { readonly text: string; readonly told: number; readonly leftOut: number } | null => {
  const begin =
    `[leap] This conversation began in ${oneLine(cli, 60)}, in session '${tag}', and goes on here. What was said in ` +
    'it follows, each line after ">"; what tools gave back does not.'
  const end = `[leap] That is all so far. ${next === "" ? nothingNext : "Your user says now:"}`
  const longestMiddle =
    longestRetelling -
    [begin, leftOutText(turns.length, isWhole), end].reduce((sum, { length }) => sum + length + gap.length, 0)
  const sections: Array<string> = []
  let length = 0
  let first = turns.length
  for (; first > 0; first--) {
    const { answer, prompt } = turns[first - 1] ?? { answer: "", prompt: "" }
    const sides = [told(prompt), told(answer)] as const
    const whole = sectionOf(...sides)
    if (whole === "") continue
    const room = longestMiddle - length - gap.length
    if (whole.length > room && sections.length > 0) break
    const section = whole.length > room ? cutSection(...sides, room) : whole
    sections.unshift(section)
    length += section.length + gap.length
  }
  if (sections.length === 0) return null
  return {
    text: [begin + leftOutText(first, isWhole), ...sections, end, ...(next === "" ? [] : [next])].join(gap),
    told: sections.length,
    leftOut: first
  }
}
