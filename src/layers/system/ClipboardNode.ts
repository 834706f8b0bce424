import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Clipboard } from "../../services/Clipboard.ts"
import { System } from "../../services/System.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import { programEnd } from "./programEnd.ts"
import { DesktopError } from "../../services/DesktopError.ts"

/** A program that prints the clipboard's picture. */
interface Source {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

const failed = (why: string) => new DesktopError({ what: "no picture from the clipboard", why })

const timeout = 5_000
const largest = 32 * 1024 * 1024

/** The programs to try, by the kind of desktop. */
const sources = (env: NodeJS.ProcessEnv, platform: string): ReadonlyArray<Source> =>
  platform === "darwin"
    ? [
        { command: "pngpaste", args: ["-"] },
        // prints «data PNGf89504E47…»
        { command: "osascript", args: ["-e", "get the clipboard as «class PNGf»"] }
      ]
    : [
        ...(env["WAYLAND_DISPLAY"] ? [{ command: "wl-paste", args: ["--type", "image/png"] }] : []),
        ...(env["DISPLAY"] ? [{ command: "xclip", args: ["-selection", "clipboard", "-t", "image/png", "-o"] }] : [])
      ]

const endings = [
  { ending: "png", magic: "89504e47" },
  { ending: "jpg", magic: "ffd8ff" },
  { ending: "gif", magic: "47494638" }
]

/** The picture in a program's output; null: it is not a picture. */
const pictureIn = (output: Buffer): { readonly ending: string; readonly data: Buffer } | null => {
  const hex = /^«data PNGf([0-9A-F]+)»\s*$/i.exec(output.subarray(0, 16).includes("PNGf") ? output.toString() : "")?.[1]
  const data = hex === undefined ? output : Buffer.from(hex, "hex")
  const start = data.subarray(0, 4).toString("hex")
  const found = endings.find(({ magic }) => start.startsWith(magic))
  return found === undefined ? null : { ending: found.ending, data }
}

const image = (env: NodeJS.ProcessEnv, platform: string) =>
  Effect.fn("Clipboard.image")(function* (directory: string) {
    const programs = sources(env, platform)
    if (programs.length === 0) return yield* failed("this terminal is on no desktop; !i FILE attaches a file")
    for (const source of programs) {
      const options = { env, timeout, maxBuffer: largest }
      const { error, output } = yield* programEnd(source.command, source.args, options)
      const picture = error === null ? pictureIn(output) : null
      if (picture === null) continue
      // one picture is one file, however often it is pasted
      const name = `${createHash("sha256").update(picture.data).digest("hex").slice(0, 16)}.${picture.ending}`
      const file = path.join(directory, name)
      yield* Effect.tryPromise({
        try: () =>
          fs
            .mkdir(directory, { recursive: true, mode: 0o700 })
            .then(() => fs.writeFile(file, picture.data, { mode: 0o600 })),
        catch: (cause) => failed(errorTextOf(cause))
      })
      return file
    }
    const names = programs.map(({ command }) => command).join(" and ")
    return yield* failed(`there is none, or ${names} cannot read it; !i FILE attaches a file`)
  })

/** For a desktop of this environment. */
export const layerFrom = (env: NodeJS.ProcessEnv, platform: string): Layer.Layer<Clipboard> =>
  Layer.succeed(Clipboard, { image: image(env, platform) })

export const layer: Layer.Layer<Clipboard, never, System> = Layer.unwrap(
  Effect.map(System, ({ env }) => layerFrom(env, process.platform))
)
