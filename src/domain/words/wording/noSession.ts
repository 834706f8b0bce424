import type { SessionStatus } from "../session/Session.ts"

/** What to say where a session is asked for that there never was. */
export const noSession = (tag: string): string => `there is no session '${tag}'; 'leap ${tag}' starts one`

/** What to say where the file that tells of a session without a host cannot be read. */
export const damagedStatus = (tag: string, file: string): string =>
  `what is known of session '${tag}' is damaged (${file}); its queue is kept, and 'leap ${tag}' starts it again`

/** What to say where something is asked of a session that has ended. `advice`: what the user can do, in words. */
export const hasEnded = (tag: string, advice: string): string => `session '${tag}' has ended: ${advice}`

/** The advice where its CLI has no conversation to go on with. */
export const startsAgain = (tag: string): string => `'leap ${tag}' starts it again`

/** What to say where a session's last message is asked for, and none is known: it said nothing, or has no hooks. */
export const noLastMessage = ({ displayName, tag, unwired }: SessionStatus): string =>
  unwired == null
    ? `no assistant message of session '${tag}' is known yet`
    : `the last message of session '${tag}' is not known: ${displayName} runs without leap's hooks there ` +
      `('leap doctor' tells more); 'leap screen ${tag}' prints what is on its screen`
