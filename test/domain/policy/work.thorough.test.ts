import { assert, it } from "@effect/vitest"
import { decide } from "../../../src/domain/policy/decide.ts"
import { bash, policyOf } from "./support.ts"

// Measured by the processor's time, which the machine has a part in: what counts its own steps said nothing of steps
// that were not counted.

const long = (text: string, length: number) => text.repeat(Math.ceil(length / text.length))
const units: ReadonlyArray<readonly [string, string]> = [
  ["blanks", " "],
  ["a word", "a"],
  ["words", "a "],
  ["commands", "a;"],
  ["commands of programs", "ls;"],
  ["pipes", "echo x | sort;"],
  ["what is made and run", "echo x > a; sh a;"],
  ["quotes", '"'],
  ["single quotes", "' "],
  ["backslashes", "\\"],
  ["backticks", "`"],
  ["escaped backticks", "`\\`"],
  ["substitutions", "$("],
  ["closed substitutions", "$()"],
  ["parameters", "${"],
  ["variables", 'a=x; cat "$a";'],
  ["arithmetic", "$(("],
  ["parentheses", "("],
  ["braces", "{a,"],
  ["heredocs", "<<E\n"],
  ["heredocs in substitutions", "cat <<E\n$("],
  ["files of commands", "diff <(a) <(b);"],
  ["wrappers", "sudo "],
  ["evals", "eval "],
  ["shells", "sh -c "],
  ["shells in quotes", 'sh -c "'],
  ["env -S", "env -S "],
  ["find", "find -exec "],
  ["assignments", "a="],
  ["tests", "[[ "],
  ["redirections", "> "],
  ["comments", "#\n"],
  ["loops", "for x do "],
  ["closed loops", "for x in a; do rm $x; done;"],
  ["directories", "cd a; rm b;"],
  ["links", "ln -s a b;"],
  ["nul", "\u0000"],
  ["bars", "|"],
  ["xargs", "xargs -I{} "]
]
const policy = policyOf({
  deny: [{ command: "rm -rf *" }, { path: "~/.ssh/**" }, { url: "*.evil.example" }],
  allow: [{ command: "echo *" }, { command: "rm *" }, { kind: "edit", path: "./**" }]
})
const took = (text: string): number => {
  const { system, user } = process.cpuUsage()
  decide({ policy, mode: "pause", home: "/home/me", tag: "t", cli: "c", directory: "/srv/app" }, bash(text))
  const after = process.cpuUsage({ system, user })
  return after.system + after.user
}
/** What grows with the square takes four times as long for twice as much, however often it is tried. */
it.each(units.map(([name, unit]) => ({ name, unit })))("is in proportion to the line: $name", ({ unit }) => {
  const [once, twice] = [long(unit, 20_000), long(unit, 40_000)]
  let [short, double] = [Infinity, Infinity]
  for (let round = 0; round < 9 && !(double <= 3 * short && short < Infinity); round++) {
    short = Math.min(short, took(once))
    double = Math.min(double, took(twice))
  }
  // below a moment it is nothing that anybody waits for
  assert.isAtMost(double, Math.max(3 * short, 20_000))
})
