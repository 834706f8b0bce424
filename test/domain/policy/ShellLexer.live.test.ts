import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { readCommandLine } from "../../../src/domain/policy/ShellInner.ts"
import { baseName, isSure, joinWords } from "../../../src/domain/policy/ShellWords.ts"

/** What a shell reads in these lines is what runs: programs `a` and `b` that write their words down. */
const pieces = [
  "a", "b", "a", "b", " ", " ", " ", "'", "\"", "\\", "$(", ")", "`", "(", ")", ";", "&&", "||", "|", "\n", "{ ", "; }", "#", "<<a\n", "\na\n", "<<'b'\n",
  "\nb\n", "if ", "; then ", "; fi", "for a in b; do ", "; done", "! ", "*", "?", "~", "=", "a=", "${a}", "$a", "${a:-", "}", "((", "))", "$((", "eval ",
  "command ", "sh -c ", "env ", "exec ", "\t", "\\\n", "2>&1", " >/dev/null "
]

const randomLines = (seed: number, count: number): ReadonlyArray<string> => {
  let state = seed
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
  const lines: Array<string> = []
  while (lines.length < count) {
    const line = Array.from({ length: 2 + next(9) }, () => pieces[next(pieces.length)]!).join("")
    if (/[ab]/.test(line) && readCommandLine(line).unclear === null) lines.push(line)
  }
  return lines
}

const chosen = [
  "a 'b  b'\"c\"\\d", "a|b;(a b)&&{ b a; }", "a $(b c) `a \\`b\\``", "a <<X\n$(b 1)\nX\nb 2", "a <<'X' <<'Y'\nX\nY\nb", "if a; then b 1; else b 2; fi", "for x in 1; do a $x b; done",
  "sh -c 'a 1; b \"2 3\"'", "eval 'a' \"'b c'\"", "env X=1 a b", "X=1 command a \"$(b x)\"", "a # b\nb", "a\\\n b", "! a || b", "a 2>&1 >/dev/null b", "a ${x:-$(b)}", "a $((1+$(b;echo 2)))"
]

describe("the lexer and the shell", () => {
  it.live("agree: nothing runs that was not found, where the lexer is certain", () =>
    Effect.gen(function*() {
      const dir = yield* Effect.acquireRelease(
        Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-shell-"))),
        (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
      )
      for (const name of ["a", "b", "aa", "ab", "ba", "bb"]) {
        // one write each: two programs of a pipeline run at once
        const script = `#!/bin/sh\nsaid=${name}\nfor x in "$@"; do said="$said\u001f$x"; done\nprintf '%s\\036' "$said" >>"$RAN"\n`
        fs.writeFileSync(path.join(dir, name), script, { mode: 0o755 })
      }
      let ran = 0
      for (const [i, line] of [...chosen, ...randomLines(7, 70)].entries()) {
        const log = path.join(dir, `ran-${i}`)
        spawnSync("/bin/sh", ["-c", line], { cwd: dir, env: { PATH: `${dir}:/usr/bin:/bin`, RAN: log, HOME: "/home/me" }, stdio: "ignore", timeout: 10_000 })
        const programs = fs.existsSync(log) ? fs.readFileSync(log, "utf8").split("\u001e").slice(0, -1).map((words) => words.split("\u001f").join(" ")) : []
        const { found } = readCommandLine(line)
        for (const program of programs) {
          ran++
          const seen = found.some((words) => {
            if (words[0] === undefined || !isSure(words[0])) return true
            const { sure, text } = joinWords([{ ...words[0], text: baseName(words[0].text), sure: baseName(words[0].text).length }, ...words.slice(1)])
            return sure === text.length ? text.replaceAll("~", "/home/me") === program.replaceAll("~", "/home/me") : `${program} `.startsWith(text.slice(0, sure))
          })
          assert.isTrue(seen, `${JSON.stringify(line)} ran ${JSON.stringify(program)}`)
        }
        if (i < chosen.length) assert.isAbove(programs.length, 0, line)
      }
      assert.isAbove(ran, 30)
    }).pipe(Effect.scoped))
})
