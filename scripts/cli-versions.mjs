// Installs one version of one CLI into the cache of the real CLIs ($LEAP_CLI_CACHE, or ~/.cache/leap/clis), each in a
// folder of its own, and tells the folder of its program. Does nothing when it is installed.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"

export const cache = resolve(process.env.LEAP_CLI_CACHE || join(homedir(), ".cache/leap/clis"))

/** The package of each CLI on the npm registry. */
export const packages = {
  claude: "@anthropic-ai/claude-code",
  codex: "@openai/codex",
  copilot: "@github/copilot",
  gemini: "@google/gemini-cli",
  opencode: "opencode-ai",
  qwen: "@qwen-code/qwen-code",
  cline: "cline"
}

/** What a CLI would fetch at its start, and the box has no network for. */
const besides = { opencode: (version) => [`@opencode-ai/plugin@${version}`, "@vscode/ripgrep@1.18.0"] }

/** Versions that leap's tests with real CLIs run besides the pinned ones, by the CLI. */
export const older = { claude: ["2.0.77", "2.1.80"], codex: ["0.130.0"] }

/** CLIs that leap knows by shipped patterns alone (src/domain/providers/generic/ScreenPrograms.ts). */
export const others = { qwen: ["0.24.4"], cline: ["3.0.65"] }

/** The folder of a version's program, whether it is installed or not. */
export const folderOf = (cli, version) => join(cache, `${process.platform}-${process.arch}-${cli}-${version}`)

/**
 * The folder of the version's program, after installing it; null where the registry does not have it, which is said on
 * standard error. Fails where the installation does for another reason.
 */
export const installVersion = (cli, version) => {
  const folder = folderOf(cli, version)
  const programs = join(folder, "node_modules/.bin")
  if (existsSync(folder)) return programs
  const spec = `${packages[cli]}@${version}`
  const specs = [spec, ...(besides[cli]?.(version) ?? [])]
  mkdirSync(cache, { recursive: true })
  const staging = mkdtempSync(join(cache, ".installing-"))
  try {
    const scripts = { [packages[cli]]: true, "@vscode/ripgrep": true }
    writeFileSync(join(staging, "package.json"), JSON.stringify({ private: true, allowScripts: scripts }))
    writeFileSync(join(staging, ".npmrc"), "audit=false\nfund=false\nupdate-notifier=false\n")
    process.stderr.write(`installing ${spec}\n`)
    const done = spawnSync("npm", ["install", "--no-save", "--no-ignore-scripts", "--loglevel=error", ...specs], {
      cwd: staging,
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      timeout: 300_000
    })
    if (done.status !== 0) {
      const why = `${done.stdout}${done.stderr}`
      if (/\b(?:E404|ETARGET|ENOVERSIONS)\b/.test(why)) {
        process.stderr.write(`the registry does not have ${spec}: what needs it is skipped\n`)
        return null
      }
      throw new Error(`could not install ${spec}: ${why.trim() || done.signal || done.error}`)
    }
    try {
      renameSync(staging, folder)
    } catch (error) {
      // Another run was faster; its installation serves as well.
      if (!existsSync(folder)) throw error
    }
    return programs
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
