import * as fs from "node:fs"
import * as path from "node:path"
import type { Room } from "./Room.ts"

/** A leap of its own: where it is, and how it is run. */
type Place = Pick<Room, "command" | "dir" | "env">

/**
 * A stand-in for ssh in `near`'s PATH, whose other machine is the room `far`: its environment, and a shell of it that
 * runs the line. `down`: whether nothing is reached. The variables are for leap in `near`.
 */
export const otherMachine = (near: Place, far: Place) => {
  const bin = (room: Place, name: string, script: string): string => {
    const dir = path.join(room.dir, "bin")
    fs.mkdirSync(dir, { recursive: true })
    fs.writeFileSync(path.join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return dir
  }
  const leapThere = bin(far, "leap", `exec '${far.command.join("' '")}' "$@"`)
  const down = path.join(near.dir, "down")
  const variables = Object.entries({ ...far.env, PATH: `${leapThere}:${far.env["PATH"]}` })
  // nothing of this machine's environment gets there
  const there = `env -i ${variables.map(([name, value]) => `${name}='${value}'`).join(" ")} sh -c`
  const here = bin(
    near,
    "ssh",
    [
      `for last; do :; done`,
      `[ -e '${down}' ] && { echo 'ssh: connect to host box port 22: Connection refused' >&2; exit 255; }`,
      `cd '${far.dir}'`,
      // without -n ssh takes all of the standard input, what is not read there too
      `case " $* " in *" -n "*) exec ${there} "$last" < /dev/null;; esac`,
      `${there} "$last"; code=$?; timeout 0.1 cat > /dev/null; exit $code`
    ].join("\n")
  )
  return {
    variables: { PATH: `${here}:${near.env["PATH"]}` },
    setDown: (isDown: boolean): void => (isDown ? fs.writeFileSync(down, "") : fs.rmSync(down, { force: true }))
  }
}
