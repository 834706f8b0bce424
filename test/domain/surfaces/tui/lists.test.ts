import { assert, describe, it } from "@effect/vitest"
import * as Menu from "../../../../src/domain/surfaces/overlay/Menu.ts"
import type * as Overlay from "../../../../src/domain/surfaces/overlay/Overlay.ts"
import * as Picker from "../../../../src/domain/surfaces/picker/Picker.ts"
import { empty } from "../../../../src/domain/surfaces/tui/Editor.ts"
import { decode, flushHeld, type Key, start } from "../../../../src/domain/surfaces/tui/Keys.ts"
import { chosenBy, moreText, optionRows, topAround } from "../../../../src/domain/surfaces/tui/List.ts"
import * as Prompt from "../../../../src/domain/surfaces/tui/Prompt.ts"
import { asking, DrivenClient, message } from "../../../support/data/clientKeys.ts"
import { fedSession, monitorOf } from "../../../support/data/monitorKeys.ts"
import { home, manyRows } from "../../../support/data/pickRows.ts"
import { overlayOf } from "../../../support/data/overlayKeys.ts"

const size = { cols: 80, rows: 24 }
const letters = ["A", "B", "C", "D", "E"]
const queue = letters.map((letter) => message(letter.repeat(5), letter))
const question = { title: "Which?", options: letters.map((label, i) => ({ number: i + 1, label })) }

/** A list of five: what takes a key, and which of them is selected then, counted from 0. */
type List = () => { readonly press: (key: Key) => void; readonly at: () => number }

const overlay =
  (begun: Overlay.Overlay, at: (now: Overlay.Overlay | null) => number): List =>
  () => {
    const { overlay, press } = overlayOf(begun, { queue, question })
    return { press, at: () => at(overlay()) }
  }
const monitor =
  (begin: ReadonlyArray<string>): List =>
  () => {
    const tags = letters.map((letter) => letter.toLowerCase())
    const driven = monitorOf(
      tags.map((tag) => fedSession(tag, tag === "a" ? { ...asking, question } : { state: "idle" })),
      size
    )
    driven.press(...begin)
    return {
      press: (key) => driven.tell({ _tag: "Pressed", key, at: 0 }),
      at: () => {
        const { mode, selected } = driven.state()
        return mode._tag === "Answer" ? mode.marked : tags.indexOf(selected ?? "")
      }
    }
  }

const lists: Readonly<Record<string, List>> = {
  "the picker": () => {
    let state = Picker.start({ rows: manyRows(5, 1_000_000), home, cwd: "/", size })
    return { press: (key) => void (state = Picker.update(state, key)), at: () => (state.left ? -1 : state.selected) }
  },
  "the monitor": monitor([]),
  "the monitor while it is filtered": monitor(["/"]),
  "the monitor's options of a dialog": monitor(["a"]),
  "the queue client": () => {
    const client = new DrivenClient({ queue }, size)
    client.press("<tab>")
    return {
      press: (key) => void client.take({ _tag: "Pressed", key, at: client.at }),
      at: () => {
        const { mode } = client.state
        return mode._tag === "List" ? queue.findIndex(({ id }) => id === mode.selected) : -1
      }
    }
  },
  "the queue over the screen": overlay({ ...Menu.queueView, selected: queue[0]?.id ?? null }, (now) =>
    now?._tag === "Queue" ? queue.findIndex(({ id }) => id === now.selected) : -1
  ),
  "the options over the screen": overlay(
    { ...Menu.menu, _tag: "Answer", title: question.title, selected: 0, own: empty },
    (now) => (now?._tag === "Answer" ? now.selected : -1)
  ),
  "a question below the cursor": () => {
    let prompt = Prompt.start("Which?", { choices: letters.map((title) => ({ title })) })
    return { press: (key) => void ([prompt] = Prompt.press(prompt, key)), at: () => prompt.marked }
  }
}

const selectedBy = (list: List, bytes: string): number => {
  const { at, press } = list()
  const decoded = decode(start, bytes)
  for (const key of [...decoded.keys, ...flushHeld(decoded.state).keys]) press(key)
  return at()
}

describe.each(Object.entries(lists))("in the list of %s", (_, list) => {
  it.each<readonly [what: string, bytes: string, at: number]>([
    ["nothing but the first is selected", "", 0],
    ["↓ and ↑", "\x1b[B\x1b[B\x1b[A", 1],
    ["in their other spellings", "\x1bOB\x1b[1;1B\x1bOB\x1bOA", 2],
    ["Ctrl+N and Ctrl+P", "\x0e\x0e\x0e\x10", 2],
    ["as kitty reports them", "\x1b[110;5u\x1b[110;5u\x1b[112;5u", 1],
    ["End", "\x1b[F", 4],
    ["Home", "\x1b[4~\x1b[A\x1b[1~", 0],
    ["the wheel", "\x1b[<65;1;1M\x1b[<64;1;1M\x1b[<65;1;1M", 3],
    ["Ctrl+↓ is ↓", "\x1b[1;5B", 1],
    ["what means nothing", "\x1b[I\x1b[97;1:3u\x1b[57352u", 0]
  ])("%s", (_, bytes, at) => assert.strictEqual(selectedBy(list, bytes), at))
})

describe("a list", () => {
  it("is in sight around what is selected, and says how much is not", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3, 8, 9].map((at) => topAround(at, 4, 10)),
      [0, 0, 0, 1, 6, 6]
    )
    assert.strictEqual(topAround(2, 4, 3), 0)
    assert.deepStrictEqual(
      [moreText(0, 2), moreText(3, 0), moreText(3, 2)],
      ["2 more", "3 more above", "3 more above, 2 more below"]
    )
  })

  it("of choices takes the key of one, in either case, and leaves at those that mean no", () => {
    const choices = [{ key: "y" }, { key: "q" }, { key: "R" }]
    const by = (text: string) => chosenBy(choices, { key: "text", text })
    assert.deepStrictEqual(
      [by("y"), by("Y"), by("q"), by("R"), by("r"), by("x")],
      [choices[0], choices[0], choices[1], choices[2], null, null]
    )
    for (const key of [{ key: "text", text: "n" }, { key: "escape" }, { key: "ctrl+c" }] as const)
      assert.strictEqual(chosenBy(choices, key), "leave")
    assert.strictEqual(chosenBy([], { key: "text", text: "q" }), "leave")
    // what is pasted is no key
    assert.isNull(chosenBy(choices, { key: "paste", text: "y" }))
  })
})

describe("options that have no room", () => {
  const options = [1, 2, 3, 4].map((number) => ({ number, label: `option ${number}` }))
  it.each<readonly [number | null, number, ReadonlyArray<string>]>([
    [null, 4, ["  1 option 1", "  2 option 2", "  3 option 3", "  4 option 4"]],
    [0, 2, ["❯ 1 option 1", "  2 option 2 ↓2"]],
    [2, 2, ["  2 option 2 ↑1", "❯ 3 option 3 ↓1"]],
    [2, 1, ["❯ 3 opti… ↑2 ↓1"]]
  ])("are counted where %j is marked in %i rows", (marked, rows, expected) => {
    const drawn = optionRows(options, marked, 16, rows)
    assert.deepStrictEqual(
      drawn.map((line) => line.map(({ text }) => text).join("")),
      expected
    )
  })
})

describe("letters that come together", () => {
  const spelled = { key: "text", text: "yes" } as const

  it("answer the monitor's question with the first, and press nothing else", () => {
    const driven = monitorOf([fedSession("a", { state: "idle" })], size)
    driven.press("x")
    driven.tell({ _tag: "Pressed", key: spelled, at: 0 })
    assert.deepStrictEqual(
      driven.taken().map(({ _tag }) => _tag),
      ["Do"]
    )
    assert.strictEqual(driven.state().mode._tag, "List")
  })

  it("and the queue client's", () => {
    const client = new DrivenClient({ queue }, size)
    client.press("<tab>c")
    client.take({ _tag: "Pressed", key: spelled, at: client.at })
    assert.deepStrictEqual(client.wanted(), [{ _tag: "Do", call: { _tag: "QueueClear" } }])
    assert.strictEqual(client.state.mode._tag, "List")
  })
})
