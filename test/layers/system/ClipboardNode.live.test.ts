import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as ClipboardNode from "../../../src/layers/system/ClipboardNode.ts"
import { Clipboard } from "../../../src/services/Clipboard.ts"
import { live } from "../../support/run/effects.ts"

const png = "89504e470d0a1a0a00000000"

/** A desktop on whose PATH are programs of these names, with these shell scripts. */
const desktop = (programs: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-clipboard-"))
      for (const [name, script] of Object.entries(programs))
        fs.writeFileSync(path.join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      return dir
    }),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )

const octal = (png.match(/../g) ?? []).map((byte) => `\\${Number.parseInt(byte, 16).toString(8).padStart(3, "0")}`)
const printsPng = `printf '${octal.join("")}'`

const image = (dir: string, env: Readonly<Record<string, string>>, platform = "linux") =>
  Effect.flatMap(Clipboard, (clipboard) => clipboard.image(path.join(dir, "images"))).pipe(
    Effect.provide(ClipboardNode.layerFrom({ PATH: `${dir}:/usr/bin:/bin`, ...env }, platform), { local: true })
  )

describe("the clipboard's picture", () => {
  live("is stored once, for its user only", function* () {
    const dir = yield* desktop({ "wl-paste": "exit 1", xclip: printsPng })
    const env = { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" }
    const file = yield* image(dir, env)
    assert.match(file, /\/images\/[0-9a-f]{16}\.png$/)
    assert.strictEqual(fs.readFileSync(file).toString("hex"), png)
    assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
    assert.strictEqual(yield* image(dir, env), file)
    assert.strictEqual(fs.readdirSync(path.dirname(file)).length, 1)
  })

  live("comes as hexadecimal digits from AppleScript", function* () {
    const dir = yield* desktop({ osascript: `echo '«data PNGf${png.toUpperCase()}»'` })
    assert.strictEqual(fs.readFileSync(yield* image(dir, {}, "darwin")).toString("hex"), png)
  })

  live("is none where text is in it, where no program reads it, and without a desktop", function* () {
    const dir = yield* desktop({ xclip: "echo some text" })
    const why = (env: Readonly<Record<string, string>>) => Effect.map(Effect.flip(image(dir, env)), ({ why }) => why)
    assert.include(yield* why({ DISPLAY: ":0" }), "xclip cannot read it")
    assert.include(yield* why({ WAYLAND_DISPLAY: "wayland-0" }), "wl-paste cannot read it")
    assert.include(yield* why({}), "on no desktop")
    assert.isFalse(fs.existsSync(path.join(dir, "images")))
  })
})
