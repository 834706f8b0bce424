import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { editorFor } from "../../../../src/domain/words/session/editorFor.ts"

type Env = Readonly<Record<string, string>>

describe("the editor for a directory", () => {
  it.each<readonly [told: string | null, env: Env, platform: string, line: string, from: string, inTerminal: boolean]>([
    ["code -n", { VISUAL: "vim", EDITOR: "ed" }, "linux", "code -n /a b", "the setting 'editor'", false],
    [null, { VISUAL: "nvim -O", EDITOR: "ed" }, "linux", "nvim -O /a b", "VISUAL", true],
    [null, { VISUAL: " ", EDITOR: "/usr/bin/vi" }, "linux", "/usr/bin/vi /a b", "EDITOR", true],
    [null, { EDITOR: "'/opt/my editor/bin' --wait" }, "linux", "/opt/my editor/bin --wait /a b", "EDITOR", false],
    [null, { EDITOR: "emacsclient -nw" }, "linux", "emacsclient -nw /a b", "EDITOR", true],
    [null, { EDITOR: "emacsclient -c" }, "linux", "emacsclient -c /a b", "EDITOR", false],
    [null, { DISPLAY: ":0" }, "linux", "xdg-open /a b", "the desktop", false],
    [null, { WAYLAND_DISPLAY: "w" }, "linux", "xdg-open /a b", "the desktop", false],
    [null, {}, "darwin", "open /a b", "the desktop", false]
  ])("%s, %o on %s", (told, env, platform, line, from, inTerminal) => {
    const found = Result.getOrThrow(editorFor("/a b", told, env, platform))
    assert.deepStrictEqual(
      [[found.command, ...found.args].join(" "), found.from, found.inTerminal, found.args.at(-1)],
      [line, from, inTerminal, "/a b"]
    )
  })
  it.each<readonly [told: string | null, env: Env, why: RegExp]>([
    [null, {}, /leap settings set editor/],
    [null, { VISUAL: "code 'x" }, /^VISUAL cannot be read/]
  ])("is none with %s, %o", (told, env, why) => {
    const found = editorFor("/a", told, env, "linux")
    assert.match(Result.isFailure(found) ? found.failure : "", why)
  })
})
