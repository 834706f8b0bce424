import { assert } from "@effect/vitest"
import type { PermissionProtocol } from "../../../src/domain/cli/provider/PermissionProtocol.ts"
import type { ToolRequest } from "../../../src/domain/policy/ToolRequest.ts"

/** What a request is read as, but for its tool, and what it does not name. */
type Read = Pick<ToolRequest, "kind"> & Partial<ToolRequest>

/** A call of a tool, and what it is read as. `more`: fields of the hook's own beside its tool and that one's input. */
export type CallRow = [name: string, tool: string, input: unknown, read: Read, more?: object]
/** The same of a CLI that tells of it by several events. */
export type EventRow = [name: string, event: string, tool: string, input: unknown, read: Read, more?: object]

export const runs = (command: string): Read => ({ kind: "command", command })
export const reads = (...paths: ReadonlyArray<string>): Read => ({ kind: "read", paths })
export const edits = (...paths: ReadonlyArray<string>): Read => ({ kind: "edit", paths })
export const fetches = (url: string): Read => ({ kind: "fetch", url })

type Found = ReturnType<PermissionProtocol["request"]>

/** A tool's call was read so, to the field, and its hook heeds these answers. */
export const assertRead = (
  found: Found,
  heeds: NonNullable<Found>["heeds"],
  tool: string,
  read: Read,
  cwd = "/home/dev/project"
): void =>
  assert.deepStrictEqual(found, {
    request: { tool, command: null, paths: [], url: null, agent: null, cwd, ...read },
    heeds
  })
