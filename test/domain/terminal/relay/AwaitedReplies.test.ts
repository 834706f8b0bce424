import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as AwaitedReplies from "../../../../src/domain/terminal/relay/AwaitedReplies.ts"
import type { TerminalQuery } from "../../../../src/domain/terminal/sequences/TerminalQuery.ts"
import * as InputTokens from "../../../../src/domain/terminal/sequences/InputTokens.ts"
import { cut, Cuts } from "../../../support/data/streams.ts"

const attributes = "\x1b[?62;22;52c"
const da1: TerminalQuery = { _tag: "PrimaryAttributes" }
const colors: TerminalQuery = { _tag: "Colors", slots: [], bell: false }
const color = "\x1b]11;rgb:0000/0000/0000\x1b\\"

type Step = TerminalQuery | string | number

/**
 * What happens: leap asks (`fence`), another CLI is shown (`next`), milliseconds pass, the CLI asks, the terminal
 * replies. Gives the replies that are the CLI's.
 */
const after = (...steps: ReadonlyArray<Step>) => {
  let state = AwaitedReplies.start
  let now = 0
  const cli: Array<string> = []
  for (const step of steps) {
    if (typeof step === "number") now += step
    else if (step === "fence") state = AwaitedReplies.fence(state, now)
    else if (step === "next") state = AwaitedReplies.handOver(state)
    else if (typeof step === "string") {
      const answered = AwaitedReplies.answer(state, step, now)
      state = answered.state
      if (answered.isCli) cli.push(step)
    } else state = AwaitedReplies.askedByCli(state, step, now)
  }
  return { state, now, cli, parting: AwaitedReplies.parting(state, now) }
}

describe("the answers of a terminal", () => {
  it.each<readonly [what: string, steps: ReadonlyArray<Step>, cli: ReadonlyArray<string>]>([
    ["to leap are not the CLI's", ["fence", attributes], []],
    ["however late they come", ["fence", 60_000, attributes], []],
    ["to the CLI are", ["fence", attributes, da1, attributes], [attributes]],
    ["in the order of the questions", ["fence", da1, attributes, attributes], [attributes]],
    ["that come before leap's were asked before", ["fence", color, attributes, color], [color]],
    ["unless it does not answer at all", ["fence", colors, 6_000, color], [color]],
    ["to a CLI that is not shown any more are nobody's", ["fence", attributes, da1, "next", "fence", attributes], []],
    ["are nobody's while the next one is shown", ["fence", attributes, colors, "next", "fence", color], []],
    ["about program status are leap's", ["fence", 60_000, "\x1b]7501;ok\x1b\\", attributes], []],
    ["that nobody asked for are the CLI's", [attributes, color], [attributes, color]],
    ["that never came to the CLI are not waited for", [da1, 6_000, "fence", attributes], []]
  ])("%s", (_, steps, cli) => assert.deepStrictEqual(after(...steps).cli, cli))

  it.each<readonly [what: string, steps: ReadonlyArray<Step>, parting: AwaitedReplies.Parting]>([
    ["goes at once", [], { _tag: "Nothing" }],
    ["goes at once where all is answered", ["fence", attributes, da1, attributes], { _tag: "Nothing" }],
    ["waits for what leap asked", ["fence", 300], { _tag: "Wait", until: 5_000 }],
    ["asks behind what the CLI asked", ["fence", attributes, colors, 300], { _tag: "Ask" }],
    ["or where that asked for attributes", ["fence", da1, attributes, 300], { _tag: "Ask" }],
    ["and waits for that", ["fence", attributes, colors, 300, "fence"], { _tag: "Wait", until: 5_300 }],
    ["but for nothing that was so long ago", ["fence", attributes, colors, da1, 5_000], { _tag: "Nothing" }],
    ["nor at a terminal that does not answer", ["fence", colors, 5_000, colors], { _tag: "Nothing" }]
  ])("who leaves it %s", (_, steps, parting) => assert.deepStrictEqual(after(...steps).parting, parting))

  it.prop(
    "take no key and leave no byte, however late they come and however they are cut",
    {
      reply: Schema.Literals([attributes, `\x1b]7501;?\x1b\\${attributes}`, "\x1b[?1c", `${color}${attributes}`]),
      cuts: Cuts,
      // in milliseconds, from 0 to 2 s
      delay: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })),
      gap: Schema.Literals([0, 10, 50, 200]),
      before: Schema.Array(Schema.Literals(["a", "\r", "\x1b[A", "\x03", "é", "\x1bb", "\x1b[200~x\x1b[201~", "^^"])),
      behind: Schema.Array(Schema.Literals(["b", "\r", "\x1b[B", "\x1b[I", "\x7f", "ok"]))
    },
    ({ before, behind, cuts, delay, gap, reply }) => {
      const latin1 = (text: string): string => Buffer.from(text).toString("latin1")
      let state = AwaitedReplies.fence(AwaitedReplies.start, 0)
      let tokens = InputTokens.start
      let due: number | null = null
      let out = ""
      const take = (next: InputTokens.Tokens, now: number): void => {
        tokens = next.state
        for (const token of next.tokens) {
          if (token._tag === "Reply") {
            const answered = AwaitedReplies.answer(state, token.data, now)
            state = answered.state
            if (!answered.isCli) continue
          }
          out += token.data
        }
        const patience = InputTokens.timeout(tokens, AwaitedReplies.isDue(state, now))
        due = patience === null ? null : now + patience
      }
      let now = 0
      const wait = (ms: number): void => {
        now += ms
        if (due !== null && due <= now) take(InputTokens.flushHeld(tokens, due), due)
      }
      const come = (chunk: string): void =>
        take(InputTokens.take(tokens, chunk, now, AwaitedReplies.isDue(state, now)), now)
      for (const key of before) {
        come(latin1(key))
        wait((delay * 50) / Math.max(1, before.length))
      }
      if (before.length === 0) wait(delay * 50)
      for (const piece of cut(reply, cuts)) {
        come(piece)
        wait(gap)
      }
      for (const key of behind) {
        come(latin1(key))
        wait(120)
      }
      wait(10_000)
      assert.strictEqual(out, latin1([...before, ...behind].join("")))
      assert.deepStrictEqual(AwaitedReplies.parting(state, now), { _tag: "Nothing" })
    },
    { arbitrary: { runs: 2000 } }
  )
})
