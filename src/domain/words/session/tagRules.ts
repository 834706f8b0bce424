import { commandGroups, commandsOf } from "./commandGroups.ts"

/** Names of commands; none may be a tag, or `leap <tag>` would be ambiguous. */
export const commandNames: ReadonlyArray<string> = [...commandGroups.flatMap(commandsOf), "version"]

export const tagPattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/
export const tagLength = 200
