import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

/** What a shell did with a line: the programs it ran, with their arguments, and the files that it made. */
export interface ShellRun {
  readonly ran: ReadonlyArray<ReadonlyArray<string>>
  readonly wrote: ReadonlyArray<string>
}

const zsh = ["/usr/bin/zsh", "/bin/zsh", "/opt/zsh/bin/zsh"].find((file) => fs.existsSync(file))
/** The shells of this machine that command lines are tried in. */
export const shellsHere: ReadonlyArray<readonly [name: string, command: string]> = [
  ["bash", "/bin/bash --norc --noprofile"],
  ["dash", "/bin/dash"],
  ...(zsh === undefined ? [] : [["zsh", `${zsh} -f`] as const])
].filter(([, command]) => fs.existsSync(command.split(" ")[0] ?? "")) as ReadonlyArray<readonly [string, string]>

const stub = `#!/bin/dash
said=\${0##*/}
for x in "$@"; do said="$said\u001f$x"; done
printf '%s\\036' "$said" >>"$RAN"
case \${0##*/} in
  timeout) shift; exec "$@";;
  nohup) exec "$@";;
  env) while case \${1-} in *=*) true;; *) false;; esac; do shift; done; test $# -gt 0 && exec "$@";;
  xargs) exec "$@" given;;
  find) while test $# -gt 0 && test "$1" != -exec; do shift; done; test $# -gt 1 && shift && exec "$@";;
  sh) exec /bin/dash "$@";;
  echo) printf '%s\\n' "$*";;
esac
exit 0
`
const names = "a b c aa ab ba rm ls sh env nohup timeout xargs find echo cat repeat always foreach in x y v w".split(
  " "
)

/**
 * Runs lines in a shell whose only programs are stubs that write down that they ran. Each line gets a directory of its
 * own with the files `in` and `x`. One process drives them all: a start of Node's for each would take longest.
 */
export const runLines = async (
  place: string,
  shell: readonly [name: string, command: string],
  lines: ReadonlyArray<string>
): Promise<ReadonlyArray<ShellRun>> => {
  const [name, command] = shell
  // a new one each time: what a line left in the background may still write to the one before
  const dir = fs.mkdtempSync(path.join(place, `${name}-`))
  const bin = path.join(dir, "bin")
  fs.mkdirSync(bin, { recursive: true })
  for (const program of names) fs.writeFileSync(path.join(bin, program), stub, { mode: 0o755 })
  for (const i of lines.keys()) {
    fs.mkdirSync(path.join(dir, `${i}`))
    for (const file of ["in", "x"]) fs.writeFileSync(path.join(dir, `${i}`, file), "")
  }
  // a line may have anything but a zero byte in it, which no argument can have
  fs.writeFileSync(path.join(dir, "lines"), lines.map((line) => `${line.replaceAll("\u0000", "")}\u0000`).join(""))
  const driver = `
cd "${dir}" || exit 1
mapfile -d '' lines <lines
i=0
groups=
# what a line has left in the background writes down what it runs, and is ended: it may be a loop without an end
end() {
  sleep 0.05
  for group in $groups; do kill -KILL -- "-$group"; done 2>/dev/null
  groups=
}
for line in "\${lines[@]}"; do
  (cd "$i" && RAN="${dir}/$i.ran" HOME="${dir}/$i" PATH="${bin}" exec /usr/bin/timeout -s KILL 5 ${command} -c "$line" </dev/null >/dev/null 2>&1) &
  wait $!
  groups="$groups $!"
  i=$((i + 1))
  [ $((i % 40)) = 0 ] && end
done
end
`
  await new Promise<void>((resolve) => {
    const env = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" }
    spawn("/bin/bash", ["-c", driver], { stdio: "ignore", env }).once("close", () => resolve())
  })
  const ran = lines.map((_, i) => {
    const log = path.join(dir, `${i}.ran`)
    return {
      ran: fs.existsSync(log)
        ? fs
            .readFileSync(log, "utf8")
            .split("\u001e")
            .slice(0, -1)
            .map((words) => words.split("\u001f"))
        : [],
      wrote: fs.readdirSync(path.join(dir, `${i}`)).filter((file) => file !== "in" && file !== "x")
    }
  })
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  return ran
}
