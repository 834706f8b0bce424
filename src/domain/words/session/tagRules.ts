import { commandGroups, commandsOf } from "./commandGroups.ts"

/** Names of commands; none may be used as a tag, or `leap <tag>` would mean two things. */
export const commandNames: ReadonlyArray<string> = [...commandGroups.flatMap(commandsOf), "version"]

/** What a tag looks like, and how long it may be. */
export const tagPattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/
export const tagLength = 200
