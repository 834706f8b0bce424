import type { Modes } from "../session/Session.ts"

export const modesText = ({ autoSend, churn, mute = "off", night = "off" }: Modes): string =>
  `auto-send ${autoSend}\nchurn     ${churn}\nnight     ${night}` +
  (mute === "off" ? "" : `\nmuted     ${mute === "on" ? "until 'leap unmute'" : `until ${mute}`}`)
