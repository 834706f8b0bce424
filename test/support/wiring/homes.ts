import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as HookInstallerFile from "../../../src/layers/files/HookInstallerFile.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import { HookInstaller } from "../../../src/services/HookInstaller.ts"
import { script } from "./hookScript.ts"

/** One file as it stands: what is in it, its mode, and where it leads if it is a link. */
type Standing = string

/** Every file below a directory; directories themselves are not told of. */
export const filesBelow = (dir: string): Readonly<Record<string, Standing>> => {
  const found: Record<string, Standing> = {}
  for (const name of fs.readdirSync(dir, { recursive: true, encoding: "utf8" }).sort()) {
    const file = path.join(dir, name)
    const stat = fs.lstatSync(file)
    if (stat.isSymbolicLink()) found[name] = `-> ${fs.readlinkSync(file)}`
    else if (stat.isFile()) found[name] = `${(stat.mode & 0o7777).toString(8)} ${fs.readFileSync(file, "latin1")}`
  }
  return found
}

/** How a user keeps a file: in its place, or in a folder of dotfiles with a link to it. */
export interface Keeping {
  readonly mode: number
  readonly linked: boolean
}

/** A user's home with these files (by their paths in it), and a leap whose own files are elsewhere. */
export const makeHome = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string>>,
  { linked, mode }: Keeping = { mode: 0o644, linked: false }
) {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap home of my own "))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const home = path.join(dir, "home")
  fs.mkdirSync(home)
  for (const [name, text] of Object.entries(files)) {
    const place = path.join(home, name)
    const file = linked ? path.join(dir, "dotfiles", name.replaceAll("/", "_")) : place
    for (const parent of [path.dirname(file), path.dirname(place)]) fs.mkdirSync(parent, { recursive: true })
    fs.writeFileSync(file, text)
    fs.chmodSync(file, mode)
    if (linked) fs.symlinkSync(path.relative(path.dirname(place), file), place)
  }
  const installer = yield* HookInstaller.pipe(
    Effect.provide(
      HookInstallerFile.layerWith({ env: { HOME: home }, script }).pipe(
        Layer.provide([PathsXdg.layerFrom({ LEAP_HOME: path.join(dir, "my leap") }), NodeFileSystem.layer])
      ),
      { local: true }
    )
  )
  const all = () => ({
    ...filesBelow(home),
    ...(linked
      ? Object.fromEntries(
          Object.entries(filesBelow(path.join(dir, "dotfiles"))).map(([name, it]) => [`dotfiles/${name}`, it])
        )
      : {})
  })
  return {
    dir,
    home,
    all,
    installer,
    read: (name: string) => fs.readFileSync(path.join(home, name), "utf8"),
    write: (name: string, text: string) => {
      fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
      fs.writeFileSync(path.join(home, name), text)
    }
  }
})

/** A file of settings as a real CLI left it. */
export const realSettings = (name: string): string =>
  fs.readFileSync(path.resolve(import.meta.dirname, "../../fixtures/settings", name), "utf8")
