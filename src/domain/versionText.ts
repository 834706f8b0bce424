/** The escape sequences that programs colour their words with. */
// oxlint-disable-next-line no-control-regex
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** The version that a program's answer to `--version` names, or null: `2.1.329 (Claude Code)`, `codex-cli 0.169.0`. */
export const versionIn = (text: string): string | null =>
  /(?<![\w.])v?(\d+(?:\.\d+)+(?:[-+][0-9A-Za-z][0-9A-Za-z.+-]*)?)/.exec(text.replaceAll(escapes, ""))?.[1]?.replace(/[.+-]+$/, "") ?? null
