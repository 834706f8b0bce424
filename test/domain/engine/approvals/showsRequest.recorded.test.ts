import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { showsRequest } from "../../../../src/domain/engine/approvals/showsRequest.ts"
import type { ToolRequest } from "../../../../src/domain/policy/ToolRequest.ts"
import { parseMarker } from "../../../../src/domain/terminal/recording/Cast.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { builtin } from "../../../support/providers.ts"
import { screenAt } from "../../../support/recordings/castScreen.ts"
import { read } from "../../../support/recordings/recordings.ts"

/** A dialog of a recording: when it stands, and the request that it is for, among those that the hooks reported. */
const dialogs: ReadonlyArray<readonly [name: string, seconds: number, requested: string]> = [
  ["claude/bash-yes-80x24", 8.5, "mkdir -p out && touch out/a.txt && ls -la out"],
  ["claude/write-yes-80x24", 12, "/home/dev/project/notes.md"],
  ["claude/hook-allow", 7, "/home/dev/project/n.md"],
  ["claude-field/tiny", 13, "mkdir -p a/very/long/path/that/does/not/fit/in/forty/columns && ls -la a/very/long/path"],
  ["claude-load/parallel-dialogs", 6, "mkdir one"],
  ["claude-load/parallel-dialogs", 10, "mkdir two"],
  ["claude-load/parallel-dialogs", 13.5, "mkdir three"],
  ["claude-more/webfetch-60x20", 6, "http://127.0.0.1:9/x"],
  ["claude-psp/mcp-permission", 9.5, "mcp__lab__ask_name"],
  ["codex/approve-yes", 10, "touch /home/dev/outside.txt"],
  ["codex/approve-yes", 19, "touch /home/dev/second.txt"],
  ["codex/patch-yes", 10, "/home/dev/other/new.txt"],
  ["codex-more/narrow", 11.5, "touch /home/dev/outside.txt"],
  ["copilot/edit-once-80x24", 11, "/home/dev/project/app.js"],
  ["copilot-field/tiny", 28.5, "mkdir -p a/very/long/path/that/does/not/fit/in/forty/columns"],
  [
    "copilot-more/narrow-60x20",
    19,
    "mkdir -p some/quite/long/folder/name && touch some/quite/long/folder/name/file.txt"
  ],
  ["copilot-more/two-dialogs-80x24", 8, "mkdir two"],
  ["copilot-more/two-dialogs-80x24", 11, "touch one.txt"],
  ["gemini/dialog-after-dialog", 18.5, "touch one.txt"],
  ["gemini/dialog-after-dialog", 27, "touch two.txt"],
  ["gemini/edit-once-80x24", 7, "/home/dev/project/app.js"],
  ["gemini-more/write-once-80x24", 22, "/home/dev/project/notes.md"],
  ["gemini-more/two-dialogs-80x24", 23.2, "touch one.txt"],
  ["opencode/permission-once", 81, "touch second.txt"],
  ["opencode-field/tiny", 121.2, "touch a-very-long-name-that-does-not-fit-in-forty-columns.txt"],
  ["opencode-more/edit-permission", 23, "/home/dev/project/README.md"]
]

const nameOf = ({ command, paths, tool, url }: ToolRequest): string => command ?? url ?? paths[0] ?? tool

describe("a recorded dialog", () => {
  layer(ScreenXterm.layer)((it) => {
    it.effect.each(dialogs)(
      "of %s at %d s shows %s, and no other request of its session",
      ([name, seconds, requested]) =>
        Effect.gen(function* () {
          const { header, lines } = read(name)
          const provider = builtin.find(({ id }) => id === header.leap?.cli) ?? assert.fail("no such CLI")
          const requests = lines.flatMap(([, code, data]) => {
            const marker = code === "m" ? parseMarker(data) : null
            const read = marker?._tag === "Hook" ? provider.permissions.request(marker.event, marker.payload) : null
            // What only reads the same file was asked for before.
            return read === null || read.request.kind === "read" ? [] : [read.request]
          })
          assert.include(requests.map(nameOf), requested)
          const { dialog } = provider.detection.readScreen(yield* screenAt(name, seconds))
          assert.strictEqual(dialog?.kind, "permission")
          for (const request of requests) {
            const shown = dialog !== null && showsRequest(dialog, request)
            assert.strictEqual(shown, nameOf(request) === requested, `${nameOf(request)} by ${dialog?.subject}`)
          }
        })
    )
  })
})
