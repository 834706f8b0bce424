import type { Picture } from "./AgentCli.ts"

/** The largest picture that is sent, in bytes. */
export const pictureLimit = 20 << 20

const kinds: ReadonlyArray<readonly [string, ReadonlyArray<number | null>]> = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]]
]

/** The media type of a picture by how its file begins; null where it is none that models take. */
export const mediaTypeOf = (bytes: Uint8Array): string | null =>
  kinds.find(([, begin]) => begin.every((byte, at) => byte === null || bytes[at] === byte))?.[0] ?? null

/** A picture as the address that has all of it. */
export const dataUrl = ({ base64, mediaType }: Pick<Picture, "base64" | "mediaType">): string =>
  `data:${mediaType};base64,${base64}`
