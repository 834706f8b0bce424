import { Effect, Option, Schema } from "effect"
import { Command } from "effect/cli"
import { isPattern } from "../../domain/words/arguments/TagPattern.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { Output } from "../../services/Output.ts"
import { fail } from "../exit.ts"
import { serveMcp } from "../mcp/server.ts"
import { textFlag, toggle } from "./shared/common.ts"

const isTag = Schema.is(Tag)

export const mcp = Command.make(
  "mcp",
  {
    readOnly: toggle("read-only", "Only tools that look: no sending, starting, stopping or answering"),
    tags: textFlag("tags", "Only these sessions: names and patterns ('feat-*'), separated by commas")
  },
  Effect.fn(function* ({ readOnly, tags }) {
    const patterns = Option.getOrNull(Option.map(tags, (list) => list.split(",").map((word) => word.trim())))
    const wrong = patterns?.find((word) => !isTag(word) && !isPattern(word))
    if (wrong !== undefined)
      return yield* fail("usage", `--tags: '${oneLine(wrong, 60)}' is neither a tag nor a pattern of tags`)
    const output = yield* Output
    if (output.inputIsTerminal)
      yield* output.note("leap: this speaks MCP on its input and output, for an agent that starts it (Ctrl+D ends it)")
    yield* Effect.scoped(serveMcp({ patterns, readOnly }))
  })
).pipe(Command.withDescription("Serve the sessions to agents (MCP on standard input and output), with a post office"))
