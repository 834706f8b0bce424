import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { slugOf } from "../../../src/domain/providers/claude/Relocation.ts"
import { readBook } from "../../../src/domain/store/conversations/RecordBook.ts"
import { eventually, makeRoom } from "./Room.ts"

/**
 * Keeps sessions as Claude Code does: one file each in the folder of the directory it was begun in, resumed by its id
 * from anywhere. Says what it does in a line, and tells leap by its hooks.
 */
const program = `#!/bin/sh
[ "$1" = --version ] && { echo "2.1.329 (Claude Code)"; exit 0; }
# leap tries its hooks before it writes them
[ "$1" = -p ] && exit 0
projects="$HOME/.claude/projects"
id="$(cat "$HOME/next-id")"
source=startup
case "$1" in --resume=*)
  id="\${1#--resume=}" source=resume
  file="$(find "$projects" -name "$id.jsonl")"
  [ -z "$file" ] && { echo "No conversation found with session ID: $id"; exit 1; }
  grep -q poison "$file" && { echo "the conversation cannot be read"; exit 1; }
esac
if [ "$source" = startup ]; then
  file="$projects/$(printf %s "$PWD" | sed 's/[^a-zA-Z0-9]/-/g')/$id.jsonl"
  mkdir -p "\${file%/*}"
fi
[ "$source" = resume ] && shift
echo "$source in $PWD\${*:+ with $*}" >>"$HOME/log"
printf '{"type":"user","cwd":"%s","message":{"role":"user","content":"%s in %s"}}\\n' "$PWD" "$source" "$PWD" >>"$file"
printf '{"hook_event_name":"SessionStart","source":"%s","session_id":"%s","transcript_path":"%s","cwd":"%s"}' "$source" "$id" "$file" "$PWD" |
  "$LEAP_HOME/hooks/leap-hook.sh" SessionStart
# an emptied transcript is found out late, when it has told of the session already
[ "$source" = resume ] && [ "$(wc -l <"$file")" = 1 ] && {
  sleep 0.2; printf 'No conversation found with session ID: %s\\nResume this session with:\\nclaude --resume %s\\n' "$id" "$id"; exit 1
}
printf '─────────────────────────────────────────────\\n❯ \\n─────────────────────────────────────────────\\n'
exec cat
`

/** A room with such a CLI, and what sessions of it leave. */
export const makePlace = Effect.fn(function* (hosts?: "here" | "apart") {
  const room = yield* makeRoom(undefined, { hosts })
  const home = fs.realpathSync(room.dir)
  const bin = path.join(home, "bin")
  fs.mkdirSync(bin)
  fs.writeFileSync(path.join(bin, "claude"), program, { mode: 0o755 })
  for (const name of ["a", "b", "c d"]) fs.mkdirSync(path.join(home, name))
  const env = { ...room.env, PATH: `${bin}:${room.env["PATH"] ?? ""}` }
  const leap = (...args: ReadonlyArray<string>) => room.leap(args, "", env)
  const done = (...args: ReadonlyArray<string>) =>
    Effect.flatMap(leap(...args), (ran) =>
      ran.code === 0 ? Effect.succeed(ran) : Effect.die(new Error(`${args.join(" ")}: ${ran.stderr}`))
    )
  const at = (name: string) => path.join(home, name)
  /** Of a tag; none until its file is there. */
  const records = (tag: string) => {
    const file = path.join(home, "leap/records", `${tag}.json`)
    return readBook(fs.existsSync(file) ? fs.readFileSync(file) : null).book.map(({ record }) => record)
  }
  const log = () =>
    fs
      .readFileSync(path.join(home, "log"), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.replace(home, ""))
  const transcript = (directory: string, id: string) =>
    path.join(home, ".claude/projects", slugOf(path.join(home, directory)), `${id}.jsonl`)
  /** A session in this directory, which has ended. */
  const past = Effect.fnUntraced(function* (
    tag: string,
    directory: string,
    id: string,
    ...more: ReadonlyArray<string>
  ) {
    fs.writeFileSync(at("next-id"), id)
    yield* done(tag, "--cli", "claude", "--detach", "--cwd", at(directory), ...more)
    yield* room.until(tag, (status) => status.sessionId === id && status.state !== "starting", `${tag} has begun`)
    yield* eventually(() => records(tag).some(({ sessionId }) => sessionId === id), "it is recorded")
    yield* done("stop", tag, "--force")
  })
  yield* done("hooks", "install", "--cli", "claude")
  return { ...room, room, env, leap, done, at, records, log, transcript, past }
})
