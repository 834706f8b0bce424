import { Clock, Effect, FiberSet, Stream } from "effect"
import type { FakeChild } from "../fakes/PtyFake.ts"

/** What is odd about the CLI. */
export interface OddOptions {
  /** How its box looks: like nobody else's, or as most draw theirs. */
  readonly box: "odd" | "common"
  /** It reports its status (OSC 7501). */
  readonly reports?: boolean
  /** Its start shows an advertisement in place of the box, until a key is pressed. */
  readonly greeting?: boolean
}

const rule = "─".repeat(80)
const wheel = ["▖", "▘", "▝", "▗"]
/** How long its turns take. */
const turn = "3 seconds"

/** The patterns of its screen, for the odd box. */
export const oddPatterns = {
  box: ["in» {draft}"],
  busy: ["~ {wheel} thinking *"],
  done: ["~ at rest"],
  dialog: ["!! *"]
}

/**
 * A CLI that leap has never heard of, on a fake pseudo-terminal: a conversation, one row of state, a box. A message
 * that begins with "ask" opens a dialog, which ends the turn once it is answered.
 */
export const runOdd = Effect.fn("runOdd")(function* (
  child: FakeChild,
  { box, greeting = false, reports = false }: OddOptions
) {
  const run = yield* FiberSet.runtime(yield* FiberSet.make())<never>()
  const clock = yield* Clock.Clock
  const sent: Array<string> = []
  const answers: Array<string> = []
  const said: Array<string> = ["Odd CLI 1.0"]
  let draft = ""
  let works = false
  // Its start shows something over the box, which any key closes.
  let greets = greeting
  let pointer: number | null = null
  const options = ["go on", "stop here"]

  const rows = (): ReadonlyArray<string> => {
    const state = works
      ? `~ ${wheel[Math.floor(clock.currentTimeMillisUnsafe() / 200) % 4]} thinking hard`
      : "~ at rest"
    if (greets) return [...said, "", "!! have you heard of the odd cloud"]
    if (pointer !== null)
      return [
        ...said,
        "",
        "!! shall it go on",
        ...options.map((it, n) => `${n === pointer ? "❯" : " "} ${it}`),
        "",
        "↑/↓ to move, enter to choose"
      ]
    return box === "odd" ? [...said, state, `in» ${draft}`] : [...said, "", rule, `> ${draft}`, rule]
  }
  const report = (state: string) => (reports ? `\u001b]7501;state=${state}:app=odd\u001b\\` : "")
  const draw = () => child.printUnsafe(`\u001b[H\u001b[2J${rows().join("\r\n")}`)
  const end = () => {
    works = false
    said.push(`- did ${sent.length}`)
    child.printUnsafe(report("done"))
    draw()
  }
  const submit = () => {
    if (draft.trim() === "") return
    const text = draft
    sent.push(text)
    said.push(`# ${text}`)
    draft = ""
    if (text.startsWith("ask")) pointer = 0
    else works = true
    child.printUnsafe(report(pointer === null ? "working" : "blocked:kind=question"))
    draw()
    if (works) run(Effect.map(Effect.sleep(turn), end))
  }
  const take = (data: string) => {
    if (greets) {
      greets = false
      return draw()
    }
    if (pointer !== null) {
      if (data === "\u001b[B") pointer = Math.min(options.length - 1, pointer + 1)
      else if (data === "\u001b[A") pointer = Math.max(0, pointer - 1)
      else if (data === "\r") {
        answers.push(options[pointer] ?? "")
        pointer = null
        return end()
      } else answers.push(data)
      return draw()
    }
    if (data === "\r") return submit()
    if (data.includes("\u0015")) draft = ""
    else draft += data.replaceAll(/\u001b\[20[01]~|[\u0000-\u001f]/g, "")
    draw()
  }
  yield* child.input.pipe(
    Stream.runForEach((data) => Effect.sync(() => take(data))),
    Effect.forkScoped({ startImmediately: true })
  )
  // Its wheel turns while it works.
  yield* Effect.sync(() => (works ? draw() : undefined)).pipe(
    Effect.andThen(Effect.sleep("200 millis")),
    Effect.forever,
    Effect.forkScoped({ startImmediately: true })
  )
  child.printUnsafe(`\u001b[?2004h${report("idle")}`)
  draw()
  return { sent: (): ReadonlyArray<string> => sent, answers: (): ReadonlyArray<string> => answers }
})
