import type { SessionStatus } from "../session/Session.ts"

export const noSession = (tag: string): string => `there is no session '${tag}'; 'leap ${tag}' starts one`

export const damagedStatus = (tag: string, file: string): string =>
  `what is known of session '${tag}' is damaged (${file}); its queue is kept, and 'leap ${tag}' starts it again`

/** The message where permissions, or a disk that fails, hide a session. */
export const unseenStatus = (tag: string, file: string): string =>
  `session '${tag}' cannot be looked at, and may run: ${file} cannot be read ('ls -l' there says more)`

/** `advice`: what the user can do, in words. */
export const hasEnded = (tag: string, advice: string): string => `session '${tag}' has ended: ${advice}`

/** The advice for a CLI that has no conversation to continue. */
export const startsAgain = (tag: string): string => `'leap ${tag}' starts it again`

/** The message for an unknown last message: the session said nothing, or has no hooks. */
export const noLastMessage = ({ displayName, tag, unwired }: SessionStatus): string =>
  unwired == null
    ? `no assistant message of session '${tag}' is known yet`
    : `the last message of session '${tag}' is not known: ${displayName} runs without leap's hooks there ` +
      `('leap doctor' tells more); 'leap screen ${tag}' prints what is on its screen`
