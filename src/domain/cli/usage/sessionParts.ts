import type { SessionParts } from "./UsageReader.ts"
import type { UsageState } from "./UsageState.ts"

/**
 * The id of a subagent in the session's transcript, by the first record of its own file; "" where the directory holds
 * no others, null if the file is none of this session's, undefined while it has no record.
 */
export const partIdOf = ({ idOf }: SessionParts, first: unknown): string | null | undefined =>
  idOf === undefined ? "" : first === undefined ? undefined : idOf(first)

/** Whether to look for files: in a directory shared with other sessions only while a named subagent has none. */
export const seeksParts = (
  { idOf }: SessionParts,
  states: ReadonlyArray<Pick<UsageState, "named">>,
  found: ReadonlySet<string>
): boolean => idOf === undefined || states.some(({ named }) => named.some((id) => !found.has(id)))
