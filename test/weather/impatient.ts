import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claude } from "../real/cli/claude.ts"
import { codex } from "../real/cli/codex.ts"
import { copilot } from "../real/cli/copilot.ts"
import { gemini } from "../real/cli/gemini.ts"
import { opencode } from "../real/cli/opencode.ts"
import type { RealCli } from "../real/hosted.ts"
import type { Front } from "./Front.ts"
import { trust } from "./tls/certificates.ts"

type Prepare = RealCli["prepare"]

const edited = (file: string, edit: (text: string) => string) => writeFileSync(file, edit(readFileSync(file, "utf8")))

/** What each CLI offers to try a failed request less often. */
const patience: Readonly<Record<string, (home: string) => Readonly<Record<string, string>>>> = {
  claude: () => ({ CLAUDE_CODE_MAX_RETRIES: "0" }),
  codex: (home) => {
    edited(join(home, ".codex/config.toml"), (text) =>
      text.replace("[analytics]", "request_max_retries = 0\nstream_max_retries = 0\n\n[analytics]")
    )
    return {}
  },
  gemini: (home) => {
    edited(join(home, ".gemini/settings.json"), (text) => text.replace('"maxAttempts": 3', '"maxAttempts": 1'))
    return {}
  }
}

/** The CLI behind a front, trying failed requests as little as it allows. */
export const impatient = (cli: RealCli, front: Front): RealCli => {
  const prepare: Prepare = (home, project, endpoint) => {
    front.target = Number(new URL(endpoint).port)
    return {
      ...cli.prepare(home, project, front.url),
      ...patience[cli.id]?.(home),
      ...(front.secure ? trust : {})
    }
  }
  return { ...cli, prepare }
}

/** The CLIs that have a reader of their own and a fake endpoint. */
export const clis: ReadonlyArray<RealCli> = [claude, codex, gemini, copilot, opencode]
