import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"

const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

describe.each([claude, codex, copilot, gemini, opencode].map((cli) => [cli.id, cli] as const))(
  "files in a message to %s",
  (id, cli) => {
    it("a menu of files takes no Enter, and pictures arrive as pictures", () =>
      hosted(cli, `${id}-files`, async ({ api, leap, project, tag }) => {
        const plain = join(project, "shot.png")
        const blanks = join(project, "two words.png")
        for (const file of [plain, blanks]) writeFileSync(file, dot)
        /** Sends a message and gives what the model saw of it. */
        const send = async (...message: ReadonlyArray<string>) => {
          const before = api.main.length
          api.script(say("Seen."))
          await leap(["send", tag, ...message, "--wait", "--timeout", "90"])
          assert.strictEqual(api.main.length, before + 1, "one message, one request")
          return {
            said: api.main.at(-1)?.conversation.join("\n") ?? "",
            images: (api.main.at(-1)?.images ?? 0) - (api.main[before - 1]?.images ?? 0)
          }
        }
        // The beginning of a file's name, which the menu would complete; a file's name; nothing.
        for (const text of ["look at @READ", "look at @README.md", "mail me@home or @nobody"]) {
          const { images, said } = await send(text)
          assert.include(said, text.slice(text.lastIndexOf("@")))
          assert.strictEqual(images, 0)
        }
        assert.strictEqual((await send("see this", "--image", plain)).images, 1)
        assert.strictEqual(
          (await send("see both", "--image", blanks, "--image", plain)).images,
          cli.attachesNoBlanks === true ? 1 : 2
        )
        // A text that is a path may be taken for the file; it must not stay in the box.
        await send(plain)
      }))
  }
)
