import { assert, describe, it } from "@effect/vitest"
import type * as Monitor from "../../../../src/domain/surfaces/monitor/Monitor.ts"
import * as Capture from "../../../../src/domain/surfaces/overlay/Capture.ts"
import * as Menu from "../../../../src/domain/surfaces/overlay/Menu.ts"
import type * as Overlay from "../../../../src/domain/surfaces/overlay/Overlay.ts"
import * as Picker from "../../../../src/domain/surfaces/picker/Picker.ts"
import type { Editor } from "../../../../src/domain/surfaces/tui/Editor.ts"
import { decode, flushHeld, type Key, start } from "../../../../src/domain/surfaces/tui/Keys.ts"
import { utf8ToLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { asking, DrivenClient, question } from "../../../support/data/clientKeys.ts"
import { fedSession, monitorOf } from "../../../support/data/monitorKeys.ts"
import { overlayOf } from "../../../support/data/overlayKeys.ts"

const size = { cols: 80, rows: 24 }

/** A text that is written somewhere: what takes a key, and the text after it. */
type Surface = () => { readonly press: (key: Key) => void; readonly field: () => Editor | null }

const overlay =
  (begun: Overlay.Overlay, of: (now: Overlay.Overlay | null) => Editor | null): Surface =>
  () => {
    const { overlay, press } = overlayOf(begun, { question })
    return { press, field: () => of(overlay()) }
  }
const monitor =
  (begin: string): Surface =>
  () => {
    const driven = monitorOf([fedSession("a1", { state: "idle" })], size)
    driven.press(begin)
    return {
      press: (key) => driven.tell({ _tag: "Pressed", key, at: 0 }),
      field: () => {
        const { mode, query }: Monitor.MonitorState = driven.state()
        return mode._tag === "Write" ? mode.editor : mode._tag === "Filter" ? query : null
      }
    }
  }

const surfaces: Readonly<Record<string, Surface>> = {
  picker: () => {
    let state = Picker.start({ rows: [], home: "/home/u", cwd: "/", size })
    return { press: (key) => void (state = Picker.update(state, key)), field: () => (state.left ? null : state.query) }
  },
  "the monitor's filter": monitor("/"),
  "the monitor's message": monitor("s"),
  "the queue client": () => {
    const client = new DrivenClient(asking, size)
    return {
      press: (key) => void client.take({ _tag: "Pressed", key, at: client.at }),
      field: () => (client.state.left ? null : client.state.editor)
    }
  },
  "a message over the screen": overlay(Capture.start, (now) => (now?._tag === "Capture" ? now.written : null)),
  "an answer in words": overlay(
    { ...Menu.menu, _tag: "Answer", title: question.title, selected: 0, own: Capture.start.written },
    (now) => (now?._tag === "Answer" ? now.own : null)
  )
}

const written = (surface: Surface, bytes: string): string => {
  const { field, press } = surface()
  const decoded = decode(start, utf8ToLatin1(bytes))
  for (const key of [...decoded.keys, ...flushHeld(decoded.state).keys]) press(key)
  const now = field()
  return now === null ? "left" : `${now.text.slice(0, now.cursor)}|${now.text.slice(now.cursor)}`
}

describe.each(Object.entries(surfaces))("what is written in %s", (_, surface) => {
  it.each<readonly [what: string, bytes: string, text: string]>([
    ["typed", "one two", "one two|"],
    ["wide characters and such as are several", "日本👩‍👩‍👧e\u0301", "日本👩‍👩‍👧e\u0301|"],
    ["pasted", "a \x1b[200~b c\x1b[201~", "a b c|"],
    ["⌫ takes what people call a character", "a👩‍👩‍👧\x7f", "a|"],
    ["← and Delete", "abc\x1b[D\x1b[D\x1b[3~", "a|c"],
    ["Ctrl+B and Ctrl+F", "abc\x02\x02\x06", "ab|c"],
    ["Ctrl+A and Ctrl+E", "bc\x01a\x05d", "abcd|"],
    ["Ctrl+W", "one two\x17", "one |"],
    ["Alt+⌫", "one two\x1b\x7f", "one |"],
    ["Ctrl+⌫, reported", "one two\x1b[127;5u", "one |"],
    ["Ctrl+U", "one two\x15", "|"],
    ["Ctrl+U before the cursor only", "one two\x1bb\x15", "|two"],
    ["Ctrl+Y puts back what was cut", "one two\x17\x19\x19", "one twotwo|"],
    ["Ctrl+_ undoes", "one two\x17\x1f", "one two|"],
    ["Alt+B and Alt+F", "one two\x1bb\x1bbX\x1bf", "Xone| two"],
    ["Ctrl+← and Alt+→", "one two\x1b[1;5D\x1b[1;5DX\x1b[1;3C", "Xone| two"],
    ["Alt+D", "one two\x01\x1bd", "| two"],
    ["Shift+←, as ←", "ab\x1b[1;2DX", "aX|b"],
    ["keys of kitty and modifyOtherKeys", "one two\x1b[119;5ux\x1b[27;5;97~y", "y|one x"],
    ["on ЙЦУКЕН by their place", "one two\x1b[1094::119;5u", "one |"],
    ["the keypad's digits", "x\x1bOq\x1bOr", "x12|"],
    ["what nobody typed is nothing", "a\x1b[I\x1b]11;rgb:0/0/0\x07\x1b[97;5:3ub", "ab|"],
    ["nor is the mouse", "a\x1b[<0;1;1Mb", "ab|"],
    ["nor a key of the keyboard's own", "a\x1b[57352ub", "ab|"]
  ])("%s", (_, bytes, text) => assert.strictEqual(written(surface, bytes), text))
})

/** Where there is a list, they go to its ends. */
const lists: ReadonlySet<string> = new Set(["picker", "the monitor's filter"])

describe.each(Object.entries(surfaces).filter(([name]) => !lists.has(name)))("in %s", (_, surface) => {
  it("Home and End go to the ends of what is written", () =>
    assert.strictEqual(written(surface, "bc\x1b[Ha\x1b[4~d\x1bOHx"), "x|abcd"))
})
