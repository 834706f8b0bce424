import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { editorFor } from "../../../../src/domain/words/environment/editorFor.ts"

type Env = Readonly<Record<string, string>>

describe("the editor for a directory", () => {
  it.each<
    readonly [
      told: string | null,
      env: Env,
      platform: string,
      line: string,
      from: string,
      draws: "terminal" | "desktop" | null
    ]
  >([
    ["code -n", { VISUAL: "vim", EDITOR: "ed" }, "linux", "code -n /a b", "the setting 'editor'", "desktop"],
    [null, { VISUAL: "nvim -O", EDITOR: "ed" }, "linux", "nvim -O /a b", "VISUAL", "terminal"],
    [null, { VISUAL: " ", EDITOR: "/usr/bin/vi" }, "linux", "/usr/bin/vi /a b", "EDITOR", "terminal"],
    [null, { EDITOR: "'/opt/my editor/bin' --wait" }, "linux", "/opt/my editor/bin --wait /a b", "EDITOR", null],
    [null, { EDITOR: "emacsclient -nw" }, "linux", "emacsclient -nw /a b", "EDITOR", "terminal"],
    [null, { EDITOR: "emacsclient -c" }, "linux", "emacsclient -c /a b", "EDITOR", null],
    [null, { DISPLAY: ":0" }, "linux", "xdg-open /a b", "the desktop", "desktop"],
    [null, { WAYLAND_DISPLAY: "w" }, "linux", "xdg-open /a b", "the desktop", "desktop"],
    [null, {}, "darwin", "open /a b", "the desktop", "desktop"]
  ])("%s, %o on %s", (told, env, platform, line, from, draws) => {
    const found = Result.getOrThrow(editorFor("/a b", told, env, platform))
    assert.deepStrictEqual(
      [[found.command, ...found.args].join(" "), found.from, found.draws, found.args.at(-1)],
      [line, from, draws, "/a b"]
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
