import { assert, describe, it } from "@effect/vitest"
import { bytesOf, type OwnKeys } from "../../../../src/domain/cli/provider/OwnKeys.ts"
import { keys as claudeKeys } from "../../../../src/domain/providers/claude/InputKeys.ts"
import { keys as codexKeys } from "../../../../src/domain/providers/codex/InputKeys.ts"
import { keys as geminiKeys } from "../../../../src/domain/providers/gemini/InputKeys.ts"
import { keys as opencodeKeys } from "../../../../src/domain/providers/opencode/InputKeys.ts"

const controlEnter = "\u001b[13;5u"

describe("what a terminal sends", () => {
  it.each<readonly [string, string | null]>([
    ["enter", "\r"],
    ["Return", "\r"],
    ["ctrl+enter", controlEnter],
    ["ctrl-enter", controlEnter],
    ["shift+return", "\u001b[13;2u"],
    ["alt+enter", "\u001b\r"],
    ["ctrl+alt+enter", "\u001b[13;7u"],
    ["ctrl+s", "\u0013"],
    ["meta+s", "\u001bs"],
    ["ctrl+x ctrl+s", "\u0018\u0013"],
    ["tab", "\t"],
    ["f5", null],
    ["hyper+s", null],
    ["s", "s"],
    ["", null]
  ])("for %s", (name, bytes) => {
    // a letter alone writes text
    assert.strictEqual(bytesOf(name), name === "s" ? null : bytes)
  })
})

const bindings = (...blocks: ReadonlyArray<readonly [string, Readonly<Record<string, string | null>>]>) =>
  JSON.stringify({ bindings: blocks.map(([context, keys]) => ({ context, bindings: keys })) })

describe("the key that sends, by a CLI's own settings", () => {
  it.each<readonly [string, OwnKeys, ReadonlyArray<string | null>, string | null]>([
    ["Claude without any", claudeKeys, [null], null],
    ["Claude, damaged", claudeKeys, ["{ bindings: ["], null],
    ["Claude, Enter for a new line alone", claudeKeys, [bindings(["Chat", { enter: "chat:newline" }])], null],
    [
      "Claude, two blocks, a comment",
      claudeKeys,
      [
        `// mine\n${bindings(["Chat", { Enter: null }], ["Global", { enter: "chat:submit" }], ["Chat", { "ctrl+s": "chat:submit" }])}`
      ],
      "\u0013"
    ],
    ["Claude, one more key", claudeKeys, [bindings(["Chat", { "ctrl+s": "chat:submit" }])], null],
    ["Gemini without any", geminiKeys, [null], null],
    ["Gemini, one more", geminiKeys, ['[{"command":"input.submit","key":"ctrl+s"}]'], null],
    [
      "Gemini, a key that makes a new line, as by itself, and one that does not",
      geminiKeys,
      [
        '[{"command":"-input.submit","key":"enter"},{"command":"input.submit","key":"ctrl+s"},{"command":"input.submit","key":"Ctrl+Enter"}]'
      ],
      "\u0013"
    ],
    [
      "Gemini, Enter for a new line alone",
      geminiKeys,
      ['[{"command":"input.newline","key":"enter"},{"command":"input.submit","key":"ctrl+s"}]'],
      "\u0013"
    ],
    ["OpenCode without any", opencodeKeys, [null, null, null, null], null],
    [
      "OpenCode, in the file of its look",
      opencodeKeys,
      ['{"keybinds":{"input_submit":"return"}}', null, '{"keybinds":{"input_submit":"ctrl+return,ctrl+s"}}', null],
      controlEnter
    ],
    ["OpenCode, none", opencodeKeys, ['{"keybinds":{"input_submit":"none"}}', null, null, null], null],
    [
      "OpenCode, a list, as objects",
      opencodeKeys,
      [
        '{"keybinds":{"input_submit":[{"key":{"name":"return","ctrl":true}},{"name":"s","ctrl":true}]}}',
        null,
        null,
        null
      ],
      controlEnter
    ],
    ["OpenCode, switched off", opencodeKeys, ['{"keybinds":{"input_submit":false}}', null, null, null], null],
    ["Codex without any", codexKeys, [null], null],
    ["Codex, other keys", codexKeys, ['[tui.keymap.global]\nleader = "ctrl-x"\n'], null],
    ["Codex, one", codexKeys, ['[tui.keymap.composer]\nsubmit = "ctrl-enter"\n'], controlEnter],
    ["Codex, several", codexKeys, ['tui.keymap.composer.submit = ["f5", "alt-enter"]\n'], "\u001b\r"],
    ["Codex, Enter among them", codexKeys, ['[tui.keymap.composer]\nsubmit = ["ctrl-s", "enter"]\n'], null],
    ["Codex, damaged", codexKeys, ["[tui.keymap.composer\n"], null]
  ])("%s", (_, keys, texts, expected) => {
    assert.strictEqual(keys.submit(texts), expected)
    assert.strictEqual(keys.files({ HOME: "/home/me" }).length, texts.length)
  })
})
