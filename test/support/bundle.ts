import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type OutputOptions, rolldown, type RolldownOptions } from "rolldown"

const root = join(import.meta.dirname, "../..")

/** Builds leap as users run it, once for a whole test run: a start from the bundle is several times faster than from sources. */
export default async function setup() {
  const config = await import(pathToFileURL(join(root, "rolldown.config.mjs")).href) as { readonly default: RolldownOptions & { readonly output: OutputOptions } }
  const { output, ...input } = config.default
  const place = join(root, "node_modules/.cache/leap-tests", String(process.pid))
  const build = await rolldown({ ...input, cwd: root, logLevel: "silent" })
  await build.write({ ...output, dir: join(place, "dist") })
  await build.close()
  // the hook script is found beside the bundle's folder
  cpSync(join(root, "hooks"), join(place, "hooks"), { recursive: true })
  process.env["LEAP_TEST_BUNDLE"] = join(place, "dist/leap.js")
  return () => rmSync(place, { recursive: true, force: true })
}
