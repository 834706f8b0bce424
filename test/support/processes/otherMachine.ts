import * as fs from "node:fs"
import * as path from "node:path"
import type { Room } from "./Room.ts"

/**
 * A stand-in for ssh in `near`'s PATH, whose other machine is the room `far`: its environment, and a shell of it that
 * runs the line. `down`: whether nothing is reached. The variables are for leap in `near`.
 */
export const otherMachine = (near: Room, far: Room) => {
  const bin = (room: Room, name: string, script: string): string => {
    const dir = path.join(room.dir, "bin")
    fs.mkdirSync(dir, { recursive: true })
    fs.writeFileSync(path.join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return dir
  }
  const there = bin(far, "leap", `exec '${far.command.join("' '")}' "$@"`)
  const down = path.join(near.dir, "down")
  const log = path.join(near.dir, "ssh.log")
  const variables = Object.entries({ ...far.env, PATH: `${there}:${far.env["PATH"]}` })
  const here = bin(
    near,
    "ssh",
    [
      `for last; do :; done`,
      `printf '%s\\n' "$*" >> '${log}'`,
      `[ -e '${down}' ] && { echo 'ssh: connect to host box port 22: Connection refused' >&2; exit 255; }`,
      ...variables.map(([name, value]) => `export ${name}='${value}'`),
      `cd '${far.dir}'`,
      // without -n ssh takes all of the standard input, what is not read there too
      `case " $* " in *" -n "*) exec sh -c "$last" < /dev/null;; esac`,
      `sh -c "$last"; code=$?; timeout 0.1 cat > /dev/null; exit $code`
    ].join("\n")
  )
  return {
    variables: { PATH: `${here}:${near.env["PATH"]}` },
    calls: (): ReadonlyArray<string> =>
      fs.existsSync(log)
        ? fs
            .readFileSync(log, "utf8")
            .split("\n")
            .filter((line) => line !== "")
        : [],
    setDown: (isDown: boolean): void => (isDown ? fs.writeFileSync(down, "") : fs.rmSync(down, { force: true }))
  }
}
