import { execFileSync } from "node:child_process"
import { join } from "node:path"

/** Makes what sources import as `#generated/NAME.json`, so that tests of sources never see an older one. */
export default function setup() {
  execFileSync(process.execPath, [join(import.meta.dirname, "../../../scripts/build/generate.ts")], {
    stdio: "inherit"
  })
}
