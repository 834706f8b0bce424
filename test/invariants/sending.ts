import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { timing } from "../../src/domain/engine/delivery/DeliveryLimits.ts"
import type { Modes } from "../../src/domain/words/session/Session.ts"
import { Providers } from "../../src/services/Providers.ts"
import { eventsOf, Life, live, Mode, modesOf, tellsOf } from "../support/session/lives.ts"
import { paintedBrain } from "../support/session/PaintedCli.ts"
import { int, runsOf } from "../support/recordings/scenes.ts"
import { SimulatedCli } from "../support/session/SimulatedCli.ts"
import { SimulatedHost } from "../support/SimulatedHost.ts"
import { Cuts } from "../support/data/streams.ts"
import { fact, law, type Law, lawOfSessions } from "./registry.ts"
import { each } from "../support/data/fields.ts"

const Op = Schema.Struct({
  what: Schema.Literals([
    "add",
    "add",
    "add",
    "add",
    "force",
    "wait",
    "wait",
    "wait",
    "rest",
    "key",
    "enter",
    "escape",
    "dialog",
    "catch",
    "catch",
    "catch",
    "picker",
    "lower",
    "lower",
    "own",
    "late",
    "freeze"
  ]),
  kind: Schema.Literals(["line", "lines", "command", "unicode"]),
  span: int(900)
})
type Op = typeof Op.Type
const Ops = Arbitrary.array(Arbitrary.schema(Op), { minLength: 15, maxLength: 40 })
const textOf = (kind: Op["kind"], n: number) =>
  ({ line: `do ${n}.`, lines: `do ${n}.\nand then\nmore`, command: `/do ${n}.`, unicode: `do ${n}. 日本 é` })[kind]

const play = Effect.fnUntraced(function* (ops: ReadonlyArray<Op>, cuts: ReadonlyArray<number>, modes: Modes) {
  const texts: Array<string> = []
  let readySince: number | null = null
  let readyBefore: number | null = null
  const brain = yield* paintedBrain({
    provider: yield* (yield* Providers).get("claude"),
    modes,
    cuts,
    watch: ({ delivery, tracker: { facts, view } }, commands, at) => {
      for (const command of commands) {
        if (command._tag !== "Write" || command.purpose !== "text") continue
        const id = delivery.typing?.attempt.id
        const message = delivery.queue.entries.find((entry) => entry.message.id === id)?.message
        assert.strictEqual(facts.sendAt, at, "V33 the machine did not hear of a message before its first byte")
        assert.strictEqual(view.state, "running", "V33 a session that is being typed into is not at work")
        if (message?.force === true) continue
        assert.isTrue(
          readyBefore !== null && at - readyBefore >= timing.debounce,
          `V30 ${id} went out ${readyBefore === null ? "while not ready" : `${at - readyBefore} ms after it became ready`}`
        )
        assert.strictEqual(host.cli.draft, "", `V30 ${id} went out into a box that was not empty`)
      }
      readyBefore = readySince = view.ready ? (readySince ?? at) : null
    }
  })
  const host: SimulatedHost = new SimulatedHost(brain)
  host.run(4_000)
  for (const { kind, span, what } of ops) {
    switch (what) {
      case "add":
      case "force":
        if (host.add(`m${texts.length}`, textOf(kind, texts.length), { force: what === "force" }))
          texts.push(textOf(kind, texts.length))
        break
      case "wait":
        host.run(span)
        break
      case "rest":
        host.run(span * 12)
        break
      case "key":
        host.press("x")
        break
      case "enter":
        host.press("\r")
        break
      case "escape":
        host.press("\u001b")
        break
      case "dialog":
        host.cli.raise("dialog")
        break
      // Just while leap types: between its text and its Enter, say.
      case "catch":
        for (let round = 0; round < 200 && !host.keysHeld; round++) host.run(10)
        host.run(span % 200)
        host.cli.raise("dialog")
        break
      case "picker":
        if (!host.keysHeld) host.cli.raise("picker")
        break
      case "lower":
        host.cli.lower()
        break
      case "own":
        host.cli.ownTurn()
        break
      case "late":
        host.cli.startDelay = 120 + span * 3
        break
      // A CLI that shows a key later than two seconds after it can be known by nothing.
      case "freeze":
        host.cli.freeze(span)
        break
    }
    host.run(1)
  }
  for (let round = 0; round < 4; round++) {
    host.run(8_000)
    host.cli.lower()
  }
  return { host, texts }
})

export const sending: ReadonlyArray<Law> = [
  law(
    ["V29"],
    "ready is idle, or churning where the mode says so",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      for (const { view } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen) {
        if (view.ready)
          assert.isTrue(view.state === "idle" || (view.state === "churning" && mode.churn === "send"), view.state)
      }
    },
    runsOf(400)
  ),

  law(
    ["V29"],
    "the mode for asking changes no readiness",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const events = eventsOf(life)
      const ready = (autoSend: Modes["autoSend"]) => {
        const { seen } = live(events, { ...modesOf(mode), autoSend }, tellsOf(mode))
        return events.map((event) => seen.findLast(({ facts }) => facts.at <= event.at)?.view.ready)
      }
      assert.deepStrictEqual(ready("always"), ready("pause"))
    },
    runsOf(250)
  ),
  lawOfSessions(
    ["V30", "V31", "V32", "V33", "V34"],
    "a message goes out once, into an empty box that was ready for a while, and never into a dialog or picker",
    { ops: Ops, cuts: Cuts, autoSend: Schema.Literals(["pause", "always"]) },
    ({ autoSend, cuts, ops }) =>
      Effect.gen(function* () {
        const { host, texts } = yield* play(ops, cuts, { autoSend, churn: "wait" })
        for (const write of host.written) {
          // What no look at the screen could have kept back: the frame had been on the terminal for no longer than a
          // look takes.
          assert.isFalse(
            write.overlaid !== null && write.overlaid > SimulatedCli.look,
            `V31 V32 ${write.purpose} at ${write.at}, ${write.overlaid} ms into a dialog or picker`
          )
        }
        const attempts = host.log.filter((record) => record._tag === "Attempted")
        assert.isAtMost(
          host.written.filter(({ purpose }) => purpose === "text").length,
          attempts.length,
          "V34 something was typed without an attempt on disk"
        )
        texts.forEach((_, n) => {
          const sent = host.allPrompts().reduce((sum, { text }) => sum + text.split(`do ${n}.`).length - 1, 0)
          assert.isAtMost(sent, 1, `V34 m${n} was sent ${sent} times`)
          const status = host.status(`m${n}`)
          assert.notStrictEqual(status, "lost", `V34 m${n}`)
          if (status === "done" && !texts[n]!.startsWith("/"))
            assert.strictEqual(sent, 1, `V34 m${n} is done and was never sent`)
        })
        // What failed is at the head again: messages that nobody forced go out in the order in which they came.
        const order = host
          .allPrompts()
          .filter(({ by, text }) => by === "leap" && texts.includes(text))
          .map(({ text }) => texts.indexOf(text))
        const forced = new Set(
          ops
            .filter(({ what }) => what === "add" || what === "force")
            .flatMap(({ what }, n) => (what === "force" ? [n] : []))
        )
        const inOrder = order.filter((n) => !forced.has(n))
        assert.deepStrictEqual(
          inOrder,
          inOrder.toSorted((a, b) => a - b),
          "V34 out of order"
        )
      }).pipe(Effect.scoped),
    runsOf(80)
  ),

  // Leap's form: it approves nothing by itself, in no mode; a dialog is answered by people (`leap answer`) or by their
  // hooks.
  lawOfSessions(
    ["V35", "V36"],
    "in no mode is a dialog answered: while one is up nothing is written, and all that ever is are messages",
    { ops: Ops, cuts: Cuts, autoSend: Schema.Literals(["pause", "always"]) },
    ({ autoSend, cuts, ops }) =>
      Effect.gen(function* () {
        const { host, texts } = yield* play(
          ops.filter(({ what }) => what !== "lower" && what !== "enter" && what !== "escape"),
          cuts,
          { autoSend, churn: "wait" }
        )
        for (const { data, overlaid, purpose } of host.written) {
          assert.isFalse(overlaid !== null && overlaid > SimulatedCli.look, `${purpose} ${overlaid} ms into a dialog`)
          const known = {
            text: texts.some((text) => data.includes(text)),
            pad: data === " ",
            submit: data === "\r",
            clear: data === "\u0015",
            restore: /^(?:\u001b\[200~)?x+(?:\u001b\[201~)?$/.test(data)
          }
          assert.isTrue(known[purpose as keyof typeof known], `${purpose} ${JSON.stringify(data)}`)
        }
      }).pipe(Effect.scoped),
    runsOf(30)
  ),

  fact(["V30"], "messages do go out", () =>
    Effect.gen(function* () {
      const ops = Array.from({ length: 20 }, (_, i): Op =>
        i % 5 === 0
          ? { what: "add", kind: (["line", "lines", "command", "unicode"] as const)[(i / 5) % 4]!, span: 0 }
          : { what: "rest", kind: "line", span: 700 }
      )
      const { host, texts } = yield* play(ops, [1, 333, 777], { autoSend: "pause", churn: "wait" })
      assert.deepStrictEqual(each(host.allPrompts(), "text"), texts)
      assert.deepStrictEqual(
        texts.map((_, n) => host.status(`m${n}`)),
        texts.map(() => "done")
      )
    }).pipe(Effect.scoped)
  )
]
